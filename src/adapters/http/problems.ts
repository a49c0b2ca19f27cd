/** Every problem a client can meet (RFC 9457): its code, status and title stand here and nowhere else. */
import Type from 'typebox';
import { DomainError, type DomainErrorCode, type Violation } from '../../domain/errors.ts';
import { UnreadableError } from '../formats/format.ts';

type HttpProblemCode =
  | 'malformed-request'
  | 'request-timeout'
  | 'expectation-failed'
  | 'headers-too-large'
  | 'no-such-resource'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'unsupported-media-type'
  | 'unsupported-content-coding'
  | 'body-too-large'
  | 'unreadable-body'
  | 'invalid-parameter'
  | 'invalid-header'
  | 'precondition-required'
  | 'not-implemented'
  | 'overloaded'
  | 'internal-error';
export type ProblemCode = DomainErrorCode | HttpProblemCode;

export const problems: Readonly<Record<ProblemCode, { readonly status: number; readonly title: string }>> = {
  'malformed-request': { status: 400, title: 'The request is not HTTP' },
  'unreadable-body': { status: 400, title: 'The body could not be read' },
  'invalid-parameter': { status: 400, title: 'A query parameter is wrong' },
  'invalid-header': { status: 400, title: 'A header field is wrong' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  'insufficient-scope': { status: 403, title: 'The credentials do not reach this far' },
  'user-not-found': { status: 404, title: 'There is no such user' },
  'no-such-resource': { status: 404, title: 'There is nothing at this path' },
  'method-not-allowed': { status: 405, title: 'The method is not supported here' },
  'not-acceptable': { status: 406, title: 'None of the accepted media types is available' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'user-name-taken': { status: 409, title: 'The userName is taken' },
  'id-taken': { status: 409, title: 'The id is taken' },
  'precondition-failed': { status: 412, title: 'The precondition does not hold' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The media type is not supported' },
  'unsupported-content-coding': { status: 415, title: 'The content coding is not supported' },
  'expectation-failed': { status: 417, title: 'The expectation cannot be met' },
  'invalid-user': { status: 422, title: 'The user breaks the rules' },
  'precondition-required': { status: 428, title: 'If-Match is required' },
  'headers-too-large': { status: 431, title: 'The header section is too large' },
  'internal-error': { status: 500, title: 'The service failed' },
  'damaged-user': { status: 500, title: 'What is stored of a user is damaged' },
  'not-implemented': { status: 501, title: 'The service has no such function' },
  overloaded: { status: 503, title: 'The service has too much to do right now' },
  unavailable: { status: 503, title: 'The service is not available right now' },
  'outcome-unknown': { status: 504, title: 'The outcome is not known' },
};

/** What any request may be answered, wherever it goes. */
export const problemsAnywhere: readonly ProblemCode[] = [
  'malformed-request',
  'invalid-header',
  'request-timeout',
  'expectation-failed',
  'headers-too-large',
  'internal-error',
  'not-implemented',
];

/** What the HTTP adapter itself refuses. `detail` goes to the client; `headers` to the answer. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly code: HttpProblemCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: HttpProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }
}

/** RFC 9457 §3.1, and `errors` for where it lies. In XML its lists follow RFC 9457 appendix B: items are `i`. */
export const ProblemDocument = Type.Object(
  {
    type: Type.String({ format: 'uri-reference', description: 'Which problem it is; its page is there.' }),
    title: Type.String({ description: 'What the type means; the same for each of them.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The status code of the answer.' }),
    detail: Type.Optional(Type.String({ description: 'What is wrong this time.' })),
    instance: Type.Optional(
      Type.String({ format: 'uri-reference', description: "This one's name; the log has it." }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Type.String({ description: 'Where: an RFC 6901 pointer into the user.' }),
            detail: Type.String({ description: 'Why.' }),
          },
          { title: 'Violation' },
        ),
        {
          item: 'i',
          description: 'What is wrong with the user.',
        },
      ),
    ),
  },
  { description: 'Problem details (RFC 9457).' },
);
export type ProblemDocument = Type.Static<typeof ProblemDocument>;
export const problemNaming = { one: 'problem', many: 'problems', namespace: 'urn:ietf:rfc:7807' };

/** How long a client does well to wait before it tries again, in seconds. */
export const retryAfter = 5;

/** What an error means to a client. What wasn't thrown on purpose says nothing of itself. */
export interface Meaning {
  readonly code: ProblemCode;
  readonly detail: string;
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;
}

export function meaningOf(error: unknown): Meaning {
  const none = { violations: [], headers: {} };
  if (error instanceof HttpProblem)
    return { ...none, code: error.code, detail: error.message, headers: error.headers };
  if (error instanceof UnreadableError) {
    const { position } = error;
    const place = position ? `line ${position.line}, column ${position.column}: ` : '';
    return { ...none, code: 'unreadable-body', detail: `${place}${error.message}` };
  }
  if (error instanceof DomainError) {
    const { code, message, violations } = error;
    const headers: Record<string, string> =
      code === 'unavailable' ? { 'Retry-After': String(retryAfter) } : {};
    const detail = problems[code].status >= 500 ? detailsOfFaults[code] : undefined;
    return { code, detail: detail ?? message, violations, headers };
  }
  return {
    ...none,
    code: 'internal-error',
    detail: 'Something failed here. The log has it under this instance.',
  };
}

/** 5xx never shows a cause: what the client can act on, instead. */
const detailsOfFaults: Partial<Record<ProblemCode, string>> = {
  'damaged-user': 'It can be replaced or deleted, not read. The log names the user under this instance.',
  unavailable: 'Nothing was changed. Try again later.',
  'outcome-unknown': 'The change may have been made or not. Read before you repeat it.',
};
