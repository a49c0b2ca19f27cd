/** The header fields of requests and answers, as OpenAPI has them. */
import { bodyCodings } from '../http/body.ts';
import type { AnswerHeader, RequestHeader } from '../http/route.ts';
import type { Schema } from './names.ts';

/** Those that go with the problems of some types, and with what tells of methods. */
type OtherHeader =
  | 'Accept'
  | 'Accept-Encoding'
  | 'Accept-Patch'
  | 'Accept-Post'
  | 'Allow'
  | 'Content-Security-Policy'
  | 'Retry-After'
  | 'WWW-Authenticate';
type CommonHeader = 'Cache-Control' | 'Vary' | 'X-Content-Type-Options' | 'X-Request-Id';
export type Header = AnswerHeader | OtherHeader | CommonHeader;

const string = (more: Schema = {}): Schema => ({ type: 'string', ...more });
const strongTag = '"[!#-~]*"';
const uuid = '[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}';
const httpDate =
  '^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$';

const tag = '"PyVbq3y8nqHSLmyZVxkN3Q.json1"';
const date = 'Fri, 02 Jan 2026 03:04:06 GMT';

type Described = readonly [description: string, schema: Schema, example?: string];

const headers: Readonly<Record<Header, Described>> = {
  Accept: [
    'With a 415 to a PUT: the media types that would do.',
    string(),
    'application/json, application/xml, text/xml',
  ],
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
  'Content-Location': ['The URL of the user that the body shows.', string({ format: 'uri-reference' })],
  'Content-Security-Policy': ['What the page may load.', string()],
  ETag: [
    'The strong tag of this representation. As a lock, in If-Match, that of any representation of the version serves.',
    string({ pattern: `^${strongTag}$` }),
    tag,
  ],
  'Last-Modified': ['The first whole second after the last change.', string({ pattern: httpDate }), date],
  Link: [
    'Leads to the next page (`rel="next"`); not there on the last one.',
    string({ pattern: '^<[^<>\\s]+>; rel="next"$' }),
    '</users?limit=100&after=AZu3ZvVgcACAAAAAAAAAAVuHNQxPpWjv>; rel="next"',
  ],
  Location: [
    'Where to go on: the URL of the new user, or of the documentation.',
    string({ format: 'uri-reference' }),
  ],
  'Preference-Applied': ['Which preference was followed (RFC 7240).', string(), 'return=minimal'],
  'Retry-After': ['After how many seconds to try again.', { type: 'integer', minimum: 1 }, '5'],
  Vary: ['The request fields that choose between representations.', string(), 'Accept, Accept-Encoding'],
  'WWW-Authenticate': ['A challenge for each scheme that would do.', string(), 'Bearer realm="users"'],
  'X-Content-Type-Options': ['The type is what Content-Type says.', { const: 'nosniff' }],
  'X-Request-Id': ['Names the request, as the log does.', string({ pattern: `^${uuid}$` })],
};

const exampleOf = (schema: Schema, example: string | undefined): Schema =>
  example === undefined ? {} : { example: schema.type === 'integer' ? Number(example) : example };

const reference = (name: string): Schema => ({ $ref: `#/components/headers/${name}` });

function headerOf(name: Header): Schema {
  const [description, schema, example] = headers[name];
  return { description, schema, ...exampleOf(schema, example) };
}

/** `components.headers`: those that are always there where they are referred to. */
export function headerComponents(used: ReadonlySet<string>): Schema {
  const names = (Object.keys(headers) as Header[]).filter((name) => used.has(`#/components/headers/${name}`));
  return Object.fromEntries(names.map((name) => [name, { ...headerOf(name), required: true }]));
}

const everywhere: readonly CommonHeader[] = [
  'Cache-Control',
  'Vary',
  'X-Content-Type-Options',
  'X-Request-Id',
];

/** Optional ones stand in full: generators of types take what is referred to for something that is always there. */
const fieldsOf = (required: readonly Header[], optional: readonly Header[]): Schema =>
  Object.fromEntries([
    ...required.map((name) => [name, reference(name)]),
    ...optional.map((name) => [name, headerOf(name)]),
  ]);

/** The fields of one answer, those of every answer among them. */
export const answerHeaders = (required: readonly Header[], optional: readonly Header[] = []): Schema =>
  fieldsOf([...everywhere, ...required], optional);

/** @param unnegotiated whether some of these answers come before there is a request whose fields could choose */
export const problemHeaders = (
  required: readonly Header[],
  optional: readonly Header[],
  unnegotiated: boolean,
): Schema =>
  unnegotiated
    ? fieldsOf([...everywhere.filter((name) => name !== 'Vary'), ...required], [...optional, 'Vary'])
    : answerHeaders(required, optional);

/** No cache keeps an answer to OPTIONS (RFC 9110 §9.3.7), so that it need not speak of that. */
export const optionsHeaders = (): Schema =>
  fieldsOf(['Allow', 'Vary', 'X-Content-Type-Options', 'X-Request-Id'], ['Cache-Control']);

const tags = `^(?:\\*|(?:W/)?${strongTag}(?:, (?:W/)?${strongTag})*)$`;

/** Without examples: a page that lets one try requests would send them. */
const requestHeaders: Readonly<Record<RequestHeader | 'X-Request-Id', readonly [string, Schema]>> = {
  'If-Match': [
    'Only if the user still has the version that one of these tags names, or with `*` if it is there; else 412. Of what is no user: only if it has one of these tags.',
    string({ pattern: tags }),
  ],
  'If-None-Match': [
    'A read is answered with 304 when one of these tags still holds; a change with 412.',
    string({ pattern: tags }),
  ],
  'If-Modified-Since': ['304 when nothing changed since. What is no HTTP date is ignored.', string()],
  'If-Unmodified-Since': ['412 when something changed since. What is no HTTP date is ignored.', string()],
  'Content-Encoding': ['How the body is compressed, if it is.', { enum: bodyCodings }],
  Prefer: ['`return=minimal`: no body in the answer (RFC 7240). Other preferences are ignored.', string()],
  'X-Request-Id': ['A UUID to call the request by; anything else is ignored.', string()],
};

/** `components.parameters` of the request fields. */
export const headerParameters = (): Schema =>
  Object.fromEntries(
    Object.entries(requestHeaders).map(([name, [description, schema]]) => [
      name,
      { name, in: 'header', description, schema },
    ]),
  );

export const headerParameter = (name: RequestHeader | 'X-Request-Id'): Schema => ({
  $ref: `#/components/parameters/${name}`,
});
