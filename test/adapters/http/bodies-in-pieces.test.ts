import { once } from 'node:events';
import { expect } from 'chai';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { open, statuses } from '../../support/sockets.ts';

const post = (fields: string) =>
  `POST /users HTTP/1.1\r\nHost: x\r\n${fields}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

describe('A body in chunks', () => {
  let service: TestService;
  let authorization: string;
  beforeEach(async () => {
    service = await startService();
    authorization = `Authorization: Bearer ${await aToken()}\r\n`;
  });
  afterEach(() => service.close());

  const next = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const chunked = (text: string, length: number): string =>
    `${(text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []).map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;

  it('of usual sizes is taken, as long as a body may be', async () => {
    const user = (name: string) => `${' '.repeat(100_000)}{"userName":"${name}"}`;
    for (const length of [256, 1024, 16_384]) {
      const text = post(authorization) + chunked(user(`of-${length}`), length) + next;
      expect(statuses(await (await open(service.url, text)).ended), `${length}`).to.deep.equal([201, 204]);
    }
  });

  it('of a byte each is taken while it is short', async () => {
    const text = post(authorization) + chunked('{"userName":"short"}', 1) + next;
    expect(statuses(await (await open(service.url, text)).ended)).to.deep.equal([201, 204]);
  });

  it('of a byte each is refused when it is long (413), and its connection closed', async () => {
    const client = await open(service.url, post(authorization) + '1\r\n \r\n'.repeat(9000));
    expect(statuses(await client.ended)).to.deep.equal([413]);
    expect(client.received()).to.include('chunks');
  });

  it('that is refused as too large is taken to its end, for a client that looks for the answer only then', async () => {
    const client = await open(service.url, post(authorization));
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    for (let at = 0; at < 300; at += 1) if (!client.socket.write(chunk)) await once(client.socket, 'drain');
    client.socket.write(`0\r\n\r\n${next}`);
    expect(statuses(await client.ended)).to.deep.equal([413, 204]);
  });
});
