import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import type { Authenticator } from '../../../src/domain/ports.ts';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { unauthenticated } from '../../../src/domain/validation/errors.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { type CountingClock, countWork } from '../../support/scheduler-clock.ts';
import { aToken, noOverload, ofSharedSecret, startService, type TestService } from '../../support/service.ts';
import { openMany } from '../../support/sockets.ts';
import { memoryStore } from '../../support/stores.ts';

describe('A service under overload', () => {
  let service: TestService | undefined;
  let clock: CountingClock;
  beforeEach(() => {
    clock = countWork(0.25);
  });
  afterEach(async () => {
    await service?.close();
    service = undefined;
    clock.restore();
  });

  const probes = ['/health/live', '/health/ready'];
  const ask = async (path: string, accept = 'application/json') => {
    if (service === undefined) throw new Error('not started');
    return service.send(path, { headers: { accept } });
  };

  /** A POST whose body is under way for as long as the socket is open. */
  async function openUnfinished({ url }: TestService) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const head = [
      'POST /users HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${await aToken()}`,
      'Content-Type: application/json',
    ];
    // The interim answer says that the body is waited for.
    socket.write(`${head.join('\r\n')}\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n`);
    await new Promise((resolve, reject) => {
      socket.once('data', resolve);
      socket.once('error', reject);
    });
    return socket;
  }

  /** A store whose lists wait to be let go. */
  function aHeldStore() {
    const store = memoryStore();
    const list = store.list.bind(store);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let begun: () => void = () => undefined;
    let waiting = 0;
    store.list = async (query) => {
      waiting += 1;
      begun();
      await held;
      return list(query);
    };
    /** Returns when so many lists are waiting. */
    const busy = (wanted: number) =>
      new Promise<void>((resolve) => {
        begun = () => waiting >= wanted && resolve();
        begun();
      });
    return { store, letGo, busy };
  }

  it('refuses a client’s requests beyond its share, in the requested format, until earlier ones have ended', async () => {
    const { store, letGo, busy } = aHeldStore();
    service = await startService({ overload: { ...noOverload, requests: 4 } }, store);
    const working = [ask('/users'), ask('/users')];
    await busy(2);
    const path = '/users/00000000-0000-7000-8000-000000000000';
    const answer = await ask(path);
    expect(answer.status, answer.text).to.equal(503);
    expect(Number(answer.headers.get('retry-after'))).to.be.above(0);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    expect(answer.json()).to.include({ status: 503, type: '/problems/overloaded' });
    const inXml = await ask(path, 'application/xml');
    expect(inXml.headers.get('content-type')).to.match(/^application\/problem\+xml/);
    expect((await ask('/openapi.json')).status).to.equal(503);
    for (const probe of probes) expect((await ask(probe)).status).to.equal(204);
    letGo();
    for (const { status } of await Promise.all(working)) expect(status).to.equal(200);
    expect((await ask(path)).status).to.equal(404);
  });

  it('accepts other requests while all places are taken by requests whose keys are being fetched', async () => {
    let begun = 0;
    let refuse: (error: Error) => void = () => undefined;
    const keys = new Promise<never>((_resolve, reject) => {
      refuse = reject;
    });
    const fetching: Authenticator = {
      scheme: 'Basic',
      authenticate() {
        begun += 1;
        return keys;
      },
      async close() {},
    };
    const overload = { ...noOverload, requests: 4 };
    service = await startService({ overload }, memoryStore(), [ofSharedSecret(), fetching]);
    const running = service;
    const askUnknown = () => running.send('/users', { headers: { authorization: 'Basic dTpw' } });
    const waiting = [1, 2, 3, 4].map(askUnknown);
    await until('all wait for keys', () => begun === 4);
    expect((await askUnknown()).status).to.equal(503);
    for (let round = 0; round < 3; round += 1) expect((await ask('/users')).status).to.equal(200);
    refuse(unauthenticated('credentials-missing', 'There is no such key.'));
    for (const { status } of await Promise.all(waiting)) expect(status).to.equal(401);
    expect((await askUnknown()).status).to.equal(401);
  });

  it('accepts other requests while the bodies of slow clients are arriving', async () => {
    service = await startService({ overload: { ...noOverload, requests: 2 } });
    const running = service;
    const sockets = await Promise.all([1, 2, 3].map(() => openUnfinished(running)));
    for (let round = 0; round < 3; round += 1) expect((await ask('/users')).status).to.equal(200);
    for (const socket of sockets) socket.destroy();
    for (let round = 0; round < 3; round += 1) expect((await ask('/users')).status).to.equal(200);
  });

  it('limits the long lists streamed at once, and answers short requests meanwhile', async () => {
    const store = memoryStore();
    for (let count = 0; count < 600; count += 1)
      await store.insert(Stored.of(aUser({ attributes: { note: 'x'.repeat(1000) } })));
    service = await startService({ overload: { ...noOverload, streams: 1 } }, store);
    const head = `GET /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await aToken()}\r\n`;
    const reader = connect(Number(new URL(service.url).port), '127.0.0.1');
    // It reads the beginning and then no more.
    reader.write(`${head}\r\n`);
    await new Promise((resolve) => reader.once('readable', resolve));
    // All of it may fit what the system buffers; a pipelined request more then doesn't.
    await until('another list is refused', async () => {
      reader.write(`${head}\r\n`);
      return (await ask('/users')).status === 503;
    });
    expect((await ask('/users?limit=1')).status).to.equal(200);
    reader.destroy();
    await until('lists are streamed again', async () => (await ask('/users')).status === 200);
  });

  describe('whose answers are not read', () => {
    const attributes = { note: 'x'.repeat(1000) };
    const users = Array.from({ length: 4000 }, () => aUser({ attributes }));
    const user = `/users/${users[0]?.id}`;
    const readers: Socket[] = [];
    let reads = 0;

    async function startWith(answerBytes: number): Promise<void> {
      const store = memoryStore();
      for (const each of users) await store.insert(Stored.of(each));
      const { list, findAll } = store;
      store.list = (query) => {
        // The probes of this test read no more than two.
        if ((query.limit ?? 100) > 2) reads += 1;
        return list.call(store, query);
      };
      store.findAll = (...asked) => {
        reads += 1;
        return findAll.apply(store, asked);
      };
      service = await startService({ overload: { ...noOverload, answerBytes } }, store);
    }

    /** So many pipelined requests that the system's buffers don't take all of their answers. */
    async function openUnread(): Promise<void> {
      const head = `GET /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await aToken()}\r\n\r\n`;
      const reader = connect(Number(new URL(service?.url ?? '').port), '127.0.0.1').pause();
      readers.push(reader);
      reader.write(head.repeat(30));
    }

    /** Once the answers of all readers have stopped: are lists refused? */
    async function refusesLists(): Promise<boolean> {
      for (;;) {
        const before = reads;
        let refused = 0;
        for (let times = 0; times < 20; times += 1)
          if ((await ask('/users?limit=1')).status === 503) refused += 1;
        if (reads === before && reads > 0) return refused === 20;
      }
    }

    async function giveUp(): Promise<void> {
      for (const reader of readers.splice(0)) reader.destroy();
      await until('lists are taken again', async () => (await ask('/users?limit=1')).status === 200);
      expect((await ask(user)).status).to.equal(200);
    }

    beforeEach(() => {
      reads = 0;
    });
    afterEach(() => {
      for (const reader of readers.splice(0)) reader.destroy();
    });

    it('refuses lists while unread answers take half of the allowed memory', async () => {
      await startWith(4_000_000);
      do await openUnread();
      while (!(await refusesLists()));
      expect(readers.length).to.be.above(1);
      const refused = await ask('/users?limit=1');
      expect([refused.status, refused.json().type]).to.deep.equal([503, '/problems/overloaded']);
      expect(Number(refused.headers.get('retry-after'))).to.be.above(0);
      expect((await ask(user)).status).to.equal(200);
      await giveUp();
    });

    it('refuses all but the probes while unread answers take all of the allowed memory', async () => {
      // Less than one piece of a list.
      await startWith(16_000);
      await openUnread();
      expect(await refusesLists()).to.equal(true);
      expect((await ask(user)).status).to.equal(503);
      for (const probe of probes) expect((await ask(probe)).status).to.equal(204);
      await giveUp();
    });
  });

  it('frees the places of clients that asked for long lists and left before the lists began', async () => {
    const { store, letGo, busy } = aHeldStore();
    const attributes = { note: 'x'.repeat(1000) };
    for (let count = 0; count < 600; count += 1) await store.insert(Stored.of(aUser({ attributes })));
    const overload = { ...noOverload, streams: 1, answerBytes: 4_000_000 };
    service = await startService({ overload }, store);
    const head = `GET /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await aToken()}\r\n\r\n`;
    const clients = await openMany(service.url, 40, head);
    // Of more, the beginnings aren't read at a time.
    await busy(32);
    for (const { socket } of clients) socket.destroy();
    const left = () => service?.log.filter((line) => line.includes('"whole":false')).length ?? 0;
    await until('all have left', () => left() === clients.length);
    letGo();
    const answer = await ask('/users');
    expect([answer.status, answer.json().users.length]).to.deep.equal([200, 600]);
  });

  it('does not count unread static documents, which all answers share', async () => {
    service = await startService({ overload: { ...noOverload, answerBytes: 2_000_000 } });
    const path = '/docs/swagger-ui-bundle.js';
    expect((await ask(path)).text.length).to.be.above(1_000_000);
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const readers = await openMany(service.url, 5, head.repeat(30));
    for (const { socket } of readers) socket.pause();
    for (let times = 0; times < 50; times += 1) expect((await ask('/users')).status).to.equal(200);
    for (const { socket } of readers) socket.destroy();
  });

  it('refuses all but the probes while the event loop runs late', async () => {
    service = await startService({ overload: { ...noOverload, eventLoopDelay: 100 } });
    const statusWith = async (delay: number) => {
      clock.setDelay(delay);
      // Longer than the delay is measured over.
      clock.pass(1000);
      return (await ask('/users')).status;
    };
    expect(await statusWith(100)).to.equal(200);
    expect(await statusWith(101)).to.equal(503);
    for (const probe of probes) expect((await ask(probe)).status).to.equal(204);
    expect(await statusWith(0)).to.equal(200);
  });

  it('refuses bodies that would wait too long for their turn, and accepts them again afterwards', async () => {
    // Each of 100 waits for a slice of those before it, 0.5 ms at least: 50 ms in all.
    service = await startService({ overload: { eventLoopDelay: 20 } });
    const slow = `<user><userName>slow</userName><title>${'&#65;'.repeat(20_000)}</title></user>`;
    const headers = { 'content-type': 'application/xml' };
    const post = (body: string) => service?.send('/users', { method: 'POST', headers, body });
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(slow)));
    const statuses = answers.map((answer) => answer?.status);
    expect([...new Set(statuses)].sort()).to.deep.equal([422, 503]);
    const refused = answers.find((answer) => answer?.status === 503);
    expect(Number(refused?.headers.get('retry-after'))).to.be.above(0);
    expect((await post('<user><userName>quick</userName></user>'))?.status).to.equal(201);
  });
});
