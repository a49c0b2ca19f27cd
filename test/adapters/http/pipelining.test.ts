import { expect } from 'chai';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { answersIn, answersTo } from '../../support/raw-answers.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';
import { type Client, open, openMany, statuses } from '../../support/sockets.ts';
import { memoryStore } from '../../support/stores.ts';

describe('Pipelined requests on a connection', () => {
  let service: TestService;
  let head: string;
  let begun: number;
  /** Lists that have begun and not ended, at most. */
  let atOnce: number;
  let clients: Client[];
  /** Lists wait for it. */
  let gate: Promise<unknown>;
  let letGo: () => void;
  const close = () => {
    gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
  };
  beforeEach(async () => {
    const store = memoryStore();
    for (let at = 0; at < 40; at += 1) await store.insert(Stored.of(aUser({ title: `x${at}` })));
    const list = store.list.bind(store);
    let underWay = 0;
    begun = 0;
    atOnce = 0;
    gate = new Promise((resolve) => setImmediate(resolve));
    store.list = async (query) => {
      begun += 1;
      underWay += 1;
      atOnce = Math.max(atOnce, underWay);
      await gate;
      underWay -= 1;
      return list(query);
    };
    service = await startService({}, store);
    head = `HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${await aToken()}\r\n`;
    clients = [];
  });
  afterEach(async () => {
    for (const { socket } of clients) socket.destroy();
    await service.close();
  });

  const post = (name: string, more = '') => {
    const body = JSON.stringify({ userName: name });
    return `POST /users ${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
  };

  it('are handled one after the other and answered in order, also with a body', async () => {
    const requests = [
      ...Array.from({ length: 6 }, (_, at) => [
        `GET /users?limit=${at + 1} ${head}\r\n`,
        post(`user-${at}`),
        `GET /nowhere ${head}\r\n`,
        `HEAD /users ${head}\r\n`,
        `GET /health/live ${head}\r\n`,
      ]).flat(),
      `GET /users ${head}Connection: close\r\n\r\n`,
    ];
    const answers = await answersTo(service.url, ...requests);
    const round = [200, 201, 404, 200, 204];
    expect(answers.map(({ status }) => status)).to.deep.equal([...Array(6).fill(round).flat(), 200]);
    expect(answers[5]?.body.toString().match(/"id"/g)).to.have.length(2);
    expect(atOnce).to.equal(1);
  });

  it('see the changes of the requests before them', async () => {
    const name = `GET /users?userName=late ${head}\r\n`;
    const answers = await answersTo(service.url, post('late'), name, post('late', 'Connection: close\r\n'));
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 200, 409]);
    expect(answers[1]?.body.toString()).to.include('"userName":"late"');
  });

  it('are not handled once their client has left', async () => {
    close();
    const client = await open(service.url, `GET /users ${head}\r\n`.repeat(30));
    await until('a list has begun', () => begun > 0);
    client.socket.resetAndDestroy();
    letGo();
    await service.logged('"route":"/users"');
    // By then any of them would have begun.
    for (let times = 0; times < 20; times += 1) await service.send('/health/live');
    // One list, in a few steps.
    expect(begun).to.be.below(5);
  });

  it('are answered if they have begun when the service stops, and then the connection closes', async () => {
    close();
    const client = await open(service.url, `GET /users ${head}\r\n`.repeat(3));
    clients.push(client);
    await until('a list has begun', () => begun > 0);
    const closed = service.close();
    letGo();
    await closed;
    const requests = Array(3).fill(`GET /users ${head}\r\n`);
    const answers = answersIn(await client.ended, requests);
    expect(
      answers.at(-1)?.headers.some(([field, value]) => field === 'Connection' && value === 'close'),
    ).to.equal(true);
    for (const { status } of answers) expect(status).to.equal(200);
  });

  it('are each handled in a separate turn, so that other clients get theirs', async () => {
    const count = 32;
    let turns = 0;
    const client = await open(service.url, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
    clients.push(client);
    while (statuses(client.received()).length < count) {
      await new Promise(setImmediate);
      turns += 1;
    }
    expect(statuses(client.received())).to.deep.equal(Array(count).fill(204));
    expect(turns).to.be.at.least(count - 1);
  });

  it('may number 32 after the one in progress', async () => {
    close();
    const last = `GET /users ${head}Connection: close\r\n\r\n`;
    clients.push(await open(service.url, `GET /users ${head}\r\n`.repeat(32) + last));
    await until('a list has begun', () => begun > 0);
    letGo();
    for (const { ended } of clients) expect(statuses(await ended)).to.deep.equal(Array(33).fill(200));
  });

  it('beyond the limit for all connections together close the connection that sent the last one', async () => {
    close();
    const ended = `GET /users ${head}Connection: close\r\n\r\n`;
    const few = await open(service.url, `GET /users ${head}\r\n`.repeat(19) + ended);
    clients.push(few);
    await until('a list has begun', () => begun > 0);
    // Each list that isn't answered yet holds up all behind it on its connection.
    const many = `GET /users ${head}\r\n${'GET / HTTP/1.1\r\nA:b\r\n\r\n'.repeat(32)}`;
    const greedy = await openMany(service.url, 320, many);
    clients.push(...greedy);
    await service.logged('too many requests waited');
    expect(greedy.filter(({ socket }) => socket.closed).length).to.be.below(20);
    letGo();
    expect(statuses(await few.ended)).to.deep.equal(Array(20).fill(200));
    expect((await service.send('/users')).status).to.equal(200);
  });

  it('with large heads may be fewer than 32: beyond the memory limit the connection is closed', async () => {
    close();
    const fields = Array.from({ length: 90 }, (_, at) => `X${at}: y\r\n`).join('');
    const greedy = await open(
      service.url,
      `GET /users ${head}\r\n${`GET / HTTP/1.1\r\n${fields}\r\n`.repeat(20)}`,
    );
    clients.push(greedy);
    await service.logged('too many requests waited');
    expect(statuses(await greedy.ended)).to.deep.equal([]);
  });

  it('with large heads reach the total limit sooner, but never close a connection on which a single request waits', async () => {
    close();
    const fields = Array.from({ length: 90 }, (_, at) => `X${at}: ${'y'.repeat(100)}\r\n`).join('');
    const many = `GET /users ${head}\r\n${`GET / HTTP/1.1\r\n${fields}\r\n`.repeat(32)}`;
    const greedy = await openMany(service.url, 50, many);
    clients.push(...greedy);
    await service.logged('too many requests waited');
    const ended = `GET /users ${head}Connection: close\r\n\r\n`;
    const single = await openMany(service.url, 20, `GET /users ${head}\r\n${ended}`);
    clients.push(...single);
    // By then they have been read.
    for (let times = 0; times < 20; times += 1) await service.send('/health/live');
    letGo();
    for (const client of single) expect(statuses(await client.ended)).to.deep.equal([200, 200]);
  });
});
