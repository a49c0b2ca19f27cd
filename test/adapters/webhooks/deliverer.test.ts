import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ChangeWatcher } from '../../../src/adapters/change-watcher/change-watcher.ts';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import type { DeliveryStore } from '../../../src/adapters/stores/port/delivery-store.ts';
import { sqliteDeliveries } from '../../../src/adapters/stores/sqlite/deliveries.ts';
import { Deliverer, type DeliveryRequest } from '../../../src/adapters/webhooks/deliverer.ts';
import { Messages } from '../../../src/adapters/webhooks/message.ts';
import type { Attempt } from '../../../src/adapters/webhooks/progress.ts';
import type { Receiver } from '../../../src/adapters/webhooks/receivers.ts';
import type { ChangeLog } from '../../../src/domain/changes/log.ts';
import type { Access } from '../../../src/domain/find/access.ts';
import { type Changes, changes } from '../../../src/domain/use-cases/feed.ts';
import { createUser } from '../../contract/change-log.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { kinds } from '../../support/kinds.ts';
import { profilesIn } from '../../support/profiles.ts';
import { tester } from '../../support/store-verbs.ts';
import { type Receiving, type Reply, StandingClock, startReceiving } from './receiving.ts';
import { aReceiver } from './some.ts';

describe('The process that sends webhooks', () => {
  let folder: string;
  let receiving: Receiving;
  let reply: Reply;
  let opened: number;
  let receivers: readonly Receiver[];
  let attempts: Attempt[];
  let problems: string[];
  const expected: string[] = [];
  const started: Deliverer[] = [];
  const clock = new StandingClock();
  let store: ReturnType<typeof memoryStore>;
  let feed: Changes;
  let watcher: ChangeWatcher;
  const profiles = new Map<string, Access>();

  let isDiskFull = false;
  let failedWrites = 0;
  const open = (): DeliveryStore => {
    opened += 1;
    const rows = sqliteDeliveries(join(folder, 'users.db'));
    const { write } = rows;
    rows.write = async (changes, ...fence) => {
      if (isDiskFull && changes.some(({ of }) => of === 'progress')) {
        failedWrites += 1;
        throw new Error('the disk is full');
      }
      return await write(changes, ...fence);
    };
    return rows;
  };
  const setReceivers = (mark: string, ...all: Partial<Receiver>[]): void => {
    receivers = all.map((members) => aReceiver({ url: receiving.url, mark, ...members }));
  };
  const start = (): Deliverer => {
    const deliverer = new Deliverer({
      ...{ log: store.changes as ChangeLog, store, kinds, watcher, clock, messages: new Messages(kinds) },
      ...{ changes: feed, profiles: { find: (name) => profiles.get(name) } },
      receivers: { current: () => receivers },
      open: async () => open(),
      onAttempt: (attempt) => attempts.push(attempt),
      onProblem: (problem) => problems.push(problem),
    });
    deliverer.start();
    started.push(deliverer);
    return deliverer;
  };
  const add = () => store.commit([createUser(aUser())], tester);
  const sendsTo = async (deliverer: Deliverer, ...ids: string[]): Promise<void> =>
    until(`it sends to ${ids}`, async () => {
      const read = await deliverer.read();
      return JSON.stringify(read.map(({ receiver }) => receiver)) === JSON.stringify(ids);
    });
  const attempted = (count: number) => until(`${count} attempts`, () => attempts.length >= count);
  async function ask(request: DeliveryRequest): Promise<void> {
    const rows = open();
    await rows.write([{ of: 'request', receiver: 'payroll', key: 'a', value: request }]);
    await until('it was obeyed', async () => (await rows.read('request')).length === 0);
    await rows.close();
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'deliverer-'));
    [attempts, problems, opened, reply] = [[], [], 0, 204];
    receiving = await startReceiving(() => reply);
    store = memoryStore(kinds);
    feed = changes(store, kinds);
    watcher = new ChangeWatcher(feed);
    profiles.clear();
    setReceivers('a file', {});
  });
  afterEach(async () => {
    watcher.stop();
    await Promise.all(started.splice(0).map((deliverer) => deliverer.stop()));
    await receiving.close();
    rmSync(folder, { recursive: true });
    expect(problems.splice(0)).to.deep.equal(expected.splice(0));
  });

  it('opens nothing while there are no receivers', async () => {
    setReceivers('an empty file');
    await start().stop();
    expect(opened).to.equal(0);
  });

  it('is one of several; another one continues where it stopped, and sends nothing twice', async () => {
    const [first, second] = [start(), start()];
    const isFirst = async () => (await first.read()).length > 0;
    await until('one of them sends', async () => (await isFirst()) || (await second.read()).length > 0);
    const [holder, other] = (await isFirst()) ? [first, second] : [second, first];
    await add();
    await attempted(1);
    expect(await other.read()).to.deep.equal([]);
    await holder.stop();
    await add();
    await sendsTo(other, 'payroll');
    await attempted(2);
    expect(new Set(attempts.map(({ message }) => message)).size).to.equal(2);
  });

  it('obeys a changed file: added and removed receivers, and another URL', async () => {
    const deliverer = start();
    await sendsTo(deliverer, 'payroll');
    setReceivers('with another', {}, { id: 'hr' });
    await sendsTo(deliverer, 'payroll', 'hr');
    await add();
    await attempted(2);
    const elsewhere = await startReceiving(() => 204);
    setReceivers('without the first', { id: 'hr', url: elsewhere.url });
    await sendsTo(deliverer, 'hr');
    await add();
    await attempted(3);
    expect(elsewhere.arrived).to.have.lengthOf(1);
    await elsewhere.close();
  });

  it('does what commands ask for: enables a receiver, and sends its changes again', async () => {
    const deliverer = start();
    await sendsTo(deliverer, 'payroll');
    const { end } = await (store.changes as ChangeLog).read('now', 1);
    reply = 410;
    await add();
    await attempted(1);
    expect(await deliverer.read()).to.deep.include({
      receiver: 'payroll',
      entries: 1,
      setAside: 0,
      isDisabled: true,
      seconds: 0,
    });
    reply = 204;
    await ask({ do: 'enable' });
    await attempted(2);
    await ask({ do: 'replay', since: end });
    await attempted(3);
    expect(new Set(attempts.map(({ message }) => message)).size).to.equal(1);
    expect(attempts.map(({ outcome }) => outcome)).to.deep.equal(['410', '204', '204']);
  });

  it('keeps the request of a command until its effect is stored', async () => {
    reply = 410;
    const deliverer = start();
    await sendsTo(deliverer, 'payroll');
    await add();
    await attempted(1);
    const rows = open();
    const written = async (isDisabled: boolean) => {
      const [row] = await rows.read('progress');
      return row !== undefined && 'disabled' in row.value === isDisabled;
    };
    await until('it is written', () => written(true));
    isDiskFull = true;
    reply = 204;
    await rows.write([{ of: 'request', receiver: 'payroll', key: 'a', value: { do: 'enable' } }]);
    await attempted(2);
    await until('the problem is told', () => problems.length > 0);
    expect(await rows.read('request')).to.have.lengthOf(1);
    isDiskFull = false;
    await until('it is written', () => written(false));
    expect(await rows.read('request')).to.deep.equal([]);
    await rows.close();
    expected.push('webhooks: the disk is full');
  });

  it('does what a command asks for once, however long its effect cannot be stored', async () => {
    const deliverer = start();
    await sendsTo(deliverer, 'payroll');
    const { end } = await (store.changes as ChangeLog).read('now', 1);
    await add();
    await attempted(1);
    const rows = open();
    [isDiskFull, failedWrites] = [true, 0];
    const value: DeliveryRequest = { do: 'replay', since: end };
    await rows.write([{ of: 'request', receiver: 'payroll', key: 'a', value }]);
    await until('several looks have failed', () => failedWrites > 3);
    isDiskFull = false;
    await until('it was obeyed', async () => (await rows.read('request')).length === 0);
    await rows.close();
    expect(attempts).to.have.lengthOf(2);
    expected.push('webhooks: the disk is full');
  });

  it('keeps the request of a command for a receiver that waits for its profile', async () => {
    setReceivers('a file', { profile: 'phonebook' }, { id: 'hr' });
    const take = (text: string) => {
      for (const [name, access] of profilesIn(text)) profiles.set(name, access);
    };
    take(`{ phonebook: { users: { read: ['userName'] } } }`);
    const deliverer = start();
    await sendsTo(deliverer, 'payroll', 'hr');
    const { end } = await feed.feed(
      { id: 'payroll', scopes: new Set(['changes:read']), access: profiles.get('phonebook') },
      { since: 'now', limit: 1, filter: {} },
      (read) => read(),
    );
    await add();
    await attempted(2);
    profiles.clear();
    await sendsTo(deliverer, 'hr');
    const rows = open();
    await rows.write([
      { of: 'request', receiver: 'payroll', key: 'a', value: { do: 'replay', since: end } },
      { of: 'request', receiver: 'hr', key: 'b', value: { do: 'enable' } },
    ]);
    await until('one was obeyed', async () => (await rows.read('request')).length === 1);
    take(`{ phonebook: { users: { read: ['userName'] } } }`);
    await until('it was obeyed', async () => (await rows.read('request')).length === 0);
    await attempted(3);
    await rows.close();
    expected.push('webhooks: payroll waits for its access profile phonebook');
  });

  it('sends nothing to a receiver whose profile is missing, and tells it of a gap when the profile was changed', async () => {
    const take = (text: string) => {
      profiles.clear();
      for (const [name, access] of profilesIn(text)) profiles.set(name, access);
    };
    setReceivers('a file', { profile: 'phonebook' }, { id: 'hr' });
    take(`{ phonebook: { users: { read: ['userName'] } } }`);
    const deliverer = start();
    await sendsTo(deliverer, 'payroll', 'hr');
    await add();
    await attempted(2);
    take('{}');
    await sendsTo(deliverer, 'hr');
    expected.push('webhooks: payroll waits for its access profile phonebook');
    await add();
    await attempted(3);
    take(`{ phonebook: { users: { read: ['userName', 'title'] } } }`);
    await attempted(4);
    expect(receiving.arrived[3]).to.deep.include({ type: 'directory.gap' });
    expect(receiving.arrived[3]?.data).to.deep.include({ reason: 'replaced' });
    await sendsTo(deliverer, 'hr', 'payroll');
    await add();
    await attempted(6);
    expect(receiving.arrived.map(({ type }) => type).slice(4)).to.deep.equal([
      'user.created',
      'user.created',
    ]);
  });
});
