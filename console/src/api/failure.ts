/** The failures of a request that callers tell apart. */
import type { components } from '../contract.ts';

type Problem = Partial<components['schemas']['Problem']>;
type Violation = components['schemas']['Violation'];

export interface Failure {
  /** A change may have been made or not. */
  readonly isUnknown: boolean;
  /** 0 without a response. */
  readonly status: number;
  /** Empty without a response. */
  readonly title: string;
  readonly detail: string;
  /** The page that explains it. */
  readonly page: string | undefined;
  readonly violations: readonly Violation[];
  /** In seconds. */
  readonly retryAfter: number | undefined;
}

/** @param body the parsed body; a gateway's own page is no problem document */
export function failureOfAnswer(response: Response, body: unknown): Failure {
  const problem: Problem = typeof body === 'object' && body !== null ? body : {};
  const seconds = Number.parseInt(response.headers.get('Retry-After') ?? '', 10);
  return {
    isUnknown: response.status === 504,
    status: response.status,
    title: problem.title ?? `The service answered ${response.status}`,
    detail: problem.detail ?? '',
    page: problem.type,
    violations: problem.errors ?? [],
    retryAfter: Number.isNaN(seconds) ? undefined : seconds,
  };
}

/** @param isChange the request may have had an effect although no response arrived */
export function failureOfError(error: unknown, isChange: boolean): Failure {
  const isAborted = error instanceof Error && error.name === 'AbortError';
  return {
    isUnknown: isChange && !isAborted,
    status: 0,
    title: '',
    detail: '',
    page: undefined,
    violations: [],
    retryAfter: undefined,
  };
}
