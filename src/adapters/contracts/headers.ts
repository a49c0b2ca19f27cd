/** OpenAPI's header objects and header parameters. */
import type { RequestHeader, ResponseHeader } from '../http/pipeline/api.ts';
import { bodyCodings } from '../http/pipeline/read-body.ts';
import type { ProblemHeader } from '../http/problems/problem-types.ts';
import type { Schema } from './names.ts';

type CommonHeader = 'Cache-Control' | 'Vary' | 'X-Content-Type-Options' | 'X-Request-Id';
export type Header = ResponseHeader | ProblemHeader | CommonHeader;

const string = (more: Schema = {}): Schema => ({ type: 'string', ...more });
const strongTag = '"[!#-~]*"';
const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const httpDate =
  '^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$';

const link = '<[^<>\\s]+>; rel="[a-z]+"';

const tag = '"PyVbq3y8nqHSLmyZVxkN3Q.json1"';
const date = 'Fri, 02 Jan 2026 03:04:06 GMT';

type HeaderEntry = readonly [description: string, schema: Schema, example?: string];

const headers: Readonly<Record<Header, HeaderEntry>> = {
  Accept: ['With a 415 to a PUT: the media types that would do.', string()],
  'Accept-Encoding': ['With a 415: the accepted content codings.', string(), 'gzip, deflate, br'],
  'Accept-Patch': ['With a 415 to a PATCH: the media types that would do (RFC 5789).', string()],
  'Accept-Post': ['With a 415 to a POST: the media types that would do.', string()],
  Allow: [
    'The methods that the path answers to.',
    string({ pattern: '^[A-Z]+(?:, [A-Z]+)*$' }),
    'GET, HEAD, OPTIONS',
  ],
  'Cache-Control': [
    'Who may store the response. Reads may be stored and must be revalidated each time; the published contracts may be stored for a while; other responses must not be stored.',
    string(),
    'private, no-cache',
  ],
  'Content-Encoding': ['The compression of the body, from those that `Accept-Encoding` allows.', string()],
  'Content-Location': ['The URL of the resource in the body.', string({ format: 'uri-reference' })],
  'Content-Security-Policy': ['The files and hosts that the page may load from.', string()],
  ETag: [
    'The strong tag of this representation. In If-Match, the tag of any representation of the version works.',
    string({ pattern: `^${strongTag}$` }),
    tag,
  ],
  'Last-Modified': ['The first whole second after the last change.', string({ pattern: httpDate }), date],
  Link: [
    'Links to other pages of the list (RFC 8288), by `rel`: `next` and `prev` if there is such a page, `first` and `last` always.',
    string({ pattern: `^${link}(?:, ${link})*$` }),
  ],
  Location: [
    'The URL of the created resource, or of the documentation.',
    string({ format: 'uri-reference' }),
  ],
  'Preference-Applied': ['The preference that was followed (RFC 7240).', string(), 'return=minimal'],
  'Retry-After': [
    'The number of seconds to wait before another attempt.',
    { type: 'integer', minimum: 1 },
    '5',
  ],
  Vary: ['The request fields that choose between representations.', string(), 'Accept, Accept-Encoding'],
  'WWW-Authenticate': ['A challenge for each accepted scheme.', string(), 'Bearer'],
  'X-Accel-Buffering': ['`no`: proxies pass each event on at once.', string({ const: 'no' })],
  'X-Content-Type-Options': ['Content-Type states the type.', string({ const: 'nosniff' })],
  'X-Request-Id': ['The id of the request, as in the log.', string({ pattern: `^${uuid}$` })],
};

const exampleOf = (schema: Schema, example: string | undefined): Schema =>
  example === undefined ? {} : { example: schema.type === 'integer' ? Number(example) : example };

const reference = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });

function headerOf(name: Header): Schema {
  const [description, schema, example] = headers[name];
  return { description, schema, ...exampleOf(schema, example) };
}

/** `components.headers`: responses that refer to a field always have it. @param used the references in the document */
export function headerComponents(used: ReadonlySet<string>): Schema {
  const names = (Object.keys(headers) as Header[]).filter((name) => used.has(`#/components/headers/${name}`));
  return Object.fromEntries(names.map((name) => [name, { ...headerOf(name), required: true }]));
}

const commonHeaders: readonly CommonHeader[] = [
  'Cache-Control',
  'Vary',
  'X-Content-Type-Options',
  'X-Request-Id',
];

/** Optional fields are written in full: generators of types treat a referenced field as required. */
const fieldsOf = (required: readonly Header[], optional: readonly Header[]): Schema =>
  Object.fromEntries([
    ...required.map((name) => [name, reference(name)]),
    ...optional.map((name) => [name, headerOf(name)]),
  ]);

/** The fields of a response, with those of every response. */
export const answerHeaders = (required: readonly Header[], optional: readonly Header[]): Schema =>
  fieldsOf([...commonHeaders, ...required], optional);

/** @param unnegotiated some of these responses come before a request was read: nothing is negotiated, so they have no Vary */
export const problemHeaders = (
  required: readonly Header[],
  optional: readonly Header[],
  unnegotiated: boolean,
): Schema =>
  unnegotiated
    ? fieldsOf([...commonHeaders.filter((name) => name !== 'Vary'), ...required], [...optional, 'Vary'])
    : answerHeaders(required, optional);

const tags = `^(?:\\*|(?:W/)?${strongTag}(?:, (?:W/)?${strongTag})*)$`;

/** Without examples: the page for trying requests would send them. */
const requestHeaders: Readonly<Record<RequestHeader | 'X-Request-Id', readonly [string, Schema]>> = {
  'If-Match': [
    '412 unless one of these tags names the current version of the resource; `*` requires that the resource exists. Of a list, one of the tags must be that of the list as a whole.',
    string({ pattern: tags }),
  ],
  'If-None-Match': [
    'If one of these tags is current, a read gets 304 and a change 412.',
    string({ pattern: tags }),
  ],
  'If-Modified-Since': ['304 if nothing changed since then. Anything but an HTTP date is ignored.', string()],
  'If-Unmodified-Since': [
    '412 if something changed since then. Anything but an HTTP date is ignored.',
    string(),
  ],
  'Content-Encoding': ['The compression of the body, if any.', string({ enum: bodyCodings })],
  'Last-Event-ID': ['The id of the last event that the client received.', string()],
  Prefer: ['`return=minimal`: no body in the answer (RFC 7240). Other preferences are ignored.', string()],
  'X-Request-Id': [
    'A UUID of your choice that identifies the request in answers and logs; anything else is ignored.',
    string(),
  ],
};

/** For `components.parameters`. */
export const headerParameters = (used: ReadonlySet<string>): Schema =>
  Object.fromEntries(
    Object.entries(requestHeaders)
      .filter(([name]) => used.has(`#/components/parameters/${name}`))
      .map(([name, [description, schema]]) => [name, { name, in: 'header', description, schema }]),
  );

export const headerParameter = (name: RequestHeader | 'X-Request-Id'): Schema => ({
  $ref: `#/components/parameters/${name}`,
});
