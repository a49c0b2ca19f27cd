/**
 * The problems of any API (RFC 9457), one entry each. An API's own problems are in its folder, in the same form. `problems.ts` makes a problem of
 * any error, and prints it. The detail is the error's message, often from `domain/validation/errors.ts`.
 */
import type { Violation } from '../../../domain/validation/errors.ts';

/** Fields that all or some responses with a problem have. */
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
  /** The same for every occurrence (RFC 9457 §3.1.3). */
  readonly title: string;
  /** Replaces an error's own message, which a 5xx never shows. */
  readonly detail?: string;
  readonly headers?: readonly ProblemHeader[];
}

/** A problem with its own page, which the contract also names. */
export interface DescribedProblemType extends ProblemType {
  readonly meaning: string;
  /** For the client's author. */
  readonly remedy: string;
  /** For the contract's example of a problem with a body. */
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
    remedy: 'Look for wrong line ends, lengths or characters, written by a library or a gateway.',
  },
  'unreadable-body': {
    status: 400,
    title: 'The body could not be read',
    meaning:
      'The body is not well-formed in the format of its Content-Type, or its bytes do not match the declared encoding.',
    remedy:
      'See detail for the line and column. Send the body as its Content-Type says; XML without a DOCTYPE.',
  },
  'invalid-parameter': {
    status: 400,
    title: 'A query parameter is wrong',
    meaning:
      'A query parameter is unknown, occurs twice, has an invalid value, or cannot be combined with another one.',
    remedy:
      'See detail for its name. Take `after` and `before` from a Link of the same list; keep filters, search, order and limit.',
  },
  'invalid-header': {
    status: 400,
    title: 'A header field is wrong',
    meaning:
      'A header field that matters occurs twice or is malformed: Host, Authorization, If-Match or If-None-Match.',
    remedy: 'See detail. Send entity tags in double quotes, exactly as ETag has them.',
  },
  unauthenticated: {
    status: 401,
    title: 'Authentication is required',
    meaning: 'The request has no credentials, or they are invalid or expired.',
    remedy:
      'Send Authorization with a token (Bearer) or with an API key (Basic, or Bearer as id.secret). WWW-Authenticate names the accepted schemes. Get a new token if yours has expired.',
    headers: ['WWW-Authenticate'],
  },
  'insufficient-scope': {
    status: 403,
    title: 'The credentials do not reach this far',
    meaning: 'The credentials are valid but lack the scope that this operation requires.',
    remedy: 'Ask for a token or an API key with the scope that detail names.',
    headers: ['WWW-Authenticate'],
  },
  'profile-refused': {
    status: 403,
    title: 'The access profile cannot be used',
    meaning:
      'The credentials name several access profiles, or one that this installation does not have; or they name none, and it requires one.',
    remedy:
      'Ask the operator for an API key with a profile, or the issuer for a token with one scope such as as:phonebook.',
    headers: ['WWW-Authenticate'],
  },
  'attribute-hidden': {
    status: 403,
    title: 'A member is not visible to you',
    meaning:
      'The request names a member that the access profile of the credentials hides: in the body, a filter or the order. Nothing was changed.',
    remedy: 'Leave the member out: a PUT keeps hidden members. GET /access says which members you see.',
    headers: ['WWW-Authenticate'],
    example: [{ pointer: '/x509Certificates', detail: 'is not visible to you' }],
  },
  'attribute-read-only': {
    status: 403,
    title: 'A member cannot be changed by you',
    meaning:
      'The request would change a member that the access profile of the credentials shows but does not let them write. Nothing was changed.',
    remedy: 'Leave the member out, or send it unchanged. GET /access says which members you may write.',
    headers: ['WWW-Authenticate'],
    example: [{ pointer: '/title', detail: 'cannot be changed by you' }],
  },
  'outside-of-profile': {
    status: 403,
    title: 'The change goes beyond the access profile',
    meaning:
      'The access profile of the credentials does not allow creating or deleting such a resource, or the result of the change would be outside of its filter. Nothing was changed.',
    remedy: 'Ask the operator for credentials with another profile. GET /access says what yours allows.',
    headers: ['WWW-Authenticate'],
  },
  'no-such-resource': {
    status: 404,
    title: 'There is nothing at this path',
    meaning: 'The service has no such path.',
    remedy: 'Compare the path, including the base path, with the OpenAPI document.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not supported here',
    meaning: 'The path exists but does not support this method.',
    remedy: 'Use one of the methods in Allow.',
    headers: ['Allow'],
  },
  'not-acceptable': {
    status: 406,
    title: 'None of the accepted media types is available',
    meaning: 'Accept names no media type that the response is available in.',
    remedy: 'Accept application/json or application/xml.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    meaning: 'The request did not arrive completely within the time limit. The connection was closed.',
    remedy: 'Send it again, on a new connection.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The precondition does not hold',
    meaning:
      'A condition (If-Match, If-None-Match or a date) does not hold: the resource has changed, or is a list, which cannot be locked. Nothing was changed.',
    remedy:
      'Read the current version, apply your change to it, and send it with the new ETag. Create without a precondition.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    meaning: 'The decoded body has more bytes than the limit.',
    remedy: 'Send smaller bodies; detail names the limit.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The media type is not supported',
    meaning: 'The Content-Type is missing or not supported here.',
    remedy: 'Use a media type from Accept-Post, Accept-Patch or Accept of this response.',
    headers: ['Accept', 'Accept-Patch', 'Accept-Post'],
  },
  'unsupported-content-coding': {
    status: 415,
    title: 'The content coding is not supported',
    meaning: 'The Content-Encoding is not supported.',
    remedy: 'Send the body uncompressed, or in a coding from Accept-Encoding of this response.',
    headers: ['Accept-Encoding'],
  },
  'expectation-failed': {
    status: 417,
    title: 'The expectation cannot be met',
    meaning: 'Expect asks for something other than 100-continue.',
    remedy: 'Omit the field, or send 100-continue.',
  },
  'precondition-required': {
    status: 428,
    title: 'If-Match is required',
    meaning:
      'This installation requires If-Match for changes, so that no client overwrites the change of another.',
    remedy: 'Read the resource first and send its ETag in If-Match.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The header section is too large',
    meaning: 'The request has too many header fields, or they are too large together with the request line.',
    remedy:
      'Send fewer or shorter fields; detail names the limit. Cookies, which the service does not use, are the usual cause.',
  },
  'internal-error': {
    status: 500,
    title: 'The service failed',
    meaning: 'An unexpected error occurred. A change may or may not have been made.',
    remedy: 'Read before you repeat a change. The operator finds the cause in the log by the id in instance.',
  },
  'not-implemented': {
    status: 501,
    title: 'The service has no such function',
    meaning:
      'The method is unknown, or Transfer-Encoding names a coding other than chunked. Nothing was done.',
    remedy: 'Use the methods in the contract, in capitals, and compress bodies with Content-Encoding.',
  },
  overloaded: {
    status: 503,
    title: 'The service has too much to do right now',
    meaning: 'The service has more requests than it can answer in time. This one was not processed.',
    remedy: 'Send the request again after Retry-After seconds, and fewer at once.',
    headers: ['Retry-After'],
  },
  unavailable: {
    status: 503,
    title: 'The service is not available right now',
    meaning: 'The store, or the key set for tokens, is unreachable or too busy. Nothing was changed.',
    remedy: 'Send the request again after Retry-After seconds.',
    headers: ['Retry-After'],
    detail: 'Nothing was changed. Try again later.',
  },
  'outcome-unknown': {
    status: 504,
    title: 'The outcome is not known',
    meaning: 'The store did not confirm the change in time. It may or may not have been made.',
    remedy: 'Read before you repeat the change. A POST with an id of your choice can be repeated safely.',
    detail: 'The change may or may not have been made. Read before you repeat it.',
  },
} as const satisfies DescribedProblemTypes;
export type ProblemCode = keyof typeof problemTypes;
