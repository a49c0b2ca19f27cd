import { request } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { aToken, startService, type TestService } from '../support/service.ts';
import { handlesBackTo, open, openHandles, statuses } from '../support/sockets.ts';
import { type Fuzzed, fuzzed } from './fuzzed-requests.ts';

const MiB = 1024 * 1024;
const runs = 10_000;
/** How many are on their way at once. */
const atOnce = 20;

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

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** Memory in use after a complete garbage collection, in bytes. */
const collected = (): number => {
  collect();
  return process.memoryUsage().heapUsed;
};

describe('The service under fuzzed requests', () => {
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

  it(`answers ${runs} requests without a 500, and frees its memory`, async () => {
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

  it('answers 2,000 sequences of bytes that are not HTTP with 4xx or by closing the connection', async () => {
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
