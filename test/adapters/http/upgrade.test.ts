import { expect } from 'chai';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { aUser } from '../../support/a-user.ts';
import type { Exchange } from '../../support/exchanges.ts';
import { answersIn, answersTo } from '../../support/raw-answers.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { open } from '../../support/sockets.ts';
import { memoryStore } from '../../support/stores.ts';

const closes = ({ headers }: Exchange): boolean =>
  headers.some(([name, value]) => name.toLowerCase() === 'connection' && value === 'close');

describe('A request to switch protocols', () => {
  let service: TestService;
  let head: string;
  before(async () => {
    const store = memoryStore();
    for (let at = 0; at < 6000; at += 1) await store.insert(Stored.of(aUser({ title: 'x'.repeat(256) })));
    service = await startService({}, store);
    head = `HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${await aToken()}\r\n`;
  });
  after(() => service.close());

  const json = 'Content-Type: application/json\r\n';
  const upgrade = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  /** Each asks for another protocol, and is answered in this one. */
  const asking: Readonly<Record<string, readonly [status: number, request: () => string]>> = {
    'without a body': [200, () => `GET /users?limit=1 ${head}${upgrade}\r\n`],
    'by WebSocket': [
      404,
      () => `GET /ws ${head}Upgrade: websocket\r\nConnection: keep-alive, upgrade\r\n\r\n`,
    ],
    'with a body': [
      201,
      () => `POST /users ${head}${upgrade}${json}Content-Length: 16\r\n\r\n{"userName":"a"}`,
    ],
    'with a body in chunks': [
      201,
      () =>
        `POST /users ${head}${upgrade}${json}Transfer-Encoding: chunked\r\n\r\n10\r\n{"userName":"b"}\r\n0\r\n\r\n`,
    ],
    'without credentials': [401, () => `GET /users HTTP/1.1\r\nHost: here\r\n${upgrade}\r\n`],
    'at a probe': [204, () => `GET /health/live HTTP/1.1\r\nHost: here\r\n${upgrade}\r\n`],
  };
  for (const [how, [status, request]] of Object.entries(asking)) {
    it(`(${how}) is answered and its connection closed, so that no client receives the response to another`, async () => {
      const follower = `GET /health/ready ${head}\r\n`;
      const before = `GET /nowhere ${head}\r\n`;
      const answers = await answersTo(service.url, before, request(), follower, follower);
      expect(answers.map((answer) => [answer.status, closes(answer)])).to.deep.equal([
        [404, false],
        [status, true],
      ]);
    });
  }

  it('is ignored when Connection does not name Upgrade', async () => {
    const lone = `GET /nowhere ${head}Upgrade: h2c\r\n\r\n`;
    const other = `GET /nowhere ${head}Connection: upgrade\r\n\r\n`;
    const last = `GET /health/live ${head}Connection: close\r\n\r\n`;
    const answers = await answersTo(service.url, lone, other, last);
    expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 204]);
  });

  it('by CONNECT is answered after the complete answers to earlier requests', async () => {
    const requests = [
      `GET /users ${head}\r\n`,
      `GET /users?limit=2 ${head}\r\n`,
      'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n',
    ];
    const client = await open(service.url, requests.join(''));
    const answers = answersIn(await client.ended, requests);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 405]);
    expect(answers[0]?.body.toString().endsWith(']}')).to.equal(true);
  });
});
