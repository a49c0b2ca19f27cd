import { once } from 'node:events';
import { expect } from 'chai';
import { aToken, startService } from '../../support/service.ts';
import { open, openMany, statuses } from '../../support/sockets.ts';

const head = (more = '') =>
  `POST /users HTTP/1.1\r\nHost: here\r\n${more}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

describe('A body in chunks', () => {
  it('of a byte each is read in a turn of the event loop of its own, wanted or not', async function () {
    // Some seconds on an idle core, and several times as many beside the rest of the suite.
    this.timeout(60_000);
    const service = await startService();
    // 600 KB, or ten of what Node reads at once; it would do so up to 32 times before others have their turn.
    const body = `${'1\r\n \r\n'.repeat(100_000)}0\r\n\r\n`;
    const next = 'GET /health/live HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n';
    for (const [more, status] of [
      ['', 401],
      [`Authorization: Bearer ${await aToken()}\r\n`, 400],
    ] as const) {
      const clients = await openMany(service.url, 10);
      let turns = 0;
      const count = () => {
        turns += 1;
        if (clients.some(({ socket }) => !socket.closed)) setImmediate(count);
      };
      count();
      for (const { socket } of clients) socket.write(head(more) + body + next);
      for (const { ended } of clients) expect(statuses(await ended)).to.deep.equal([status, 204]);
      expect(turns, String(status)).to.be.above(75);
    }
    await service.close();
  });

  it('that is refused as too large is taken to its end, for a client that looks for the answer only then', async () => {
    const service = await startService();
    const client = await open(service.url, head(`Authorization: Bearer ${await aToken()}\r\n`));
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    for (let at = 0; at < 300; at += 1) if (!client.socket.write(chunk)) await once(client.socket, 'drain');
    client.socket.write('0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    expect(statuses(await client.ended)).to.deep.equal([413, 204]);
    await service.close();
  });
});
