import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Messages } from '../../../src/adapters/webhooks/message.ts';
import { type Answer, Sender } from '../../../src/adapters/webhooks/sender.ts';
import { needed } from '../../outside/tools.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { until } from '../../support/deadlines.ts';
import { kinds } from '../../support/kinds.ts';
import { type Receiving, type Reply, startReceiving } from './receiving.ts';
import { aReceiver } from './some.ts';

const messages = new Messages(kinds);
const now = Date.UTC(2026, 0, 1);

describe('An attempt', () => {
  let sender: Sender;
  let receiving: Receiving | undefined;
  beforeEach(() => {
    sender = new Sender();
  });
  afterEach(async () => {
    sender.close();
    await receiving?.close();
    receiving = undefined;
  });

  const sendTo = (url: string, timeout = 60_000): Promise<Answer> => {
    const receiver = aReceiver({ url, timeout });
    return sender.send(receiver, messages.ofTest(receiver, now), now);
  };
  const send = async (reply: Reply, timeout?: number): Promise<Answer> => {
    receiving = await startReceiving(() => reply);
    return await sendTo(receiving.url, timeout);
  };

  const endless: Reply = (_, response) => {
    const timer = setInterval(() => response.write('x'.repeat(1000)), 1);
    response.writeHead(200).once('close', () => clearInterval(timer));
  };
  const half: Reply = (request, response) => {
    response.writeHead(201, { 'Content-Length': '1000' }).write('half');
    setTimeout(() => request.socket.destroy(), 5);
  };
  const early: Reply = (request) => {
    request.socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
  };
  for (const [what, reply, outcome] of [
    ['204', 204, '204'],
    ['an endless body, of which the beginning is read', endless, '200'],
    ['half a body', half, '201'],
    ['early hints', early, '204'],
    ['410', 410, '410'],
    ['a redirect to metadata, which is not followed', [302, { Location: 'http://169.254.169.254/' }], '302'],
    ['a reset', (request) => request.socket.resetAndDestroy(), 'ECONNRESET'],
    ['nothing that is HTTP', (request) => request.socket.end('SSH-2.0-hello\r\n'), 'HPE_INVALID_CONSTANT'],
  ] satisfies [string, Reply, string][])
    it(`that is answered by ${what} ends with ${outcome}`, async () => {
      expect(await send(reply)).to.include({ outcome });
      await until('the receiver has none open', () => receiving?.open.now === 0);
      expect(receiving?.arrived).to.have.lengthOf(1);
    });

  it('that is not answered ends in time', async () => {
    expect(await send(() => undefined, 100)).to.include({ outcome: 'timeout' });
  });

  it('reports how long the receiver asks to wait: seconds or a date, up to a day', async () => {
    const asked = { '120': 120_000, [new Date(now + 90_000).toUTCString()]: 90_000, '999999999': 86_400_000 };
    for (const [field, retryAfter] of Object.entries(asked)) {
      expect(await send([429, { 'Retry-After': field }])).to.deep.equal({ outcome: '429', retryAfter });
      await receiving?.close();
    }
    for (const field of ['soon', '-1', '0'])
      expect(await send([503, { 'Retry-After': field }])).to.deep.equal({
        outcome: '503',
        retryAfter: undefined,
      });
  });

  it('is made again at once when the receiver had closed the connection', async () => {
    let connections = 0;
    receiving = await startReceiving(() => (request, response) => {
      connections += 1;
      if (connections !== 2) return response.writeHead(204).end();
      return request.socket.resetAndDestroy();
    });
    const { url } = receiving;
    expect(await sendTo(url)).to.include({ outcome: '204' });
    await until('the connection is idle', () => receiving?.open.now === 0);
    expect(await sendTo(url)).to.include({ outcome: '204' });
    expect(receiving.arrived).to.have.lengthOf(3);
  });

  it('ends with the sender', async () => {
    receiving = await startReceiving(() => () => sender.close());
    expect(await sendTo(receiving.url)).to.not.include({ outcome: '204' });
    expect(receiving.arrived).to.have.lengthOf(1);
  });

  it('goes to a host name only if the rules allow its address', async () => {
    receiving = await startReceiving(() => 204);
    const { port } = new URL(receiving.url);
    expect(await sendTo(`http://localhost:${port}/`)).to.include({ outcome: '204' });
  });

  it('needs a valid certificate', async function () {
    needed(this, 'openssl');
    const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
    let requests = 0;
    const server = createServer(makeCertificate(folder, 'localhost'), (_, response) => {
      requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      expect(await sendTo(`https://127.0.0.1:${port}/`)).to.include({
        outcome: 'DEPTH_ZERO_SELF_SIGNED_CERT',
      });
      expect(requests).to.equal(0);
    } finally {
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
