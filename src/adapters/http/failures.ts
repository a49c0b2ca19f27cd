/** The one place where an error becomes an answer (RFC 9457), and where what must not be shown stays behind. */
import { carriable, maxViolations } from '../../domain/validation.ts';
import type { Format } from '../formats/format.ts';
import { formats } from '../formats/index.ts';
import { type Context, present, type Service } from './context.ts';
import type { ReportFault } from './fault-log.ts';
import { negotiateProblem } from './negotiation.ts';
import {
  type Meaning,
  meaningOf,
  type ProblemDocument,
  problemNaming,
  problems,
  ProblemDocument as schema,
} from './problems.ts';
import { respond } from './respond.ts';
import type { Urls } from './urls.ts';

const codecs = new Map(
  formats.map((format) => [format, format.codec<ProblemDocument>(schema, problemNaming)] as const),
);

function documentOf({ code, detail, violations }: Meaning, url: Urls, id: string): ProblemDocument {
  const { status, title } = problems[code];
  const errors = violations
    .slice(0, maxViolations)
    .map(({ pointer, detail: why }) => ({ pointer: carriable(pointer), detail: why }));
  return {
    type: url(`/problems/${code}`),
    title,
    status,
    detail,
    instance: `urn:uuid:${id}`,
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** The problem document, for the request with this id. */
export const printProblem = (meaning: Meaning, url: Urls, id: string, format: Format): string =>
  present(codecs.get(format)).print(documentOf(meaning, url, id));

export interface FailureParts {
  readonly service: Service;
  readonly report: ReportFault;
  /** Those of a refusal of the credentials (RFC 9110 §11.6.1). */
  readonly challenges?: readonly string[] | undefined;
}

export function answerFailure(
  error: unknown,
  ctx: Context,
  { service, challenges = [], report }: FailureParts,
): void {
  const meaning = meaningOf(error);
  const { status } = problems[meaning.code];
  // What isn't implemented is the client's to mend, and no fault.
  if (status >= 500 && status !== problems['not-implemented'].status) report(error, ctx.state.requestId);
  ctx.state.problem = meaning.code;
  const format = negotiateProblem(ctx.get('Accept'), ctx.state.bodyChoice, service.defaultChoice);
  const fields = [
    ...Object.entries(meaning.headers).flat(),
    ...(challenges.length > 0 ? ['WWW-Authenticate', [...challenges]] : []),
    'Cache-Control',
    'no-store',
    'Content-Type',
    format.problemType,
  ];
  respond(ctx, { status, fields, content: printProblem(meaning, service.url, ctx.state.requestId, format) });
}
