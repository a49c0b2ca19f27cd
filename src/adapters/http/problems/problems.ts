/**
 * Problems: the kernel's own errors, the conversion of any error into a problem, and its printing as problem details (RFC 9457), in any format:
 * for every API that doesn't print its failures itself.
 */

import * as Type from 'typebox';
import { DomainError, maxViolations, type Violation } from '../../../domain/validation/errors.ts';
import { replaceForeignCharacters } from '../../../domain/validation/schema-validator.ts';
import type { Codec, Format } from '../../formats/port/format.ts';
import { UnreadableError } from '../../formats/text/positions.ts';
import { type ProblemCode, type ProblemType, type ProblemTypes, problemTypes } from './problem-types.ts';

/** Thrown if the kernel itself refuses a request. Its message and `headers` go to the client. */
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

/** @param suggestion follows the path: ` (perhaps /things)` */
export const noSuchResource = (suggestion = ''): HttpProblem =>
  new HttpProblem('no-such-resource', `There is nothing at this path${suggestion}.`);

/** Thrown if an API refuses a request for its own reason. @param code of an entry in the API's `problems` */
export class ApiProblem extends Error {
  override readonly name: string = 'ApiProblem';
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** In seconds (RFC 9110 §10.2.3). */
export const retryAfter = 5;

/** One occurrence of a problem type. */
export interface Problem {
  readonly code: string;
  readonly type: ProblemType;
  /** For this occurrence (RFC 9457 §3.1.4). */
  readonly detail: string;
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string>>;
}

interface PrintedProblem {
  /** With its parameters. */
  readonly contentType: string;
  readonly content: string;
}

/** @param requestId a UUID: the log has more under it @param trace the id of the trace that the request belongs to, if any */
export type PrintProblem = (
  problem: Problem,
  requestId: string,
  format: Format,
  trace?: string,
) => PrintedProblem;

const internal = 'Something failed here. The log has it under this instance.';

/** An error that wasn't thrown on purpose, or has no entry, becomes 500 without details. @param own the API's problems */
export function problemOf(error: unknown, own: ProblemTypes): Problem {
  const problem = (code: string, detail: string, more: Partial<Problem> = {}): Problem => {
    const type = (problemTypes as ProblemTypes)[code] ?? own[code];
    if (type === undefined) return problem('internal-error', internal);
    return { code, type, violations: [], headers: {}, detail: type.detail ?? detail, ...more };
  };
  if (error instanceof HttpProblem) return problem(error.code, error.message, { headers: error.headers });
  if (error instanceof ApiProblem) return problem(error.code, error.message);
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

/** RFC 9457 §3.1, with `errors` for the places in a body. In XML lists follow appendix B: their items are `i`. */
export const ProblemDocument = Type.Object(
  {
    type: Type.String({
      format: 'uri-reference',
      description: 'The URL of the problem type; its page explains it.',
    }),
    title: Type.String({ description: 'The meaning of the type; the same for each occurrence.' }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The status code of the answer.' }),
    detail: Type.Optional(Type.String({ description: 'The cause of this occurrence.' })),
    instance: Type.Optional(
      Type.String({ format: 'uri-reference', description: 'The id of this occurrence, as in the log.' }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            pointer: Type.String({
              description: 'The place of the mistake: an RFC 6901 pointer into the body.',
            }),
            detail: Type.String({ description: 'Why.' }),
          },
          { title: 'Violation' },
        ),
        { item: 'i', description: 'The mistakes in the request.' },
      ),
    ),
  },
  { description: 'Problem details (RFC 9457).' },
);
export type ProblemDocument = Type.Static<typeof ProblemDocument>;
export const problemNaming = { one: 'problem', many: 'problems', namespace: 'urn:ietf:rfc:7807' };

/** The page of a problem type, below the base path. */
export const problemPath = (code: string): string => `/problems/${code}`;

/** The request's id; a trace follows it as the URN's q-component (RFC 8141 §2.3.2), which isn't part of the name. */
const instanceOf = (requestId: string, trace: string | undefined): string =>
  `urn:uuid:${requestId}${trace === undefined ? '' : `?=trace=${trace}`}`;

function documentOf(
  { code, type, detail, violations }: Problem,
  url: (path: string) => string,
  instance: string,
): ProblemDocument {
  const errors = violations
    .slice(0, maxViolations)
    .map(({ pointer, detail: why }) => ({ pointer: replaceForeignCharacters(pointer), detail: why }));
  return {
    type: url(problemPath(code)),
    title: type.title,
    status: type.status,
    detail,
    instance,
    ...(errors.length > 0 ? { errors } : {}),
  };
}

/** One for each service: it keeps a codec for each format, made on first use. */
export function problemPrinter(url: (path: string) => string): PrintProblem {
  const codecs = new Map<Format, Codec<ProblemDocument>>();
  return (problem, requestId, format, trace) => {
    const codec = codecs.get(format) ?? format.codec<ProblemDocument>(ProblemDocument, problemNaming);
    codecs.set(format, codec);
    return {
      contentType: format.problemType,
      content: codec.print(documentOf(problem, url, instanceOf(requestId, trace))),
    };
  };
}
