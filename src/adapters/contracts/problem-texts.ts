/** What each problem means and what a client does about it, for its page and for the OpenAPI document. */
import type { ProblemCode } from '../http/problems.ts';

export interface ProblemText {
  readonly meaning: string;
  readonly remedy: string;
}

export const problemTexts: Readonly<Record<ProblemCode, ProblemText>> = {
  'malformed-request': {
    meaning: 'What arrived is not an HTTP/1.1 request (RFC 9112). The connection was closed.',
    remedy:
      'Look for line ends, lengths or characters that a library of yours, or a gateway, has written wrong.',
  },
  'unreadable-body': {
    meaning:
      'The body is not well-formed in the format that its Content-Type names, or its bytes are not in the encoding they claim.',
    remedy:
      'See detail for the line and column. Send the body as its Content-Type says; XML without a DOCTYPE.',
  },
  'invalid-parameter': {
    meaning: 'A query parameter is not known, stands twice, or has a value that it cannot have.',
    remedy:
      'See detail. Take `after` from the Link of the page before, with the same filters and with limit.',
  },
  'invalid-header': {
    meaning:
      'A header field that decides something stands twice or cannot be read: Host, Authorization, If-Match or If-None-Match.',
    remedy: 'See detail. Entity tags stand in double quotes, as in the ETag that they came in.',
  },
  unauthenticated: {
    meaning: 'The request has no credentials, or they are wrong or no longer valid.',
    remedy:
      'Send Authorization with a Bearer token or with an API key (Basic). WWW-Authenticate says what is taken; get a new token when it has expired.',
  },
  'insufficient-scope': {
    meaning: 'The credentials are right, and lack the scope that this operation takes.',
    remedy: 'Ask for a token or an API key with the scope that detail names.',
  },
  'user-not-found': {
    meaning: 'No user has this id: there never was one, or it was deleted.',
    remedy: 'Check the id, or find the user by a filter of the list.',
  },
  'no-such-resource': {
    meaning: 'The path is none of those that the service has.',
    remedy:
      'Check the path against the OpenAPI document, its base path included, and without a slash at its end.',
  },
  'method-not-allowed': {
    meaning: 'The path exists and does not answer to this method.',
    remedy: 'Use one of the methods in Allow.',
  },
  'not-acceptable': {
    meaning: 'Accept names no media type that the answer could be in.',
    remedy: 'Accept application/json or application/xml.',
  },
  'request-timeout': {
    meaning: 'The request did not arrive whole within the time allowed. The connection was closed.',
    remedy: 'Send it again, on a new connection.',
  },
  'user-name-taken': {
    meaning: 'Another user has this userName. Case, width and normalisation make no difference (RFC 8265).',
    remedy:
      'Choose another one. When it was a repeated POST of your own, filter the list by userName to find the user.',
  },
  'id-taken': {
    meaning: 'Another user has the id that the POST chose.',
    remedy:
      'When the POST was a repetition of your own, the first one took effect: read the user with this id. Else choose another id.',
  },
  'precondition-failed': {
    meaning:
      'What If-Match, If-None-Match or a date asks for does not hold: for a user, it has changed; for the list, it cannot be promised that it has not. Nothing was changed.',
    remedy:
      'Read the user, make the change to what it is now, and send it with the new ETag. Create users without a precondition.',
  },
  'body-too-large': {
    meaning: 'The body has more bytes, after decoding, than any user takes.',
    remedy: 'Send one user at a time; detail names the limit.',
  },
  'unsupported-media-type': {
    meaning: 'The Content-Type is missing or none that a body may have here.',
    remedy: 'Use one of those in Accept-Post, Accept-Patch or Accept of this answer.',
  },
  'unsupported-content-coding': {
    meaning: 'The Content-Encoding is none that a body may have.',
    remedy: 'Send the body as it is, or in one of the codings in Accept-Encoding of this answer.',
  },
  'expectation-failed': {
    meaning: 'Expect asks for something other than 100-continue.',
    remedy: 'Leave the field out, or send 100-continue.',
  },
  'invalid-user': {
    meaning: 'The body was understood, and the user in it breaks rules. Nothing was changed.',
    remedy:
      'See errors: each has a pointer (RFC 6901) to the place and says what must be. Up to 20 are told at once.',
  },
  'not-implemented': {
    meaning:
      'The method is one that nothing here answers to, or Transfer-Encoding names a coding other than chunked. Nothing was done.',
    remedy: 'Use the methods that the contract names, in capitals, and compress bodies by Content-Encoding.',
  },
  'precondition-required': {
    meaning:
      'This installation refuses changes without If-Match, so that nobody overwrites what another has written.',
    remedy: 'Read the user and send its ETag in If-Match.',
  },
  'headers-too-large': {
    meaning: 'The header fields are too many, or too large together with the request line.',
    remedy:
      'Send fewer and shorter ones: detail has the limit. Cookies, which nobody needs here, are the usual cause.',
  },
  'internal-error': {
    meaning: 'Something failed that should not have. A change may have been made or not.',
    remedy: 'Read before you repeat a change. The operator finds the cause in the log, under instance.',
  },
  'damaged-user': {
    meaning:
      'What is stored of the user, or of one in the list, is not a user any more: something else than this service has written it.',
    remedy:
      'PUT a whole user in its place, or DELETE it; If-Match takes nothing but * then. The operator finds which one it is in the log, under instance.',
  },
  overloaded: {
    meaning: 'More requests are being worked on than can be done in time. Nothing was done about this one.',
    remedy: 'Send the request again after Retry-After seconds, and fewer at once.',
  },
  unavailable: {
    meaning:
      'The store or the keys that tokens are checked with are out of reach, or too busy. Nothing was changed.',
    remedy: 'Send the request again after Retry-After seconds.',
  },
  'outcome-unknown': {
    meaning:
      'The store was asked to make the change and did not answer in time. It may have been made or not.',
    remedy: 'Read before you repeat the change. A POST with an id of your choice can be repeated safely.',
  },
};
