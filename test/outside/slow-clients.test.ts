import { once } from 'node:events';
import { expect } from 'chai';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser } from '../support/a-user.ts';
import { aToken, startService, type TestService } from '../support/service.ts';
import {
  type Client,
  converse,
  handlesBackTo,
  open,
  openHandles,
  openMany,
  statuses,
} from '../support/sockets.ts';
import { memoryStore } from '../support/stores.ts';

const many = 200;
const json = { 'content-type': 'application/json' };
/** In ms: how long the service waits for a request where a test waits for that to be over. */
const timeouts = { headers: 5000, request: 10_000, keepAlive: 1000 };

describe('While some clients misbehave,', () => {
  let service: TestService;
  let authorization: string;
  let before: number;
  let clients: Client[];
  beforeEach(async () => {
    before = openHandles();
    clients = [];
    service = await startService();
    authorization = `Authorization: Bearer ${await aToken()}\r\n`;
  });
  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    await Promise.all(clients.map(({ ended }) => ended));
    await service.close();
    await handlesBackTo(before);
  });

  const slow = async (text: string, count = many) => {
    clients.push(...(await openMany(service.url, count, text)));
    return clients;
  };

  /** Another client goes through the life of a user, `rounds` times. */
  async function othersAreAnswered(rounds = 20): Promise<void> {
    for (let round = 0; round < rounds; round += 1) {
      const body = JSON.stringify({ userName: 'honest' });
      const made = await service.send('/users', { method: 'POST', headers: json, body });
      expect(made.status, made.text).to.equal(201);
      const path = made.headers.get('location') ?? '';
      expect((await service.send(path)).text).to.equal(made.text);
      expect((await service.send(path, { method: 'DELETE' })).status).to.equal(204);
    }
    expect((await service.send('/health/ready')).status).to.equal(204);
  }

  const allEnded = () => Promise.all(clients.map(({ ended }) => ended));
  const startImpatient = async () => {
    await service.close();
    service = await startService({ timeouts });
  };

  it(`${many} that never finish their headers get 408 or are cut off, and others are served`, async () => {
    await startImpatient();
    await slow('GET /users HTTP/1.1\r\nHost: here\r\nX-Slow: ');
    for (const { socket } of clients) socket.write('a');
    await othersAreAnswered();
    for (const received of await allEnded()) expect(statuses(received)).to.deep.equal([408]);
  });

  it(`${many} that never finish their bodies get 408 or are cut off, and others are served`, async () => {
    await startImpatient();
    await slow(
      `POST /users HTTP/1.1\r\nHost: here\r\n${authorization}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    );
    for (const { socket } of clients) socket.write('"');
    await othersAreAnswered();
    for (const received of await allEnded()) expect(statuses(received)).to.deep.equal([408]);
    expect((await service.send('/users')).text).to.equal('{"users":[]}');
  });

  it(`${many} that disconnect in the middle of a body create no user, and others are served`, async () => {
    await slow(
      `POST /users HTTP/1.1\r\nHost: here\r\n${authorization}Content-Type: application/json\r\nContent-Length: 24\r\n\r\n{"userName":"half-a-us`,
    );
    for (const [index, { socket }] of clients.entries())
      index % 2 ? socket.destroy() : socket.resetAndDestroy();
    await othersAreAnswered();
    await allEnded();
    expect((await service.send('/users')).text).to.equal('{"users":[]}');
  });

  it('a client that stops reading a long list delays no other client, and its list never ends as if complete', async () => {
    const store = memoryStore();
    const filler = { filler: 'x'.repeat(1000) };
    for (let at = 0; at < 20_000; at += 1) await store.insert(Stored.of(aUser({ attributes: filler })));
    await service.close();
    service = await startService({}, store);
    const client = await open(service.url, `GET /users HTTP/1.1\r\nHost: here\r\n${authorization}\r\n`);
    clients.push(client);
    await client.got(/"users":\[/);
    client.socket.pause();
    await othersAreAnswered();
    expect(client.received().length).to.be.below(20_000_000);
    expect(client.received()).not.to.match(/\]\}\r\n0\r\n\r\n$/);
  });

  it('1,000 that only connect stay connected, and others are served', async () => {
    await slow('', 1000);
    await othersAreAnswered();
    const last = clients.at(-1);
    last?.socket.write(`GET /users HTTP/1.1\r\nHost: here\r\nConnection: close\r\n${authorization}\r\n`);
    expect(statuses((await last?.ended) ?? '')).to.deep.equal([200]);
  });

  it('requests sent at once on one connection are all answered, in order', async () => {
    const requests = [200, 404, 200, 405, 404].map((status) => {
      const path = status === 404 ? '/nowhere' : '/users';
      const method = status === 405 ? 'TRACE' : 'GET';
      return `${method} ${path} HTTP/1.1\r\nHost: here\r\n${authorization}`;
    });
    const received = await converse(service.url, `${requests.join('\r\n')}Connection: close\r\n\r\n`);
    expect(statuses(received)).to.deep.equal([200, 404, 200, 405, 404]);
    await othersAreAnswered(1);
  });

  it('a refused body does not become the next request on the connection', async () => {
    const smuggled = 'DELETE /users/x HTTP/1.1\r\nHost: here\r\n\r\n';
    const first = `POST /nowhere HTTP/1.1\r\nHost: here\r\n${authorization}Content-Type: text/plain\r\nContent-Length: ${smuggled.length}\r\n\r\n`;
    const second = `GET /users HTTP/1.1\r\nHost: here\r\nConnection: close\r\n${authorization}\r\n`;
    expect(statuses(await converse(service.url, first + smuggled + second))).to.deep.equal([404, 200]);
  });

  it('headers of more than 16 KiB get 431', async () => {
    for (const lines of [`X-Big: ${'a'.repeat(17_000)}\r\n`, 'X-Many: aaaaaaaa\r\n'.repeat(2000)]) {
      const received = await converse(service.url, `GET /users HTTP/1.1\r\nHost: here\r\n${lines}\r\n`);
      expect(statuses(received)).to.deep.equal([431]);
    }
    await othersAreAnswered(1);
  });

  const odd: [what: string, line: string, field: string, allowed: number[]][] = [
    ['NUL in the path', 'GET /users/\0 HTTP/1.1', '', [400]],
    ['NUL, percent-encoded, in the path', 'GET /users/%00 HTTP/1.1', '', [404]],
    ['NUL, percent-encoded, in the query', 'GET /users?userName=%00 HTTP/1.1', '', [200, 400]],
    ['NUL in a header', 'GET /users HTTP/1.1', 'X-Odd: a\0b', [400]],
    ['bytes that are not UTF-8 in the path', 'GET /users/\xff\xc3\x28 HTTP/1.1', '', [400, 404]],
    [
      'bytes that are not UTF-8, percent-encoded, in the path',
      'GET /users/%ff%c3%28 HTTP/1.1',
      '',
      [400, 404],
    ],
    ['bytes that are not UTF-8 in the query', 'GET /users?userName=\xff HTTP/1.1', '', [200, 400]],
    [
      'bytes that are not UTF-8, percent-encoded, in the query',
      'GET /users?userName=%ff HTTP/1.1',
      '',
      [400],
    ],
    ['bytes that are not UTF-8 in Accept', 'GET /users HTTP/1.1', 'Accept: \xff/\xc3\x28', [200]],
    ['bytes that are not UTF-8 in If-None-Match', 'GET /users HTTP/1.1', 'If-None-Match: "\xff\xc3"', [200]],
    ['bytes that are not UTF-8 in X-Request-Id', 'GET /users HTTP/1.1', 'X-Request-Id: \xff\xc3\x28', [200]],
    ['half a percent-encoding in the path', 'GET /users/%f HTTP/1.1', '', [400, 404]],
    [
      'both a length and chunks',
      'POST /users HTTP/1.1',
      'Content-Length: 3\r\nTransfer-Encoding: chunked',
      [400],
    ],
    ['a path of 10,000 slashes', `GET ${'/'.repeat(10_000)} HTTP/1.1`, '', [404]],
    ['a whole URL as its target', 'GET http://elsewhere.example/users HTTP/1.1', '', [200, 400, 404]],
    ['an asterisk as its target', 'OPTIONS * HTTP/1.1', '', [200, 204, 400, 404]],
  ];
  for (const [what, line, field, allowed] of odd) {
    it(`a request with ${what} gets ${allowed.join(' or ')}`, async () => {
      const end = `${authorization}${field === '' ? '' : `${field}\r\n`}Connection: close\r\n\r\n`;
      const received = await converse(service.url, `${line}\r\nHost: here\r\n${end}`);
      const [status, ...more] = statuses(received);
      expect(status, received).to.be.oneOf(allowed);
      expect(more).to.deep.equal([]);
      expect(service.log.filter((logged) => logged.includes('"failed"'))).to.deep.equal([]);
      await othersAreAnswered(1);
    });
  }

  it('a connection that is reset before its response does not affect the service', async () => {
    await slow(`GET /users HTTP/1.1\r\nHost: here\r\n${authorization}\r\n`);
    for (const { socket } of clients) socket.resetAndDestroy();
    await Promise.all(clients.map(({ socket }) => socket.closed || once(socket, 'close')));
    await othersAreAnswered();
  });
});
