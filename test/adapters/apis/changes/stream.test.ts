import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import type { ChangeLog } from '../../../../src/domain/changes/log.ts';
import { scopes } from '../../../../src/domain/scopes.ts';
import type { Store, Write } from '../../../../src/domain/store.ts';
import { unauthenticated } from '../../../../src/domain/validation/errors.ts';
import { createUser } from '../../../contract/change-log.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { type SkippableClock, skippableClock } from '../../../support/scheduler-clock.ts';
import { aToken, startService } from '../../../support/service.ts';
import { tester } from '../../../support/store-verbs.ts';
import { overridden } from '../../../support/stores.ts';
import { countLooks, type Directory, openDirectory } from './directory.ts';
import { type EventReader, openStream } from './stream.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('The feed as server-sent events', () => {
  let directory: Directory;
  let clock: SkippableClock;
  let looks: ReturnType<typeof countLooks>;
  const streams: EventReader[] = [];
  beforeEach(async () => {
    clock = skippableClock();
    looks = countLooks(memoryStore());
    directory = await openDirectory(looks.store);
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await directory.close();
    clock.restore();
  });

  async function open(query: string, headers: Record<string, string> = {}, isRead = true) {
    const authorization = `Bearer ${await aToken()}`;
    const stream = await openStream(
      `${directory.url}/changes${query}`,
      { authorization, ...headers },
      isRead,
    );
    streams.push(stream);
    return stream;
  }

  it('has each new change as the feed has it, with its cursor as the id', async () => {
    const before = await directory.addUsers(2);
    const stream = await open('?since=start');
    const { headers } = stream;
    expect(stream.status).to.equal(200);
    expect(headers['content-type']).to.equal('text/event-stream');
    expect([headers['cache-control'], headers['x-accel-buffering']]).to.deep.equal(['no-store', 'no']);
    expect(headers.vary).to.match(/Accept/);
    await stream.changes(2);
    const after = await directory.addUsers(3);
    await stream.changes(5);
    await directory.write('PATCH', `/users/${after[0]}`, { attributes: { 'hiv-positive': 'yes' } });
    await stream.changes(6);
    expect(stream.ids()).to.deep.equal([...before, ...after, after[0]]);
    const { changes } = await directory.read('/changes?since=start');
    expect(stream.events.map(({ data }) => JSON.parse(data ?? ''))).to.deep.equal(changes);
    expect(stream.events.map(({ id }) => id)).to.deep.equal(changes.map(({ cursor }) => cursor));
    expect(stream.events[5]?.data).to.include('"changed":["/attributes"]');
  });

  it('continues after the last event that the client received, whatever its query says', async () => {
    const [, second, third] = await directory.addUsers(3);
    const { changes } = await directory.read('/changes?since=start');
    const stream = await open('?since=start', { 'last-event-id': changes[0]?.cursor ?? '' });
    await stream.changes(2);
    expect(stream.ids()).to.deep.equal([second, third]);
    const without = await open('', { 'last-event-id': changes[1]?.cursor ?? '' });
    await without.changes(1);
    expect(without.ids()).to.deep.equal([third]);
  });

  it('has an event with only an id every 15 seconds, which skips changes that the filter excludes', async () => {
    const stream = await open('?since=now&by=nobody');
    await until('it has begun', () => stream.events.length === 1);
    await directory.addUsers(2);
    const { next } = await directory.read('/changes?since=now');
    const { latest } = looks.counts;
    await until('the log was looked at', () => looks.counts.latest > latest + 1);
    clock.skip(15_000);
    await until('there is another event', () => stream.events.length === 2);
    expect(stream.events[1]).to.deep.equal({ id: next });
    clock.skip(15_000);
    await until('there is another event', () => stream.events.length === 3);
    expect(stream.events[2]).to.deep.equal({ id: next });
  });

  it('is sent to a client that prefers events; any other client gets a page', async () => {
    for (const [accept, type] of [
      ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
      ['application/json, text/event-stream;q=0.5', 'application/json'],
      ['*/*', 'application/json'],
      ['application/xml', 'application/xml; charset=utf-8'],
    ] as const)
      expect((await open('?since=now', { accept })).headers['content-type']).to.equal(type);
    const refused = await open('?since=now', { accept: 'text/plain' });
    expect(refused.status).to.equal(406);
  });

  it('refuses an invalid cursor, limit or wait with a problem before it begins', async () => {
    for (const [query, status] of [
      ['?since=elsewhere.1.x', 410],
      ['?since=garbage', 400],
      ['', 400],
      ['?since=now&limit=5', 400],
      ['?since=now&wait=5', 400],
    ] as const) {
      const stream = await open(query);
      expect([stream.status, stream.headers['content-type']], query).to.deep.equal([
        status,
        'application/problem+json',
      ]);
    }
    for (const [id, status] of [
      ['elsewhere.1.x', 410],
      ['x', 400],
    ] as const)
      expect((await open('?since=now', { 'last-event-id': id })).status).to.equal(status);
  });

  it('ends with a problem when changes are missing', async () => {
    await directory.addUsers(1);
    const stream = await open('?since=now');
    await until('it has begun', () => stream.events.length === 1);
    looks.replaceLog();
    await stream.ended();
    const { event, data } = stream.events.at(-1) ?? {};
    expect([event, JSON.parse(data ?? '').type]).to.deep.equal(['problem', '/problems/cursor-foreign']);
  });

  it('ends with a problem within 15 seconds after the credentials are revoked', async () => {
    let isValid = true;
    const service = await startService({}, looks.store, [
      {
        scheme: 'Bearer',
        authenticate() {
          if (!isValid) throw unauthenticated('key-wrong', 'The API key is wrong.');
          return { id: 'follower', scopes: new Set(scopes) };
        },
        close: async () => {},
      },
    ]);
    const stream = await openStream(`${service.url}/changes?since=now`, { authorization: 'Bearer x' });
    await until('it has begun', () => stream.events.length === 1);
    isValid = false;
    clock.skip(15_000);
    await stream.ended();
    const { event, data } = stream.events.at(-1) ?? {};
    expect([event, JSON.parse(data ?? '').type]).to.deep.equal(['problem', '/problems/unauthenticated']);
    await service.close();
  });

  it('ends at once when the service shuts down', async () => {
    const stream = await open('?since=now');
    await until('it has begun', () => stream.events.length === 1);
    await directory.close();
    await stream.ended();
    expect(stream.events.map(({ event }) => event)).to.deep.equal([undefined]);
    directory = await openDirectory();
  });

  it('reads the log once for many followers', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => open('?since=now')));
    await until('all have begun', () => all.every(({ events }) => events.length === 1));
    const { read } = looks.counts;
    const ids = await directory.addUsers(5);
    for (const stream of all) await stream.changes(5);
    for (const stream of all) expect(stream.ids()).to.deep.equal(ids);
    expect(looks.counts.read - read).to.be.at.most(5);
  });

  it('keeps no changes in memory that the client has received', async () => {
    await directory.close();
    looks = countLooks(memoryStore());
    const received: WeakRef<object>[] = [];
    const log = looks.store.changes as ChangeLog;
    const changes: ChangeLog = {
      ...log,
      async read(...asked) {
        const page = await log.read(...asked);
        // Copies: the store keeps its own.
        const entries = page.entries.map((entry) => ({ ...entry }));
        received.push(...entries.map((entry) => new WeakRef(entry)));
        return { ...page, entries };
      },
    };
    directory = await openDirectory(overridden(looks.store, { changes }));
    await directory.addUsers(3);
    const stream = await open('?since=start');
    await stream.changes(3);
    const isGone = (ref: WeakRef<object>): boolean => ref.deref() === undefined;
    await until('the first page is gone', () => {
      collectGarbage();
      return received.length >= 3 && received.every(isGone);
    });
    await directory.addUsers(2);
    await stream.changes(5);
    await until('the new changes are gone', () => {
      collectGarbage();
      return received.every(isGone);
    });
  });

  /** @returns makes a change with the ids of a thousand members, some 40 KB */
  async function largeChanges(store: Store): Promise<(count: number) => Promise<void>> {
    const members = Array.from({ length: 1000 }, () => aUser());
    for (let from = 0; from < 1000; from += 250)
      await store.commit(
        members.slice(from, from + 250).map((user) => createUser(user)),
        tester,
      );
    const group = aGroup();
    await store.commit(
      [{ kind: 'group', id: group.id, op: 'create', next: group } as unknown as Write],
      tester,
    );
    const ids = members.map(({ id }) => id);
    let isIn = false;
    return async (count) => {
      for (let at = 0; at < count; at += 1) {
        const change = isIn ? { add: [], remove: ids } : { add: ids, remove: [] };
        isIn = !isIn;
        await store.commit([{ kind: 'group', id: group.id, op: 'members', change }], tester);
      }
    };
  }

  it('waits for a slow client, which misses nothing and delays no other client', async () => {
    const slow = await open('?since=now', {}, false);
    const quick = await open('?since=now');
    const change = await largeChanges(looks.store);
    const rounds = 400;
    await change(rounds);
    const { next } = await directory.read('/changes?since=now');
    const total = 1001 + rounds;
    await quick.changes(total);
    const { read } = looks.counts;
    let [text, bytes] = ['', 0];
    slow.response.setEncoding('utf8').on('data', (chunk: string) => {
      bytes += chunk.length;
      text = (text + chunk).slice(-100_000);
    });
    await until('the slow reader has all', () => text.includes(`id: ${next}\n`));
    expect(bytes).to.be.above(rounds * 36_000);
    expect(looks.counts.read - read, 'it was read for him later').to.be.above(2);
  });

  it('ends for the client that has read nothing for the longest time, when unread data takes too much memory', async () => {
    await directory.close();
    looks = countLooks(memoryStore());
    directory = await openDirectory(looks.store, { overload: { answerBytes: 2 ** 22 } });
    const unread = await Promise.all(Array.from({ length: 24 }, () => open('?since=now', {}, false)));
    const quick = await open('?since=now');
    const change = await largeChanges(looks.store);
    await quick.changes(1001);
    for (let round = 1; round <= 40; round += 1) {
      await change(10);
      await quick.changes(1001 + round * 10);
      expect((await directory.send('/users?limit=1')).status).to.equal(200);
    }
    for (const { response } of unread) response.resume();
    await until('some are cut off', () => unread.filter(({ response }) => response.destroyed).length >= 8);
    expect(quick.events.map(({ event }) => event)).not.to.include('problem');
  });
});
