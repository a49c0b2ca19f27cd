import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../src/domain/resource/stored.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { type CountingClock, countWork } from '../../support/scheduler-clock.ts';
import {
  aToken,
  type GivenSettings,
  type Request,
  startService,
  type TestService,
} from '../../support/service.ts';
import { type Client, open, openMany, statuses } from '../../support/sockets.ts';
import { starvingBulk } from '../../support/starving-bulks.ts';
import { memoryStore } from '../../support/stores.ts';
import type { UserStore } from '../../support/verbs.ts';
import { aFolder, openAt } from '../stores/sqlite/a-file.ts';

const types = { json: 'application/json', xml: 'application/xml', scim: 'application/scim+json' };
/** Takes many slices to be read, and is refused at the end. */
const slowBody = `<user><userName>slow</userName><title>${'&#65;'.repeat(20_000)}</title></user>`;
const scan = '/scim/v2/Users?count=1&filter=title%20co%20%22nobody%22';

const aDirectory = (count: number, attributes?: User['attributes']): Stored<User>[] =>
  Array.from({ length: count }, () =>
    Stored.of(aUser({ title: 'clerk', ...(attributes && { attributes }) })),
  );

describe('A client that sends more than its share', () => {
  let service: TestService;
  let clock: CountingClock;
  let tokens: Readonly<Record<'greedy' | 'other', string>>;
  before(async () => {
    tokens = {
      greedy: await aToken(undefined, '1h', 'greedy'),
      other: await aToken(undefined, '1h', 'other'),
    };
  });
  // A slice is two steps of work.
  beforeEach(() => {
    clock = countWork(0.25);
  });
  afterEach(async () => {
    await service.close();
    clock.restore();
  });

  async function start(store: UserStore = memoryStore(), settings: GivenSettings = {}): Promise<void> {
    service = await startService(settings, store);
  }

  const send = (client: keyof typeof tokens, path: string, request: Request = {}) =>
    service.send(path, {
      ...request,
      headers: { authorization: `Bearer ${tokens[client]}`, ...request.headers },
    });

  const post = (client: keyof typeof tokens, type: string, body: string | Buffer, more = {}) =>
    send(client, '/users', { method: 'POST', headers: { 'content-type': type, ...more }, body });

  /** Sends so many requests at once. @returns how many have been answered by now, and all statuses in the end */
  function flood(count: number, request: () => ReturnType<typeof send>) {
    let answered = 0;
    const all = Array.from({ length: count }, async () => {
      const { status } = await request();
      answered += 1;
      return status;
    });
    return { answered: () => answered, statuses: Promise.all(all) };
  }

  /** One after the other. */
  async function createSome(count: number): Promise<number[]> {
    const statuses: number[] = [];
    for (let at = 0; at < count; at += 1) {
      const { status } = await post('other', types.json, JSON.stringify({ userName: `user-${at}` }));
      statuses.push(status);
    }
    return statuses;
  }

  for (const coding of ['identity', 'gzip']) {
    it(`with thirty slow bodies at once (${coding}) leaves others their turns`, async () => {
      await start();
      const body = coding === 'gzip' ? gzipSync(slowBody) : slowBody;
      const more = coding === 'gzip' ? { 'content-encoding': coding } : {};
      const slow = flood(30, () => post('greedy', types.xml, body, more));
      expect(await createSome(5)).to.deep.equal(Array(5).fill(201));
      expect(slow.answered()).to.be.at.most(15);
      expect([...new Set(await slow.statuses)]).to.deep.equal([422]);
    });
  }

  it('with bodies that would wait too long for their turn is the only client refused', async () => {
    // Each of 100 waits for a slice of those before it, 0.5 ms at least: 50 ms in all.
    await start(memoryStore(), { overload: { eventLoopDelay: 20 } });
    const slow = flood(100, () => post('greedy', types.xml, slowBody));
    expect(await createSome(10)).to.deep.equal(Array(10).fill(201));
    expect(await slow.statuses).to.include(503);
  });

  it('with four Bulks of many changes, one of them compressed, leaves others their turns', async () => {
    const user = aUser({ emails: [{ value: 'a@example.com', type: 'work' }] });
    const store = memoryStore();
    await store.insert(Stored.of(user));
    await start(store);
    const bulk = starvingBulk(user.id, 200);
    const headers = { 'content-type': types.scim };
    const bulks = flood(3, () => send('greedy', '/scim/v2/Bulk', { method: 'POST', headers, body: bulk }));
    const coded = flood(1, () =>
      send('greedy', '/scim/v2/Bulk', {
        method: 'POST',
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: gzipSync(bulk),
      }),
    );
    expect(await createSome(5)).to.deep.equal(Array(5).fill(201));
    expect(bulks.answered() + coded.answered()).to.equal(0);
    expect([...(await bulks.statuses), ...(await coded.statuses)]).to.deep.equal([200, 200, 200, 200]);
  });

  /** The greedy client reads on two hundred connections at once, and the other one behind them. */
  async function readBeside(settings: GivenSettings) {
    const store = memoryStore();
    const ids = { greedy: randomUUID(), other: randomUUID() };
    const read: string[] = [];
    store.find = async (id) => void read.push(id);
    await start(store, settings);
    const probe = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
    const greedy = await openMany(service.url, 200, probe);
    const other = await open(service.url, probe);
    // Connections are accepted one by one; the reads come together.
    for (const client of [...greedy, other]) await client.got(/ 204 /);
    const ask = (client: keyof typeof tokens, { socket }: Client) =>
      socket.write(
        `GET /users/${ids[client]} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens[client]}\r\n\r\n`,
      );
    for (const client of greedy) ask('greedy', client);
    ask('other', other);
    const statusOf = async ({ got, socket }: Client) => {
      const [, status] = statuses(await got(/ (?:404|503) /));
      socket.destroy();
      return status;
    };
    const all = await Promise.all([other, ...greedy].map(statusOf));
    return { before: read.indexOf(ids.other), other: all[0], greedy: all.slice(1) };
  }

  it('with reads on two hundred connections waits for the read of another client', async () => {
    const { before, other, greedy } = await readBeside({});
    expect([...new Set([other, ...greedy])]).to.deep.equal([404]);
    expect(before).to.be.at.most(10);
  });

  it('with reads that would wait too long for their turn is the only client refused', async () => {
    // Each of them is a step of work, 0.25 ms at least: 50 ms in all.
    const { other, greedy } = await readBeside({ overload: { eventLoopDelay: 20 } });
    expect(other).to.equal(404);
    expect([...new Set(greedy)]).to.have.members([404, 503]);
  });

  for (const kind of ['memory', 'sqlite'] as const) {
    it(`with thirty scans at once waits for the scan of another client (${kind})`, async () => {
      const folder = kind === 'sqlite' ? aFolder() : undefined;
      const store = folder === undefined ? memoryStore() : await openAt(`${folder.path}/users.db`);
      await store.writeAll(aDirectory(1000).map((user) => ({ user })));
      await start(store);
      const scans = flood(30, () => send('greedy', scan));
      // They are under way: the other comes behind them.
      await until('a scan is answered', () => scans.answered() > 0);
      const before = scans.answered();
      expect((await send('other', scan)).status).to.equal(200);
      expect(scans.answered() - before).to.be.at.most(8);
      expect([...new Set(await scans.statuses)]).to.deep.equal([200]);
      await store.close();
      folder?.remove();
    });
  }

  it('gets at most half of the places for requests', async () => {
    const store = memoryStore();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const { list } = store;
    store.list = async (query) => {
      await held;
      return list.call(store, query);
    };
    await start(store, { overload: { requests: 8 } });
    const lists = flood(20, () => send('greedy', '/users'));
    await until('16 lists are refused', () => lists.answered() >= 16);
    const statuses = [];
    for (let count = 0; count < 20; count += 1)
      statuses.push((await post('other', types.json, JSON.stringify({ userName: `user-${count}` }))).status);
    expect(statuses).to.deep.equal(Array(20).fill(201));
    letGo();
    const all = await lists.statuses;
    expect(all.filter((status) => status === 200)).to.have.length(4);
    expect(all.filter((status) => status === 503)).to.have.length(16);
  });

  it('with lists of all users waits for the page of another client', async () => {
    const store = memoryStore();
    for (const user of aDirectory(600, { note: 'x'.repeat(1000) })) await store.insert(user);
    await start(store);
    const lists = flood(50, () => send('greedy', '/users'));
    await send('greedy', '/users/00000000-0000-7000-8000-000000000000');
    const before = lists.answered();
    expect((await send('other', '/users?limit=500')).status).to.equal(200);
    expect(lists.answered() - before).to.be.at.most(25);
    expect([...new Set(await lists.statuses)]).to.deep.equal([200]);
  });

  it('with long lists that it does not read leaves half of the streams to others', async () => {
    const store = memoryStore();
    for (const user of aDirectory(600, { note: 'x'.repeat(1000) })) await store.insert(user);
    await start(store, { overload: { streams: 2 } });
    const reader = connect(Number(new URL(service.url).port), '127.0.0.1');
    const head = `GET /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens.greedy}\r\n\r\n`;
    reader.write(head);
    await new Promise((resolve) => reader.once('readable', resolve));
    // All of a list may fit what the system buffers; of several pipelined ones it doesn't.
    await until('another list is refused', async () => {
      reader.write(head);
      return (await send('greedy', '/users')).status === 503;
    });
    expect((await send('other', '/users')).status).to.equal(200);
    reader.destroy();
  });
});
