import { once } from 'node:events';
import { expect } from 'chai';
import { answersTo } from '../../support/raw-answers.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { open, statuses } from '../../support/sockets.ts';

const chunks = '10\r\n{"userName":"a"}\r\n0\r\n\r\n';

let service: TestService;
let authorization: string;
beforeEach(async () => {
  service = await startService();
  authorization = `Authorization: Bearer ${await aToken()}\r\n`;
});
afterEach(() => service.close());

describe('Transfer codings', () => {
  async function answersFor(fields: string, version = '1.1', body = chunks, next = 'GET /users') {
    const head = `POST /users HTTP/${version}\r\nHost: here\r\n${authorization}Content-Type: application/json\r\n`;
    const follower = `${next} HTTP/1.1\r\nHost: here\r\n${authorization}Connection: close\r\n\r\n`;
    const answers = await answersTo(service.url, `${head}${fields}\r\n${body}`, follower);
    return answers.map(({ status, body: text }) => {
      const problem = /problems\/([\w-]+)/.exec(text.toString())?.[1];
      return problem === undefined ? status : `${status} ${problem}`;
    });
  }

  it('may be chunked, in upper or lower case', async () => {
    for (const [name, status] of [
      ['chunked', 201],
      ['Chunked', '409 user-name-taken'],
    ] as const)
      expect(await answersFor(`Transfer-Encoding: ${name}\r\n`), name).to.deep.equal([status, 200]);
  });

  const refused: Readonly<Record<string, readonly [fields: string, answer: string, version?: string]>> = {
    'that the service does not support': ['Transfer-Encoding: gzip, chunked\r\n', '501 not-implemented'],
    'in two fields, of which one is unknown': [
      'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n',
      '501 not-implemented',
    ],
    'that are no coding any more': ['Transfer-Encoding: identity, chunked\r\n', '501 not-implemented'],
    'with parameters': ['Transfer-Encoding: deflate;q=1, chunked\r\n', '501 not-implemented'],
    'of which chunked is not the last': ['Transfer-Encoding: chunked, gzip\r\n', '400 malformed-request'],
    'that are chunked twice': ['Transfer-Encoding: chunked, chunked\r\n', '400 malformed-request'],
    'of a request in HTTP/1.0': [
      'Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n',
      '400 malformed-request',
      '1.0',
    ],
    'that are none': ['Transfer-Encoding:\r\n', '400 malformed-request'],
  };
  for (const [what, [fields, answer, version]] of Object.entries(refused)) {
    it(`${what} are refused (${answer}), nothing is created, and nothing more is read of the connection`, async () => {
      expect(
        await answersFor(fields, version, answer.startsWith('501') || version !== undefined ? chunks : ''),
      ).to.deep.equal([answer]);
      expect((await service.send('/users')).json().users).to.deep.equal([]);
      expect(service.log.filter((line) => line.includes('"level":50'))).to.deep.equal([]);
    });

    it(`${what}: the request behind them on the connection is not handled, either`, async () => {
      const made = await service.send('/users', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"userName":"kept"}',
      });
      const user = made.headers.get('location') ?? '';
      for (const body of [chunks, '0\r\n\r\n', ''])
        expect(await answersFor(fields, version, body, `DELETE ${user}`)).to.have.length(1);
      expect((await service.send(user)).status).to.equal(200);
    });
  }
});

const post = (fields: string) =>
  `POST /users HTTP/1.1\r\nHost: x\r\n${fields}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

describe('A body in chunks', () => {
  const next = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const chunked = (text: string, length: number): string =>
    `${(text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []).map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`).join('')}0\r\n\r\n`;

  it('of usual sizes is accepted up to the body limit', async () => {
    const user = (name: string) => `${' '.repeat(100_000)}{"userName":"${name}"}`;
    for (const length of [256, 1024, 16_384]) {
      const text = post(authorization) + chunked(user(`of-${length}`), length) + next;
      expect(statuses(await (await open(service.url, text)).ended), `${length}`).to.deep.equal([201, 204]);
    }
  });

  it('of one byte each is accepted while it is short', async () => {
    const text = post(authorization) + chunked('{"userName":"short"}', 1) + next;
    expect(statuses(await (await open(service.url, text)).ended)).to.deep.equal([201, 204]);
  });

  it('of one byte each is refused when it is long (413), and its connection is closed', async () => {
    const client = await open(service.url, post(authorization) + '1\r\n \r\n'.repeat(9000));
    expect(statuses(await client.ended)).to.deep.equal([413]);
    expect(client.received()).to.include('chunks');
  });

  it('that is too large is read to its end, for a client that reads the answer only then', async () => {
    const client = await open(service.url, post(authorization));
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    for (let at = 0; at < 300; at += 1) if (!client.socket.write(chunk)) await once(client.socket, 'drain');
    client.socket.write(`0\r\n\r\n${next}`);
    expect(statuses(await client.ended)).to.deep.equal([413, 204]);
  });
});
