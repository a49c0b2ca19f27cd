import { request } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { hostileBodies } from '../support/hostile-bodies.ts';
import { aToken, startService, type TestService } from '../support/service.ts';
import { handlesBackTo, open, openHandles, statuses } from './sockets.ts';

const MiB = 1024 * 1024;
const runs = 10_000;
/** How many are on their way at once. */
const atOnce = 20;

interface Fuzzed {
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
    fc.constantFrom('1', '0', '-1', '1001', 'true', 'a@b', 'AAAA'),
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

const fuzzed: fc.Arbitrary<Fuzzed> = fc
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

/** The status of the answer, read to its end. */
function send(url: string, authorization: string, { method, target, fields, body }: Fuzzed): Promise<number> {
  const { hostname, port, host } = new URL(url);
  const headers = [['Host', host], ['Authorization', authorization], ...fields];
  if (body.length > 0) headers.push(['Content-Length', String(body.length)]);
  const raw = headers.flat();
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path: target, headers: raw, agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
      answer.once('error', reject);
    })
      .once('error', reject)
      .end(body);
  });
}

const collected = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

describe('The service under fuzzed requests', function () {
  this.timeout(120_000);
  let service: TestService;
  let authorization: string;
  let handles: number;
  before(async () => {
    handles = openHandles();
    service = await startService();
    authorization = `Bearer ${await aToken()}`;
  });
  after(async () => {
    await service.close();
    await handlesBackTo(handles);
  });

  it(`answers ${runs} of them without a failure of its own, and has its memory back`, async () => {
    let answered = 0;
    let used = 0;
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(fuzzed, { minLength: atOnce, maxLength: atOnce }), async (requests) => {
        const got = await Promise.all(requests.map((one) => send(service.url, authorization, one)));
        for (const status of got) seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(
          Math.max(...got),
          [...new Set(service.log.splice(0))].filter((l) => /failed/.test(l)).join(),
        ).to.be.below(500);
        answered += got.length;
        if (used === 0 && answered > runs / 5) used = collected();
      }),
      { numRuns: runs / atOnce },
    );
    expect(answered).to.equal(runs);
    expect([...seen.keys()]).to.include.members([200, 204, 400, 404, 405, 406, 415, 422]);
    expect((collected() - used) / MiB, 'MiB more than after a fifth of them').to.be.below(16);
    expect((await service.send('/health/ready')).status).to.equal(204);
  });

  it('answers 2,000 times bytes that are hardly HTTP with 4xx or by hanging up', async () => {
    const start = fc.constantFrom(
      'GET /users HTTP/1.1\r\nHost: x\r\n',
      'POST /users HTTP/1.1\r\nHost: x\r\n',
      'GET ',
      '',
    );
    const bytes = fc.uint8Array({ maxLength: 60 }).map((noise) => Buffer.from(noise).toString('latin1'));
    const noise = fc.tuple(start, bytes, fc.constantFrom('\r\n\r\n', '')).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { minLength: atOnce, maxLength: atOnce }), async (texts) => {
        const got = await Promise.all(
          texts.map(async (text) => {
            const client = await open(service.url, text);
            client.socket.end();
            return client.ended;
          }),
        );
        for (const status of got.flatMap(statuses)) expect(status).to.be.within(200, 499);
      }),
      { numRuns: 100 },
    );
    expect((await service.send('/health/ready')).status).to.equal(204);
  });
});
