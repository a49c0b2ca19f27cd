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
import type { Receiver, Receivers } from '../../../src/adapters/webhooks/receivers.ts';
import type { ChangeLog } from '../../../src/domain/changes/log.ts';
import { changes } from '../../../src/domain/use-cases/feed.ts';
import { createUser } from '../../contract/change-log.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { kinds } from '../../support/kinds.ts';
import { tester } from '../../support/store-verbs.ts';
import { type Receiving, type Reply, StandingClock, startReceiving } from './receiving.ts';
import { aReceiver } from './some.ts';

describe('The process that sends webhooks', () => {
  let folder: string;
  let receiving: Receiving;
  let reply: Reply;
  let opened: number;
  let receivers: Receivers;
  let attempts: Attempt[];
  let problems: string[];
  const started: Deliverer[] = [];
  const clock = new StandingClock();
  let store: ReturnType<typeof memoryStore>;
  let watcher: ChangeWatcher;

  const open = (): DeliveryStore => {
    opened += 1;
    return sqliteDeliveries(join(folder, 'users.db'));
  };
  const setReceivers = (mark: string, ...all: Partial<Receiver>[]): void => {
    receivers = { mark, all: all.map((members) => aReceiver({ url: receiving.url, ...members })) };
  };
  const start = (): Deliverer => {
    const deliverer = new Deliverer({
      ...{ log: store.changes as ChangeLog, store, kinds, watcher, clock, messages: new Messages(kinds) },
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
    watcher = new ChangeWatcher(changes(store, kinds));
    setReceivers('a file', {});
  });
  afterEach(async () => {
    watcher.stop();
    await Promise.all(started.splice(0).map((deliverer) => deliverer.stop()));
    await receiving.close();
    rmSync(folder, { recursive: true });
    expect(problems).to.deep.equal([]);
  });

  it('opens nothing while there are no receivers', async () => {
    setReceivers('an empty file');
    await start().stop();
    expect(opened).to.equal(0);
  });

  it('is one of several; another goes on where it ended, and sends nothing twice', async () => {
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

  it('obeys a changed file: new receivers, others that are gone, and another URL', async () => {
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

  it('does what commands ask for: enable, and send again what was sent since', async () => {
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
});
