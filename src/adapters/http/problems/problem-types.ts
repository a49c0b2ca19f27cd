/** The problems of any API (RFC 9457), one entry each. An API's own problems are in its folder, in the same form. */
import type { Violation } from '../../../domain/base/errors.ts';

/** Fields of all or of some of a problem's answers. */
export type ProblemHeader =
  | 'Accept'
  | 'Accept-Encoding'
  | 'Accept-Patch'
  | 'Accept-Post'
  | 'Allow'
  | 'Retry-After'
  | 'WWW-Authenticate';

export interface ProblemType {
  readonly status: number;
  /** The same each time (RFC 9457 §3.1.3). */
  readonly title: string;
  /** Replaces an error's own message, which a 5xx never shows. */
  readonly detail?: string;
  readonly headers?: readonly ProblemHeader[];
}

/** A problem with a page of its own, which the contract names too. */
export interface DescribedProblemType extends ProblemType {
  readonly meaning: string;
  /** For the client's author. */
  readonly remedy: string;
  /** For the contract's example, where a body is wrong. */
  readonly example?: readonly Violation[];
}

/** By code: the last segment of the problem's `type`. */
export type ProblemTypes = Readonly<Record<string, ProblemType>>;
export type DescribedProblemTypes = Readonly<Record<string, DescribedProblemType>>;

export const problemTypes = {
  'malformed-request': {
    status: 400,
    title: 'The request is not HTTP',
    meaning: 'What arrived is not an HTTP/1.1 request (RFC 9112). The connection was closed.',
    remedy:
      'Look for line ends, lengths or characters that a library of yours, or a gateway, has written wrong.',
  },
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
    meaning:
      'A query parameter is not known, stands twice, has a value that it cannot have, or does not go with another one.',
    remedy:
      'See detail, which names it. Take `after` and `before` from a Link of the same list, with the same filters, search and order, and with limit.',
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
      'Send Authorization with a token (Bearer) or with an API key (Basic, or Bearer as id.secret). WWW-Authenticate says what is taken; get a new token when it has expired.',
    headers: ['WWW-Authenticate'],
  },
  'insufficient-scope': {
    status: 403,
    title: 'The credentials do not reach this far',
    meaning: 'The credentials are right, and lack the scope that this operation takes.',
    remedy: 'Ask for a token or an API key with the scope that detail names.',
    headers: ['WWW-Authenticate'],
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
    headers: ['Allow'],
  },
  'not-acceptable': {
    status: 406,
    title: 'None of the accepted media types is available',
    meaning: 'Accept names no media type that the answer could be in.',
    remedy: 'Accept application/json or application/xml.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    meaning: 'The request did not arrive whole within the time allowed. The connection was closed.',
    remedy: 'Send it again, on a new connection.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The precondition does not hold',
    meaning:
      'What If-Match, If-None-Match or a date asks for does not hold: what is there has changed or, of a list, it cannot be promised that it has not. Nothing was changed.',
    remedy:
      'Read it, make the change to what it is now, and send it with the new ETag. Create without a precondition.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    meaning: 'The body has more bytes, after decoding, than a body may have here.',
    remedy: 'Send less at a time; detail names the limit.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type is not supported',
    meaning: 'The Content-Type is missing or none that a body may have here.',
    remedy: 'Use one of those in Accept-Post, Accept-Patch or Accept of this answer.',
    headers: ['Accept', 'Accept-Patch', 'Accept-Post'],
  },
  'unsupported-content-coding': {
    status: 415,
    title: 'The content coding is not supported',
    meaning: 'The Content-Encoding is none that a body may have.',
    remedy: 'Send the body as it is, or in one of the codings in Accept-Encoding of this answer.',
    headers: ['Accept-Encoding'],
  },
  'expectation-failed': {
    status: 417,
    title: 'The expectation cannot be met',
    meaning: 'Expect asks for something other than 100-continue.',
    remedy: 'Leave the field out, or send 100-continue.',
  },
  'precondition-required': {
    status: 428,
    title: 'If-Match is required',
    meaning:
      'This installation refuses changes without If-Match, so that nobody overwrites what another has written.',
    remedy: 'Read what you mean to change and send its ETag in If-Match.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The header section is too large',
    meaning: 'The header fields are too many, or too large together with the request line.',
    remedy:
      'Send fewer and shorter ones: detail has the limit. Cookies, which nobody needs here, are the usual cause.',
  },
  'internal-error': {
    status: 500,
    title: 'The service failed',
    meaning: 'Something failed that should not have. A change may have been made or not.',
    remedy: 'Read before you repeat a change. The operator finds the cause in the log, under instance.',
  },
  'not-implemented': {
    status: 501,
    title: 'The service has no such function',
    meaning:
      'The method is one that nothing here answers to, or Transfer-Encoding names a coding other than chunked. Nothing was done.',
    remedy: 'Use the methods that the contract names, in capitals, and compress bodies by Content-Encoding.',
  },
  overloaded: {
    status: 503,
    title: 'The service has too much to do right now',
    meaning: 'More requests are being worked on than can be done in time. Nothing was done about this one.',
    remedy: 'Send the request again after Retry-After seconds, and fewer at once.',
    headers: ['Retry-After'],
  },
  unavailable: {
    status: 503,
    title: 'The service is not available right now',
    meaning:
      'The store or the keys that tokens are checked with are out of reach, or too busy. Nothing was changed.',
    remedy: 'Send the request again after Retry-After seconds.',
    headers: ['Retry-After'],
    detail: 'Nothing was changed. Try again later.',
  },
  'outcome-unknown': {
    status: 504,
    title: 'The outcome is not known',
    meaning:
      'The store was asked to make the change and did not answer in time. It may have been made or not.',
    remedy: 'Read before you repeat the change. A POST with an id of your choice can be repeated safely.',
    detail: 'The change may have been made or not. Read before you repeat it.',
  },
} as const satisfies DescribedProblemTypes;
export type ProblemCode = keyof typeof problemTypes;
