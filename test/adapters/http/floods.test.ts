import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { startService, type TestService } from '../../support/service.ts';
import { open, openMany, statuses } from '../../support/sockets.ts';

/** As many bytes as Node reads from a connection at a time. */
const oneRead = 65_536;
const channel = 'http.server.request.start';
const ping = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const pings = ping.repeat(Math.floor(oneRead / ping.length));
const chunks = '1\r\n \r\n'.repeat(9000);
const post = 'POST /users HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('A flood without credentials', () => {
  let service: TestService;
  /** What Node has made of the bytes: requests, and pieces of their bodies. */
  let made: { requests: number; pieces: number };
  const count = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    made.requests += 1;
    const push = request.push.bind(request);
    request.push = (piece, encoding) => {
      made.pieces += piece === null ? 0 : 1;
      return push(piece, encoding);
    };
  };
  beforeEach(async () => {
    made = { requests: 0, pieces: 0 };
    service = await startService();
    subscribe(channel, count);
  });
  afterEach(async () => {
    unsubscribe(channel, count);
    await service.close();
  });

  it('of requests on one connection closes it before most of them are parsed', async () => {
    await (await open(service.url, pings)).ended;
    expect(made.requests).to.be.within(20, 50);
    await service.logged('too many requests waited');
    expect((await service.send('/users')).status).to.equal(200);
  });

  it('of requests with bodies, answered as they arrive, gains no advantage', async () => {
    const text = 'POST /users HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx';
    await (await open(service.url, text.repeat(Math.floor(oneRead / text.length)))).ended;
    expect(made.requests).to.be.within(20, 50);
    await service.logged('too many requests waited');
  });

  it('of chunks of one byte is refused for its head, before most of the chunks are parsed', async () => {
    const client = await open(service.url, post + chunks);
    expect(statuses(await client.ended)).to.deep.equal([401]);
    expect(made.pieces).to.be.below(50);
  });

  it('on hundreds of connections at once leaves turns to other clients’ requests', async () => {
    const floods = await openMany(service.url, 300, post + chunks);
    const other = await open(service.url, `${ping}`);
    expect(statuses(await other.got(/ 204 /))).to.deep.equal([204]);
    other.socket.destroy();
    for (const { ended } of floods) expect(statuses(await ended)).to.deep.equal([401]);
    expect(made.pieces).to.be.below(300 * 50);
  });
});
