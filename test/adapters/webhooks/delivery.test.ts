import { expect } from 'chai';
import fc from 'fast-check';
import { toChangeDocument } from '../../../src/adapters/apis/changes/documents.ts';
import { ChangeWatcher } from '../../../src/adapters/change-watcher/change-watcher.ts';
import { markWrites } from '../../../src/adapters/stores/mark-writes.ts';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { beginProgress } from '../../../src/adapters/webhooks/deliverer.ts';
import { Delivery } from '../../../src/adapters/webhooks/delivery.ts';
import { Messages } from '../../../src/adapters/webhooks/message.ts';
import type { Attempt, Failure, Progress } from '../../../src/adapters/webhooks/progress.ts';
import type { Receiver } from '../../../src/adapters/webhooks/receivers.ts';
import type { Retry } from '../../../src/adapters/webhooks/retry.ts';
import type { ChangeLog } from '../../../src/domain/changes/log.ts';
import type { Access } from '../../../src/domain/find/access.ts';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import type { Store } from '../../../src/domain/store.ts';
import { type Changes, changes } from '../../../src/domain/use-cases/feed.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  removeUser,
  replaceUser,
} from '../../contract/change-log.ts';
import { aGroup } from '../../support/a-group.ts';
import { aUser, changed } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { kinds } from '../../support/kinds.ts';
import { follow } from '../../support/logged-writes.ts';
import { profilesIn } from '../../support/profiles.ts';
import { runs } from '../../support/runs.ts';
import { tester } from '../../support/store-verbs.ts';
import { type Receiving, type Reply, StandingClock, startReceiving } from './receiving.ts';
import { aReceiver } from './some.ts';

/** A store with a receiver, to which one delivery at a time sends. */
class Scene {
  readonly store: Store;
  readonly feed: Changes;
  readonly clock = new StandingClock();
  readonly attempts: Attempt[] = [];
  readonly problems: string[] = [];
  readonly receiving: Receiving;
  readonly #watcher: ChangeWatcher;
  readonly #receiver: Receiver;
  access: Access | undefined;
  delivery: Delivery | undefined;
  /** What a store has of the receiver. */
  progress: Progress | undefined;
  readonly failures = new Map<string, Failure>();

  constructor(receiving: Receiving, members: Partial<Receiver>, access: Access | undefined) {
    const profiles = { find: () => access, all: access ? [access] : [] };
    this.store = markWrites(memoryStore(kinds), kinds, profiles);
    this.feed = changes(this.store, kinds);
    this.#watcher = new ChangeWatcher(this.feed);
    this.access = access;
    this.receiving = receiving;
    this.#receiver = aReceiver({ url: receiving.url, ...members });
  }

  get log(): ChangeLog {
    if (this.store.changes === undefined) throw new Error('no log');
    return this.store.changes;
  }

