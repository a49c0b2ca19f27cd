/** Every problem a client can meet (RFC 9457): its code, status and title stand here and nowhere else. */
import Type from 'typebox';
import { DomainError, type DomainErrorCode, type Violation } from '../../domain/errors.ts';
import { UnreadableError } from '../formats/format.ts';

type HttpProblemCode =
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
  | 'overloaded'
  | 'internal-error';
export type ProblemCode = DomainErrorCode | HttpProblemCode;

export interface Problem {
  readonly status: number;
  readonly title: string;
  /** What has happened, for the problem's page. */
  readonly meaning: string;
  /** What a client does about it, for the same. */
  readonly remedy: string;
}

export const problems: Readonly<Record<ProblemCode, Problem>> = {
  'unreadable-body': {
    status: 400,
    title: 'The body could not be read',
    meaning:
      'The body is not well-formed in the format that its Content-Type names, or its bytes are not in the encoding they claim.',
    remedy:
      'See detail for the line and column. Send the body as its Content-Type says; XML without a DOCTYPE.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'A query parameter is wrong',
    meaning: 'A query parameter is not known, stands twice, or has a value that it cannot have.',
    remedy:
      'See detail. Take `after` from the Link of the page before, with the same filters and with limit.',
  },
  'invalid-header': {
    status: 400,
    title: 'A header field is wrong',
    meaning:
      'A header field that decides something stands twice or cannot be read: Host, Authorization, If-Match or If-None-Match.',
    remedy: 'See detail. Entity tags stand in double quotes, as in the ETag that they came in.',
  },
  unauthenticated: {
    status: 401,
    title: 'Authentication is required',
    meaning: 'The request has no credentials, or they are wrong or no longer valid.',
    remedy:
      'Send Authorization with a Bearer token or with an API key (Basic). WWW-Authenticate says what is taken; get a new token when it has expired.',
  },
  'insufficient-scope': {
    status: 403,
    title: 'The credentials do not reach this far',
    meaning: 'The credentials are right, and lack the scope that this operation takes.',
    remedy: 'Ask for a token or an API key with the scope that detail names.',
  },
  'user-not-found': {
    status: 404,
    title: 'There is no such user',
    meaning: 'No user has this id: there never was one, or it was deleted.',
    remedy: 'Check the id, or find the user by a filter of the list.',
  },
  'no-such-resource': {
    status: 404,
    title: 'There is nothing at this path',
    meaning: 'The path is none of those that the service has.',
    remedy:
      'Check the path against the OpenAPI document, its base path included, and without a slash at its end.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not supported here',
    meaning: 'The path exists and does not answer to this method.',
    remedy: 'Use one of the methods in Allow.',
  },
  'not-acceptable': {
    status: 406,
    title: 'None of the accepted media types is available',
    meaning: 'Accept names no media type that the answer could be in.',
    remedy: 'Accept application/json or application/xml.',
  },
  'user-name-taken': {
    status: 409,
    title: 'The userName is taken',
    meaning: 'Another user has this userName. Case, width and normalisation make no difference (RFC 8265).',
    remedy:
      'Choose another one. When it was a repeated POST of your own, filter the list by userName to find the user.',
  },
  'id-taken': {
    status: 409,
    title: 'The id is taken',
    meaning: 'Another user has the id that the POST chose.',
    remedy:
      'When the POST was a repetition of your own, the first one took effect: read the user with this id. Else choose another id.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The user has changed',
    meaning:
      'The user is no longer the one that If-Match, If-None-Match or a date asks for. Nothing was changed.',
    remedy: 'Read the user, make the change to what it is now, and send it with the new ETag.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    meaning: 'The body has more bytes, after decoding, than any user takes.',
    remedy: 'Send one user at a time; detail names the limit.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type is not supported',
    meaning: 'The Content-Type is missing or none that a body may have here.',
    remedy: 'Use one of those in Accept-Post, Accept-Patch or Accept of this answer.',
  },
  'unsupported-content-coding': {
    status: 415,
    title: 'The content coding is not supported',
    meaning: 'The Content-Encoding is none that a body may have.',
    remedy: 'Send the body as it is, or in one of the codings in Accept-Encoding of this answer.',
  },
  'invalid-user': {
    status: 422,
    title: 'The user breaks the rules',
    meaning: 'The body was understood, and the user in it breaks rules. Nothing was changed.',
    remedy:
      'See errors: each has a pointer (RFC 6901) to the place and says what must be. Up to 20 are told at once.',
  },
  'precondition-required': {
    status: 428,
    title: 'If-Match is required',
    meaning:
      'This installation refuses changes without If-Match, so that nobody overwrites what another has written.',
    remedy: 'Read the user and send its ETag in If-Match.',
  },
  'internal-error': {
    status: 500,
    title: 'The service failed',
    meaning: 'Something failed that should not have. A change may have been made or not.',
    remedy: 'Read before you repeat a change. The operator finds the cause in the log, under instance.',
  },
  overloaded: {
    status: 503,
    title: 'The service has too much to do right now',
    meaning: 'More requests are being worked on than can be done in time. Nothing was done about this one.',
    remedy: 'Send the request again after Retry-After seconds, and fewer at once.',
  },
  unavailable: {
    status: 503,
    title: 'The service is not available right now',
    meaning:
      'The store or the keys that tokens are checked with are out of reach, or too busy. Nothing was changed.',
    remedy: 'Send the request again after Retry-After seconds.',
  },
  'outcome-unknown': {
    status: 504,
    title: 'The outcome is not known',
    meaning:
      'The store was asked to make the change and did not answer in time. It may have been made or not.',
    remedy: 'Read before you repeat the change. A POST with an id of your choice can be repeated safely.',
  },
};

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
  unavailable: 'Nothing was changed. Try again later.',
  'outcome-unknown': 'The change may have been made or not. Read before you repeat it.',
};
