/** Requests by chance, of the kinds that find gaps: right in most of their parts, odd in one or another. */
import fc from 'fast-check';
import { hostileBodies } from '../support/hostile-bodies.ts';

/** A request to send; its Authorization is added to these fields unless they have one. */
export interface Fuzzed {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

const id = fc.uuid();
const percent = fc
  .uint8Array({ maxLength: 6 })
  .map((bytes) => [...bytes].map((b) => `%${b.toString(16)}`).join(''));
const segment = fc.oneof(
  id,
  percent,
  fc.constantFrom('..', '.', '', '%2e%2e', '%00', '%', '%zz', '@', 'x|y'),
);
const path = fc.oneof(
  { weight: 4, arbitrary: fc.constant('/users') },
  { weight: 4, arbitrary: id.map((at) => `/users/${at}`) },
  { weight: 2, arbitrary: segment.map((at) => `/users/${at}`) },
  fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
  fc.constantFrom(
    '/health/live',
    '/health/ready',
    '/users/',
    '//users',
    '/USERS',
    '/problems/x',
    '*',
    'http://x/users',
  ),
);
const parameter = fc.tuple(
  fc.constantFrom(
    'limit',
    'after',
    'before',
    'search',
    'sort',
    'total',
    'userName',
    'externalId',
    'email',
    'active',
    'role',
    'x',
    '__proto__',
    '',
  ),
  fc.oneof(
    fc.constantFrom('1', '0', '-1', '1001', 'true', 'a@b', 'AAAA', '-created', 'ad', 'a%20b'),
    percent,
    fc.string().map(encodeURIComponent),
  ),
);
const query = fc
  .array(parameter, { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`));

/** What a field may hold: Latin-1 without controls (RFC 9110 §5.5). */
const fieldText = fc
  .string({
    maxLength: 40,
    unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  })
  .map((text) => text.replace(/\x7f/g, ''));
const types = [
  'application/json',
  'application/xml',
  'text/xml',
  'application/merge-patch+json',
  'text/plain',
];
const range = fc.tuple(
  fc.constantFrom('*/*', 'application/*', '*', ...types),
  fc.constantFrom('', ';q=0', ';q=.2', ';q=1.0', ';q=2', ';charset="\\"', '; q=0.5;x'),
);
const tags = fc.constantFrom('*', '"x"', 'W/"x"', '"a", "b"', '"', '', 'W/', `"${'a'.repeat(3000)}"`);
const dates = fc.constantFrom('Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'x', '0');
const field = (name: string, value: fc.Arbitrary<string>) => fc.tuple(fc.constant(name), value);
const odd = fc.oneof(
  field(
    'Accept',
    fc.array(range, { maxLength: 5 }).map((ranges) => ranges.map((r) => r.join('')).join(',')),
  ),
  field('Content-Encoding', fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'x', 'gzip, gzip')),
  ...['If-Match', 'If-None-Match'].map((name) => field(name, tags)),
  ...['If-Modified-Since', 'If-Unmodified-Since'].map((name) => field(name, dates)),
  ...['Accept', 'Accept-Encoding', 'Authorization', 'Content-Type', 'If-Match', 'Prefer', 'Origin'].map(
    (name) => field(name, fieldText),
  ),
  ...['Cookie', 'SOAPAction', 'X-Request-Id', 'X-HTTP-Method-Override', 'Forwarded', 'Range'].map((name) =>
    field(name, fieldText),
  ),
);

const wellMeant = fc
  .record(
    { userName: fc.string({ minLength: 1 }), title: fc.string(), active: fc.boolean() },
    { requiredKeys: [] },
  )
  .map((user) => ({ type: 'application/json', body: Buffer.from(JSON.stringify(user)) }));
const body = fc.oneof(
  wellMeant,
  ...Object.values(hostileBodies),
  fc
    .tuple(fc.constantFrom(...types), fc.uint8Array({ maxLength: 200 }))
    .map(([type, bytes]) => ({ type, body: bytes })),
);

/** Requests that are now and then right and mostly odd, in method, target, fields and body. */
export const fuzzed: fc.Arbitrary<Fuzzed> = fc
  .tuple(
    fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY'),
    fc.tuple(path, query).map((parts) => parts.join('')),
    fc.array(odd, { maxLength: 4 }),
    fc.option(body, { nil: undefined }),
  )
  .map(([method, target, fields, sent]) => ({
    ...{ method, target },
    fields: sent === undefined ? fields : [['Content-Type', sent.type] as const, ...fields],
    body: sent?.body ?? new Uint8Array(),
  }));