  async start(mark = 'a file'): Promise<Delivery> {
    const parts = {
      ...{ log: this.log, store: this.store, kinds, watcher: this.#watcher, clock: this.clock },
      changes: this.feed,
      messages: new Messages(kinds),
      onAttempt: (attempt: Attempt) => this.attempts.push(attempt),
      onProblem: (problem: string) => this.problems.push(problem),
    };
    const receiver = { ...this.#receiver, mark };
    this.progress ??= await beginProgress(parts, receiver, this.access);
    this.delivery = new Delivery(parts, receiver, this.access, this.progress, [...this.failures.keys()]);
    return this.delivery;
  }

  /** Keeps what a store would keep. */
  write(): void {
    const { rows = [], done } = this.delivery?.unwritten() ?? {};
    for (const { of, key, value } of rows) {
      if (of === 'progress') this.progress = structuredClone(value) as Progress;
      else if (value === undefined) this.failures.delete(key);
      else this.failures.set(key, value as Failure);
    }
    done?.();
  }

  /** The next attempt of the partition, as a store would keep it. */
  next(digit: string): Retry {
    this.write();
    return { tries: 0, due: 0, ...this.progress?.partitions[Number.parseInt(digit, 16)] };
  }

  async add(user = aUser()): Promise<User> {
    await this.store.commit([createUser(user)], tester);
    return user;
  }

  arrived = (what: string, count: number): Promise<void> =>
    until(`${count} ${what}`, () => this.receiving.arrived.length >= count);

  /** Waits for so many attempts, whose answers were taken in. */
  attempted = (count: number): Promise<void> =>
    until(`${count} attempts`, () => this.attempts.length >= count);

  async end(): Promise<void> {
    this.#watcher.stop();
    await this.delivery?.stop(0);
    await this.receiving.close();
  }
}

const inScene = async (
  reply: (message: Receiving['arrived'][number]) => Reply | Promise<Reply>,
  run: (scene: Scene) => Promise<void>,
  members: Partial<Receiver> = {},
  access?: Access,
): Promise<void> => {
  const scene = new Scene(await startReceiving(reply), members, access);
  try {
    await run(scene);
  } finally {
    await scene.end();
  }
};

const minute = 60_000;

const sales = profilesIn(
  `{ sales: { users: { where: { department: 'Sales' }, read: '*', except: ['title'] }, groups: { read: '*' } } }`,
).get('sales');

const phonebook = profilesIn(`{ phonebook: { users: { read: ['userName'] } } }`).get('phonebook');

/** An id in the partition. */
const idIn = (digit: string): string => `${aUser().id.slice(0, -1)}${digit}`;

describe('Webhooks to a receiver', () => {
  it('bring each change, in the order of each resource, no more at once than the receiver allows', () =>
    inScene(
      () => 204,
      async (scene) => {
        await scene.start();
        const users: User[] = [];
        for (let at = 0; at < 20; at += 1) users.push(await scene.add());
        for (const user of users)
          await scene.store.commit([replaceUser(user, changed(user, { title: 'Dr' }))], tester);
        await scene.arrived('messages', 40);
        for (const { id } of users)
          expect(
            scene.receiving.arrived.filter(({ data }) => data.id === id).map(({ type }) => type),
          ).to.deep.equal(['user.created', 'user.updated']);
        expect(scene.receiving.open.most).to.be.within(1, 2);
        expect(scene.receiving.arrived[0]?.data).not.to.have.any.keys('after', 'label');
      },
      { concurrency: 2 },
    ));

  it('have the values before and after, if the receiver wants them, unless they were erased', () =>
    inScene(
      (message) => (message.type === 'user.created' && message.data.label === undefined ? 204 : 500),
      async (scene) => {
        await scene.start();
        const user = await scene.add(aUser({ userName: 'ada' }));
        await scene.attempted(1);
        expect(scene.receiving.arrived[0]?.data).to.deep.include({ label: 'ada' });
        await scene.store.commit([removeUser(user, true)], tester);
        scene.clock.pass(minute);
        await scene.attempted(2);
        expect(scene.receiving.arrived[1]?.data).not.to.have.any.keys('after', 'label');
      },
      { content: 'values' },
    ));

  it('wait longer after each failure; after the tenth the entry is set aside, and the next one of the resource is sent', () =>
    inScene(
      (message) => (message.type === 'user.created' && message.data.id.endsWith('7') ? 500 : 200),
      async (scene) => {
        await scene.start();
        const user = await scene.add(aUser({ id: idIn('7') }));
        await scene.attempted(1);
        await scene.store.commit([replaceUser(user, changed(user, { title: 'Dr' }))], tester);
        await scene.add(aUser({ id: idIn('8') }));
        await scene.attempted(2);
        expect(scene.receiving.arrived[1]?.data.id).to.match(/8$/);
        for (const [at, planned] of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
          await until('the attempt is over', () => scene.next('7').tries === at + 1);
          const wait = scene.next('7').due - scene.clock.now();
          expect(wait / 1000).to.be.within(planned * 0.9, planned * 1.1);
          scene.clock.pass(wait - 1);
          await new Promise(setImmediate);
          expect(scene.attempts).to.have.lengthOf(at + 2);
          scene.clock.pass(1);
          await scene.attempted(at + 3);
        }
        await scene.arrived('messages', 12);
        expect(scene.receiving.arrived.at(-1)).to.include({ type: 'user.updated' });
        scene.write();
        expect([...scene.failures.values()]).to.have.lengthOf(1);
        expect([...scene.failures.values()][0]).to.include({
          id: user.id,
          type: 'user.created',
          outcome: '500',
        });
        expect(scene.attempts.filter(({ isLast, isDelivered }) => isLast && !isDelivered)).to.have.lengthOf(
          1,
        );
      },
    ));

  it('are sent again when they were set aside and a command asks for it, under the same id', () => {
    let status = 500;
    return inScene(
      () => status,
      async (scene) => {
        await scene.start();
        await scene.add();
        for (let tries = 1; tries <= 10; tries += 1) {
          await scene.attempted(tries);
          await until('the attempt is over', () => scene.receiving.open.now === 0);
          scene.clock.pass(27 * 60 * minute);
        }
        scene.write();
        const [failure] = scene.failures.values();
        status = 200;
        await scene.delivery?.repeat(failure as Failure);
        await scene.attempted(11);
        scene.write();
        expect(scene.failures.size).to.equal(0);
        expect(new Set(scene.receiving.arrived.map(({ message }) => message)).size).to.equal(1);
      },
    );
  });

  it('are sent again in the order of the log, when several of one resource were set aside', () => {
    let status = 500;
    return inScene(
      () => status,
      async (scene) => {
        await scene.start();
        let user = await scene.add();
        for (const title of ['a', 'b', 'c']) {
          const next = changed(user, { title });
          await scene.store.commit([replaceUser(user, next)], tester);
          user = next;
        }
        for (let tries = 1; tries <= 40; tries += 1) {
          await scene.attempted(tries);
          await until('the attempt is over', () => scene.receiving.open.now === 0);
          scene.clock.pass(27 * 60 * minute);
        }
        await until('all are set aside', () => {
          scene.write();
          return scene.failures.size === 4;
        });
        status = 200;
        const first = new Set(scene.receiving.arrived.map(({ message }) => message));
        for (const failure of scene.failures.values()) await scene.delivery?.repeat(failure);
        await scene.attempted(44);
        const again = scene.receiving.arrived.slice(40).map(({ message }) => message);
        expect(again).to.deep.equal([...first]);
      },
    );
  });

  /** Sets the first entry aside, while other changes arrive. */
  async function setOneAside(scene: Scene): Promise<Failure> {
    await scene.start();
    await scene.add(aUser({ enterprise: { department: 'Sales' } }));
    for (let tries = 1; tries <= 10; tries += 1) {
      await scene.attempted(tries);
      await until('the attempt is over', () => scene.receiving.open.now === 0);
      scene.clock.pass(27 * 60 * minute);
    }
    scene.write();
    const [failure] = scene.failures.values();
    return failure as Failure;
  }

  it('are replaced by a gap when they were set aside, and are not in the log any more when a command asks for them', () => {
    let status = 500;
    return inScene(
      () => status,
      async (scene) => {
        const failure = await setOneAside(scene);
        const far = Date.now() + 1;
        await scene.log.prune({ now: far, feedFrom: far, historyFrom: far, maxBytes: 2 ** 30 });
        status = 200;
        await scene.delivery?.repeat(failure);
        await scene.attempted(11);
        expect(scene.receiving.arrived[10]).to.deep.include({ type: 'directory.gap' });
        scene.write();
        expect(scene.failures.size).to.equal(0);
      },
    );
  });

  it('are forgotten when they were set aside before a change of the profile, and a command asks for them', () => {
    let status = 500;
    return inScene(
      () => status,
      async (scene) => {
        const failure = await setOneAside(scene);
        await scene.delivery?.stop(0);
        status = 200;
        scene.access = phonebook;
        await scene.start();
        await scene.attempted(11);
        expect(scene.receiving.arrived[10]).to.deep.include({ type: 'directory.gap' });
        await scene.delivery?.repeat(failure);
        scene.write();
        expect(scene.failures.size).to.equal(0);
      },
      {},
      sales,
    );
  });

  it('tell each change of the profile by a message with an id of its own, also in a quiet directory', () =>
    inScene(
      () => 204,
      async (scene) => {
        await scene.start();
        const told = async (access: Access | undefined, count: number): Promise<void> => {
          scene.write();
          await scene.delivery?.stop(0);
          scene.access = access;
          scene.clock.pass(minute);
          await scene.start();
          await scene.attempted(count);
        };
        for (const [at, access] of [phonebook, sales, phonebook, sales].entries()) await told(access, at + 1);
        const { arrived } = scene.receiving;
        expect(arrived.map(({ type }) => type)).to.deep.equal(
          Array.from({ length: 4 }, () => 'directory.gap'),
        );
        expect(new Set(arrived.map(({ message }) => message)).size).to.equal(4);
      },
      {},
      sales,
    ));

  it('obey Retry-After, and follow no redirect', () => {
    const replies: Reply[] = [[429, { 'Retry-After': '3600' }], [302, { Location: '/elsewhere' }], 200];
    return inScene(
      () => replies.shift() ?? 200,
      async (scene) => {
        await scene.start();
        await scene.add();
        await scene.attempted(1);
        scene.clock.pass(59 * minute);
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(scene.attempts).to.have.lengthOf(1);
        scene.clock.pass(2 * minute);
        await scene.attempted(2);
        expect(scene.attempts[1]).to.include({ outcome: '302', isDelivered: false });
        scene.clock.pass(6 * minute);
        await scene.attempted(3);
        expect(scene.receiving.arrived).to.have.lengthOf(3);
      },
    );
  });

  it('end with 410, until a command or another file enables them', () => {
    let status = 410;
    return inScene(
      () => status,
      async (scene) => {
        const delivery = await scene.start();
        await scene.add();
        await scene.attempted(1);
        scene.write();
        expect(scene.progress?.disabled).to.equal('a file');
        await delivery.stop(0);
        await scene.start();
        scene.clock.pass(48 * 60 * minute);
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(scene.receiving.arrived).to.have.lengthOf(1);
        status = 204;
        scene.delivery?.enable();
        await scene.attempted(2);
        expect(scene.attempts[1]).to.include({ isDelivered: true });
      },
    );
  });

  it('continue from the stored positions, and count the attempts that failed before', () =>
    inScene(
      ({ data }) => (data.id.endsWith('7') ? 500 : 200),
      async (scene) => {
        await scene.start();
        for (const digit of ['7', '8', '9']) await scene.add(aUser({ id: idIn(digit) }));
        await scene.attempted(3);
        scene.write();
        await scene.delivery?.stop(0);
        for (const digit of ['7', '9']) await scene.add(aUser({ id: idIn(digit) }));
        await scene.start();
        await scene.attempted(4);
        expect(scene.receiving.arrived.slice(3).map(({ data }) => data.id.at(-1))).to.deep.equal(['9']);
        scene.clock.pass(10_000);
        await scene.attempted(5);
        expect(scene.attempts[4]).to.include({
          tries: 2,
          message: scene.receiving.arrived.find(({ data }) => data.id.endsWith('7'))?.message,
        });
      },
    ));

  it('leave out what the receiver does not want: other types, its own changes, and users outside of its groups', () =>
    inScene(
      () => 200,
      async (scene) => {
        await scene.start();
        const group = aGroup({ id: groupId });
        const [inside, outside] = [aUser(), aUser()];
        await scene.store.commit([createGroup(group)], tester);
        await scene.store.commit([createUser(inside), createUser(outside)], tester);
        await scene.store.commit([changeMembers(group.id, { add: [inside.id] })], tester);
        await scene.attempted(1);
        for (const user of [inside, outside]) {
          const next = changed(user, { title: 'Dr' });
          await scene.store.commit([replaceUser(user, next)], { ...tester, client: 'payroll' });
          await scene.store.commit([replaceUser(next, changed(next, { title: 'Mx' }))], tester);
        }
        await scene.arrived('messages', 2);
        const [member] = (await scene.store.findAll('user', [inside.id])).values();
        await scene.store.commit(
          [{ kind: 'user', id: inside.id, op: 'remove', before: member as never }],
          tester,
        );
        await scene.arrived('messages', 3);
        expect(scene.receiving.arrived.map(({ type, data }) => [type, data.id])).to.deep.equal([
          ['group.members-changed', group.id],
          ['user.updated', inside.id],
          ['user.deleted', inside.id],
        ]);
      },
      {
        types: new Set(['user.updated', 'user.deleted', 'group.members-changed']),
        filter: [groupId],
        notBy: new Set(['payroll']),
      },
    ));

  it('tell receivers that select groups about an erased user, though the log no longer has the groups', () =>
    inScene(
      () => 200,
      async (scene) => {
        await scene.start();
        const [group, user] = [aGroup({ id: groupId }), aUser()];
        await scene.store.commit([createGroup(group), createUser(user)], tester);
        await scene.store.commit([changeMembers(group.id, { add: [user.id] })], tester);
        await scene.store.commit([removeUser(user, true)], tester);
        await scene.arrived('messages', 1);
        expect(scene.receiving.arrived.map(({ type, data }) => [type, data.id])).to.deep.equal([
          ['user.deleted', user.id],
        ]);
      },
      { types: new Set(['user.deleted']), filter: [groupId] },
    ));

  for (const content of ['thin', 'values'] as const)
    it(`are what a client with the receiver's access profile reads: ${content}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.tuple(fc.nat(3), fc.constantFrom('Sales', 'Research'), fc.nat(3)), {
            minLength: 1,
            maxLength: 40,
          }),
          (steps) =>
            inScene(
              () => 200,
              async (scene) => {
                await (await scene.start()).stop(0);
                const group = aGroup();
                await scene.store.commit([createGroup(group)], tester);
                const users = new Map<number, User>();
                for (const [at, department, what] of steps) {
                  const before = users.get(at);
                  const enterprise = { department };
                  if (before === undefined) users.set(at, await scene.add(aUser({ enterprise })));
                  else if (what === 0)
                    await scene.store.commit([changeMembers(group.id, { add: [before.id] })], tester);
                  else {
                    const next = what === 1 ? { title: `secret ${Math.random()}` } : { enterprise };
                    users.set(at, changed(before, next));
                    await scene.store.commit([replaceUser(before, users.get(at) as User)], tester);
                  }
                }
                // Members of groups are those that are inside when the entry is read.
                await scene.start();
                const last = await scene.add(aUser({ enterprise: { department: 'Sales' } }));
                const client = { id: 'a', scopes: new Set(['changes:read'] as const), access: scene.access };
                const query = { since: 'start' as const, limit: 1000, filter: {} };
                const { entries, end } = await scene.feed.feed(client, query, (read) => read());
                await until('the last has arrived', () =>
                  scene.receiving.arrived.some(({ data }) => data.id === last.id),
                );
                await scene.arrived('messages', entries.length);
                const told = scene.receiving.arrived.map(
                  ({ data: { cursor: _, before, after, label, ...data } }) => data,
                );
                const shown = entries.map((entry) => toChangeDocument(entry, end.line) as { cursor: string });
                expect(told).to.have.deep.members(shown.map(({ cursor: _, ...data }) => data));
                expect(JSON.stringify(scene.receiving.arrived))
                  .not.to.contain('secret')
                  .and.not.to.contain('/title');
                const values = scene.receiving.arrived.filter(({ data }) => 'after' in data);
                if (content === 'thin') expect(values).to.deep.equal([]);
                else expect(values.map(({ data }) => data.id)).to.include(last.id);
                const [access] = String(scene.receiving.arrived[0]?.data.cursor).split('.').slice(3);
                expect(access).to.equal(scene.access?.mark);
              },
              { content },
              sales,
            ),
        ),
        { numRuns: runs(40) },
      ));

  it('report a gap when the profile was changed while the sender was stopped', () =>
    inScene(
      () => 200,
      async (scene) => {
        await scene.start();
        await scene.add(aUser({ enterprise: { department: 'Sales' } }));
        await scene.attempted(1);
        scene.write();
        await scene.delivery?.stop(0);
        scene.access = undefined;
        await scene.start();
        await scene.attempted(2);
        expect(scene.receiving.arrived[1]).to.deep.include({ type: 'directory.gap' });
      },
      {},
      sales,
    ));

  it('report a gap when entries after the position were removed, and continue after it', () => {
    let isUp = false;
    return inScene(
      () => (isUp ? 200 : 500),
      async (scene) => {
        await scene.start();
        await scene.add(aUser({ id: idIn('1') }));
        await scene.attempted(1);
        scene.write();
        await scene.delivery?.stop(0);
        await scene.add();
        const far = Date.now() + 1;
        await scene.log.prune({ now: far, feedFrom: far, historyFrom: far, maxBytes: 2 ** 30 });
        await scene.start();
        await scene.attempted(2);
        expect(scene.receiving.arrived[1]).to.deep.include({ type: 'directory.gap' });
        expect(scene.receiving.arrived[1]?.data).to.deep.include({ reason: 'expired' });
        const user = await scene.add();
        scene.clock.pass(10_000);
        await scene.attempted(3);
        expect(scene.receiving.arrived[2]?.message).to.equal(scene.receiving.arrived[1]?.message);
        isUp = true;
        scene.clock.pass(6 * minute);
        await scene.attempted(5);
        expect(scene.receiving.arrived[4]?.data.id).to.equal(user.id);
      },
    );
  });

  it('report a gap when the log was begun anew while messages with values waited in every partition', () => {
    let isUp = false;
    return inScene(
      () => (isUp ? 204 : 500),
      async (scene) => {
        const delivery = await scene.start();
        for (let at = 0; at < 16 * 9; at += 1) await scene.add(aUser({ id: idIn((at % 16).toString(16)) }));
        await scene.attempted(16);
        await until('nothing more to read', () => delivery.nextRead === undefined);
        isUp = true;
        delivery.line = 'the former log';
        scene.clock.pass(minute);
        const findGap = () => scene.receiving.arrived.find(({ type }) => type === 'directory.gap');
        await until('a gap', () => findGap() !== undefined);
        expect(findGap()?.data).to.deep.include({ reason: 'replaced' });
      },
      { content: 'values' },
    );
  });

  it('begin at the oldest entry for a receiver that asks for it', () =>
    inScene(
      () => 200,
      async (scene) => {
        const user = await scene.add();
        await scene.start();
        await scene.attempted(1);
        expect(scene.receiving.arrived[0]?.data.id).to.equal(user.id);
      },
      { start: 'start' },
    ));

  it('arrive at least once, the first attempts of each resource in commit order, whatever the receiver answers and however often the sender is killed', () =>
    fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(
          fc.constantFrom<Reply>(200, 204, 500, [503, { 'Retry-After': '1' }], 302, (request) =>
            request.socket.destroy(),
          ),
        ),
        fc.array(fc.tuple(fc.nat(5), fc.boolean(), fc.nat(7)), { minLength: 1, maxLength: 60 }),
        (replies, steps) =>
          inScene(
            () => replies.next().value as Reply,
            async (scene) => {
              await scene.start();
              const users = new Map<number, User>();
              for (const [at, isWritten, kill] of steps) {
                const before = users.get(at);
                const next =
                  before === undefined ? aUser() : changed(before, { title: `${scene.clock.time}` });
                await scene.store.commit(
                  [before === undefined ? createUser(next) : replaceUser(before, next)],
                  tester,
                );
                users.set(at, next);
                scene.clock.pass(1);
                if (isWritten) scene.write();
                if (kill === 0) {
                  await scene.delivery?.stop(0);
                  await scene.start();
                }
              }
              const entries = await follow(scene.log, 'start');
              const wanted = new Set(entries.map(({ number }) => number));
              await until('every entry has been delivered or set aside', () => {
                scene.clock.pass(30 * 60 * minute);
                for (const { message, isLast } of scene.attempts)
                  if (isLast) wanted.delete(Number.parseInt(message, 10));
                return wanted.size === 0;
              });
              for (const { id } of users.values()) {
                const first = new Set(
                  scene.receiving.arrived
                    .filter(({ data }) => data.id === id)
                    .map(({ message }) => Number.parseInt(message, 10)),
                );
                expect([...first]).to.deep.equal([...first].sort((one, other) => one - other));
              }
              expect(scene.problems).to.deep.equal([]);
            },
            { concurrency: 16 },
          ),
      ),
      { numRuns: runs(60) },
    ));
});

const groupId = '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10';
