import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { discardProcesses } from '../../support/process.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { type Client, open, openMany } from '../../support/sockets.ts';
import { startWatched, type Watched } from '../../support/watched-service.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** A POST with all of its body but the last bytes. */
function makeUnfinished(token: string, body: Buffer | string, fields = ''): string {
  const sent = Buffer.from(body);
  const head = [
    'POST /users HTTP/1.1',
    'Host: here',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${sent.length + 1}`,
  ];
  return `${head.join('\r\n')}\r\n${fields}\r\n${sent.toString('latin1')}`;
}

/** So many bytes of JSON. */
const text = (bytes: number, userName = 'x'): string =>
  `{"userName":"${userName}"}${' '.repeat(bytes)}`.slice(0, bytes);

const end = (clients: readonly Client[]) => {
  for (const { socket } of clients) socket.destroy();
};

describe('Bodies that are slow to arrive', () => {
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.close();
    service = undefined;
    await discardProcesses();
  });

  const create = async (userName: string) => {
    const headers = { 'content-type': 'application/json' };
    return service?.send('/users', { method: 'POST', headers, body: JSON.stringify({ userName }) });
  };

  it('are refused, the largest first, when together they exceed the memory limit; small ones get through', async () => {
    service = await startService({ overload: { bodyBytes: MiB } });
    const token = await aToken();
    const large = await open(service.url, makeUnfinished(token, text(200 * KiB)));
    const others: Client[] = [];
    // Each is smaller than the one before, so which has to go is sure.
    for (let count = 0; count < 9; count += 1)
      others.push(await open(service.url, makeUnfinished(token, text((190 - count) * KiB))));
    const answer = await large.got(/\r\n\r\n/);
    expect(answer).to.match(/^HTTP\/1\.1 503 /);
    expect(answer).to.match(/\r\nRetry-After: \d+\r\n/i);
    expect(answer).to.include('application/problem+json').and.include('/problems/overloaded');
    expect((await create('small'))?.status).to.equal(201);
    end([large, ...others]);
  });

  it('are accepted again once earlier bodies are gone', async () => {
    service = await startService({ overload: { bodyBytes: 400 * KiB } });
    const token = await aToken();
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = await openMany(
        service.url,
        2,
        makeUnfinished(token, text(180 * KiB, `u${round}`)),
      );
      if (one === undefined || other === undefined) throw new Error('not open');
      for (const { socket } of [one, other]) socket.write(' ');
      // Each has its answer: none is refused for what those of the rounds before held.
      expect([await one.got(/\r\n\r\n/), await other.got(/\r\n\r\n/)].join())
        .to.match(/ 201 /)
        .and.match(/ 409 /);
      end([one, other]);
    }
  });

  it('count with their size after decoding', async () => {
    service = await startService({ overload: { bodyBytes: 200 * KiB } });
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const send = (bytes: number) =>
      service?.send('/users', { method: 'POST', headers, body: gzipSync(text(bytes)) });
    expect((await send(250 * KiB))?.status).to.equal(503);
    expect((await send(100 * KiB))?.status).to.equal(201);
  });

  it('count towards the limit with the memory that each chunk takes besides its bytes', async () => {
    service = await startService({ overload: { bodyBytes: 200 * KiB } });
    const head = makeUnfinished(await aToken(), '').replace(
      'Content-Length: 1',
      'Transfer-Encoding: chunked',
    );
    const client = await open(service.url, head + '1\r\n \r\n'.repeat(500));
    expect(await client.got(/\r\n\r\n/)).to.match(/^HTTP\/1\.1 503 /);
    end([client]);
  });

  /** The most memory that the process takes, in bytes, while so many clients each keep back the end of a body. */
  async function measureHeld(watched: Watched, count: number, sent: string): Promise<number> {
    const clients = await openMany(watched.process.url, count, sent);
    let most = 0;
    // The bodies are taken in, and inflated, by and by.
    for (let round = 0; round < 60; round += 1) {
      await watched.get('/users?limit=1');
      most = Math.max(most, (await watched.measure()).rss);
    }
    end(clients);
    return most;
  }

  it('in a content coding take no more memory than uncompressed ones, however large they become', async () => {
    const watched = await startWatched();
    const token = await watched.process.token();
    const coded = gzipSync(text(261_000)).subarray(0, -1);
    const asTheyAre = makeUnfinished(token, text(coded.length));
    await measureHeld(watched, 500, asTheyAre);
    const plain = await measureHeld(watched, 500, asTheyAre);
    const inflated = await measureHeld(
      watched,
      500,
      makeUnfinished(token, coded, 'Content-Encoding: gzip\r\n'),
    );
    expect((inflated - plain) / MiB).to.be.below(48);
    await watched.stop();
  });

  it('take no more memory when they arrive in many pieces', async () => {
    const watched = await startWatched();
    const token = await watched.process.token();
    const head = makeUnfinished(token, '').replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked');
    const body = [...text(40_000)];
    const inOne = `${head}${body.length.toString(16)}\r\n${body.join('')}\r\n`;
    const inMany = head + body.map((character) => `1\r\n${character}\r\n`).join('');
    await measureHeld(watched, 30, inOne);
    const plain = await measureHeld(watched, 30, inOne);
    expect(((await measureHeld(watched, 30, inMany)) - plain) / MiB).to.be.below(96);
    await watched.stop();
  });
});
