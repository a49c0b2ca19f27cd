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
  'Accept-Encoding': ['With a 415: the content codings that would do.', string(), 'gzip, deflate, br'],
  'Accept-Patch': ['With a 415 to a PATCH: the media types that would do (RFC 5789).', string()],
  'Accept-Post': ['With a 415 to a POST: the media types that would do.', string()],
  Allow: [
    'The methods that the path answers to.',
    string({ pattern: '^[A-Z]+(?:, [A-Z]+)*$' }),
    'GET, HEAD, OPTIONS',
  ],
  'Cache-Control': [
    'Who may keep the answer. What was read may be kept and is asked about each time; the published contracts may be kept for a while; the rest may not be kept.',
    string(),
    'private, no-cache',
  ],
  'Content-Encoding': ['How the body is compressed, if it is: as `Accept-Encoding` allows.', string()],
  'Content-Location': ['The URL of what the body shows.', string({ format: 'uri-reference' })],
  'Content-Security-Policy': ['What the page may load.', string()],
  ETag: [
    'The strong tag of this representation. As a lock, in If-Match, that of any representation of the version serves.',
    string({ pattern: `^${strongTag}$` }),
    tag,
  ],
  'Last-Modified': ['The first whole second after the last change.', string({ pattern: httpDate }), date],
  Link: [
    'Leads to other pages of the list (RFC 8288), by their `rel`: `next` and `prev` where there is such a page, `first` and `last` from each.',
    string({ pattern: `^${link}(?:, ${link})*$` }),
  ],
  Location: [
    'Where to go on: the URL of what was created, or of the documentation.',
    string({ format: 'uri-reference' }),
  ],
  'Preference-Applied': ['Which preference was followed (RFC 7240).', string(), 'return=minimal'],
  'Retry-After': ['After how many seconds to try again.', { type: 'integer', minimum: 1 }, '5'],
  Vary: ['The request fields that choose between representations.', string(), 'Accept, Accept-Encoding'],
  'WWW-Authenticate': ['A challenge for each scheme that would do.', string(), 'Bearer'],
  'X-Accel-Buffering': ['`no`: proxies are to pass each event on at once.', string({ const: 'no' })],
  'X-Content-Type-Options': ['The type is what Content-Type says.', string({ const: 'nosniff' })],
  'X-Request-Id': ['Names the request, as the log does.', string({ pattern: `^${uuid}$` })],
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
export const answerHeaders = (required: readonly Header[], optional: readonly Header[] = []): Schema =>
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
    'Only if the resource still has the version that one of these tags names, or with `*` if it exists; else 412. The list as a whole must have one of these tags.',
    string({ pattern: tags }),
  ],
  'If-None-Match': [
    'A read is answered with 304 when one of these tags still holds; a change with 412.',
    string({ pattern: tags }),
  ],
  'If-Modified-Since': ['304 when nothing changed since. What is no HTTP date is ignored.', string()],
  'If-Unmodified-Since': ['412 when something changed since. What is no HTTP date is ignored.', string()],
  'Content-Encoding': ['How the body is compressed, if it is.', string({ enum: bodyCodings })],
  'Last-Event-ID': ['The id of the last event that the client has met.', string()],
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
