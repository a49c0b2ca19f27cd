/** From an error to the problem that a client is told of (RFC 9457). */
import Type from 'typebox';
import { DomainError, type Violation } from '../../domain/errors.ts';
import { UnreadableError } from '../formats/format.ts';
import { type ProblemCode, type ProblemType, type ProblemTypes, problemTypes } from './problem-types.ts';

/** What the kernel itself refuses. `detail` goes to the client; `headers` to the answer. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }
}

/** How long a client does well to wait before it tries again, in seconds. */
export const retryAfter = 5;

/** What an error means to a client. */
export interface Problem {
  readonly code: string;
  readonly type: ProblemType;
  /** What is wrong this time. */
  readonly detail: string;
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;
}

const internal = 'Something failed here. The log has it under this instance.';

/** What wasn't thrown on purpose, or has no entry, says nothing of itself: 500. @param own the API's problems */
export function problemOf(error: unknown, own: ProblemTypes): Problem {
  const problem = (code: string, detail: string, more: Partial<Problem> = {}): Problem => {
    const type = (problemTypes as ProblemTypes)[code] ?? own[code];
    if (type === undefined) return problem('internal-error', internal);
    return { code, type, violations: [], headers: {}, detail: type.detail ?? detail, ...more };
  };
  if (error instanceof HttpProblem) return problem(error.code, error.message, { headers: error.headers });
  if (error instanceof UnreadableError) {
    const { position } = error;
    const place = position ? `line ${position.line}, column ${position.column}: ` : '';
    return problem('unreadable-body', `${place}${error.message}`);
  }
  if (!(error instanceof DomainError)) return problem('internal-error', internal);
  const { code, message, violations } = error;
  const headers: Problem['headers'] = code === 'unavailable' ? { 'Retry-After': String(retryAfter) } : {};
  return problem(code, message, { violations, headers });
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
            pointer: Type.String({ description: 'Where: an RFC 6901 pointer into what was sent.' }),
            detail: Type.String({ description: 'Why.' }),
          },
          { title: 'Violation' },
        ),
        { item: 'i', description: 'What is wrong with what was sent.' },
      ),
    ),
  },
  { description: 'Problem details (RFC 9457).' },
);
export type ProblemDocument = Type.Static<typeof ProblemDocument>;
export const problemNaming = { one: 'problem', many: 'problems', namespace: 'urn:ietf:rfc:7807' };
