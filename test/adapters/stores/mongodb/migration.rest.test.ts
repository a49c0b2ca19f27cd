import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { MongoOptions } from '../../../../src/adapters/stores/mongodb/connection/client.ts';
import { fromPrimary } from '../../../../src/adapters/stores/mongodb/connection/database.ts';
import { layoutNumber } from '../../../../src/adapters/stores/mongodb/layout/layout-number.ts';
import {
  type Counter,
  type EntryDocument,
  logCollectionsOf,
  type Migrated,
} from '../../../../src/adapters/stores/mongodb/log/entries.ts';
import { toIdKey } from '../../../../src/adapters/stores/mongodb/log/users.ts';
import type { GroupDocument } from '../../../../src/domain/kinds/group/kind.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import type { Stored } from '../../../../src/domain/resource/stored.ts';
import type { Write } from '../../../../src/domain/store.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  removeGroup,
  removeUser,
} from '../../../contract/change-log.ts';
import { aGroupOf, idsOf, removing } from '../../../contract/group-store.ts';
import { idOf, readFixture, storeFiles } from '../../../releases/fixture.ts';
import { parseDump, restoreDump } from '../../../releases/mongodb-dump.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';
import { plain } from '../../../support/plain-store.ts';
import { tester } from '../../../support/store-verbs.ts';
import { portOf } from '../../../support/stores.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { ProcessBefore } from './layout-before.ts';

describeMongo('The migration of a MongoDB store', () => {
  let database: TestDatabase;
  let before: ProcessBefore;
  let told: string[];

  beforeEach(async () => {
    database = await aDatabase();
    told = [];
    await (await database.open()).close();
    before = new ProcessBefore(database.uri);
    await log().state.updateOne({ _id: 'counter' }, { $set: { layout: 1 }, $unset: { taken: 1 } });
  });
  afterEach(async () => {
    await before.close();
    await database.drop();
  });

  const log = () => logCollectionsOf(database.client.db(), fromPrimary);
  const open = (options: Partial<MongoOptions> = {}) =>
    database.open({ onProblem: (line) => told.push(line), ...options });
  const layout = async () => ((await log().state.findOne({ _id: 'counter' })) as Counter | null)?.layout;
  const usersOf = async (number: number | undefined) =>
    (await log().entries.findOne({ _id: number ?? 0 }))?.users;

  async function logAll(count: number): Promise<readonly (number | undefined)[]> {
    const numbers: (number | undefined)[] = [];
    for (let left = count; left > 0; left -= 1)
      numbers.push(await before.log(randomUUID(), [randomUUID(), 'of-another-form']));
    return numbers;
  }

  /** Entries that name users, but stand in no history, and those that their request doesn't find. */
  const incomplete = async (): Promise<readonly EntryDocument[]> => {
    const aboutUsers = { of: /^group /, entry: /[.](?:members-changed|deleted)"/, users: { $exists: false } };
    const ofRequest = { entry: /"request":/, request: { $exists: false } };
    return await log()
      .entries.find({ $or: [aboutUsers, ofRequest] })
      .toArray();
  };
  const progress = async () => (await log().state.findOne({ _id: 'migration' })) as Migrated | null;
  const untilComplete = () => until('all are complete', async () => (await incomplete()).length === 0);

  /** What the history tells, the newest entry first. */
  async function historyOf({ changes }: UserStore, id: string): Promise<unknown> {
    const page = await changes?.history(1000, undefined, { kind: 'user', id });
    return page?.entries.map(({ number, type, added, removed }) => ({ number, type, added, removed }));
  }

  /** Users and groups come, go and come again. @returns the ids of the users */
  async function changeAtRandom(store: UserStore): Promise<readonly string[]> {
    const port = portOf(store);
    const users = Array.from({ length: 6 }, () => aUser());
    const groups = Array.from({ length: 2 }, () => aGroup());
    const some = <T>(all: readonly T[]): T[] => all.filter(() => Math.random() < 0.5);
    const commit = async (write: Write) => (await port.commit([write], tester))[0] === 'done';
    const [user, group] = [new Set<User>(), new Set<Stored<GroupDocument>>()];
    const toggle = async <T>(stored: Set<T>, one: T, make: (one: T) => Write, end: (one: T) => Write) => {
      if (await commit(stored.has(one) ? end(one) : make(one)))
        stored.has(one) ? stored.delete(one) : stored.add(one);
    };
    const ids = () => some([...user]).map(({ id }) => id);
    for (let count = 0; count < 120; count += 1) {
      const [one, of] = [users[count % 7], groups[count % 2]];
      if (count % 11 === 0 && of) await toggle(group, of, (made) => createGroup(made, ids()), removeGroup);
      else if (one && (count < 6 || Math.random() < 0.2))
        await toggle(user, one, createUser, (gone) => removeUser(gone, Math.random() < 0.3));
      else if (of) {
        const isWhole = Math.random() < 0.4;
        const change = { add: ids(), remove: [], ...(isWhole ? { isWhole } : { remove: ids() }) };
        const remove = change.remove.filter((id) => !change.add.includes(id));
        await commit(changeMembers(of.id, { ...change, remove }));
      }
    }
    return users.map(({ id }) => id);
  }

  it('completes entries of the previous release, also those written during the upgrade, and lets it write', async () => {
    await logAll(3);
    const store = await open();
    await untilComplete();
    const user = randomUUID();
    const request = randomUUID();
    const number = await before.log(request, [user]);
    expect(await usersOf(number)).to.equal(undefined);
    await untilComplete();
    expect(await usersOf(number)).to.deep.equal([toIdKey(user)]);
    const ofRequest = await store.changes?.history(9, undefined, { requests: new Set([request]) });
    expect(ofRequest?.entries.map((entry) => entry.number)).to.deep.equal([number]);
    const { group, members } = await aGroupOf(plain(store), 2);
    await store.groups.changeMembers(group.id, removing(...members));
    expect(await incomplete()).to.deep.equal([]);
    const last = await log().entries.findOne({}, { sort: { _id: -1 } });
    expect(last?.users).to.have.deep.members(idsOf(members).map(toIdKey));
    expect(await before.log(randomUUID(), [user])).to.be.a('number');
    expect(await layout()).to.equal(1);
    expect(told).to.deep.equal([]);
  });

  it('raises the layout number once the previous release has stopped writing, and refuses its writes from then on', async () => {
    await logAll(2);
    await open({ quiet: 0 });
    await until('it is raised', async () => (await layout()) === layoutNumber);
    expect(await incomplete()).to.deep.equal([]);
    const last = await log().entries.countDocuments();
    expect(await before.log(randomUUID(), [randomUUID()])).to.equal(undefined);
    expect(await log().entries.countDocuments()).to.equal(last);
    await until('the process says so', () => told.length > 0);
    expect(told.join()).to.include(`has layout ${layoutNumber} from now on`);
  });

  it('misses no entry when it raises the layout number while processes of both releases write', async () => {
    const [group, ...members] = [randomUUID(), randomUUID(), randomUUID()];
    let written = 0;
    let isRefused = false;
    const old = async () => {
      for (let number: number | undefined = 0; number !== undefined; ) {
        number = await before.log(group, members);
        // A second without a write of this process: the number is raised in one of these.
        if (number !== undefined) written += 1;
        if (written % 40 === 0) await until('the number is raised', async () => (await layout()) === 2);
      }
      isRefused = true;
    };
    const writing = [old(), old()];
    // On a busy machine a pause between two writes may be enough for the number to be raised.
    await until('the release before writes', () => written >= 30);
    const stores = [await open({ quiet: 0 }), await open({ quiet: 0 })];
    const current = stores.map(async (store) => {
      while (!isRefused) await aGroupOf(plain(store), 2);
    });
    await Promise.all([...writing, ...current]);
    await untilComplete();
    expect(await log().entries.countDocuments({ 'users.1': { $exists: true } })).to.be.at.least(written);
  });

  it('keeps completing entries of release 1.0, which knows no layout number', async () => {
    await open({ quiet: 0 });
    await until('it is raised', async () => (await layout()) === layoutNumber);
    const first = new ProcessBefore(database.uri, Number.POSITIVE_INFINITY);
    const number = await first.log(randomUUID(), [randomUUID()]);
    await first.close();
    expect(await usersOf(number)).to.equal(undefined);
    await untilComplete();
  });

  it('gives users the histories that this release would have written, also for replaced lists of members and deleted groups', async () => {
    const store = await open();
    const users = await changeAtRandom(store);
    const sets = database.client.db().collection('left_sets', fromPrimary);
    const dropped = () => sets.countDocuments();
    await until('no set is left to be removed', async () => (await dropped()) === 0);
    const all = (from: UserStore) => Promise.all(users.map((id) => historyOf(from, id)));
    const expected = await all(store);
    await store.close();
    await log().entries.updateMany({}, { $unset: { users: 1, leaving: 1 } });
    await log().leavers.deleteMany({});
    await log().state.deleteOne({ _id: 'migration' });
    await log().state.updateOne({ _id: 'counter' }, { $set: { layout: 1 }, $unset: { taken: 1 } });
    const later = await open();
    await until('it is done', async () => (await progress())?.untaken !== undefined);
    expect(await all(later)).to.deep.equal(expected);
  });

  it('reads from the log of a release 1.0 store which groups each user has been in', async () => {
    const restored = await aDatabase();
    try {
      const dump = parseDump(readFixture('1.0', storeFiles.mongodb).toString());
      await restoreDump(restored.client.db(), dump);
      const store = await restored.open({ quiet: 0, onProblem: (line) => told.push(line) });
      await until('it is done', () => told.join().includes(`has layout ${layoutNumber} from now on`));
      const ofGroups = async (user: number): Promise<readonly number[]> => {
        const page = await store.changes?.history(100, undefined, { kind: 'user', id: idOf(user) });
        return page?.entries.flatMap(({ type, number }) => (type.startsWith('group.') ? number : [])) ?? [];
      };
      expect(await ofGroups(1)).to.deep.equal([84, 62, 52]);
      expect(await ofGroups(4)).to.deep.equal([60, 56, 52]);
      // A whole list left out the first, and named the second.
      expect(await ofGroups(10)).to.deep.equal([66, 64]);
      expect(await ofGroups(14)).to.deep.equal([66, 52]);
      // Erased.
      expect(await ofGroups(15)).to.deep.equal([]);
      expect(await ofGroups(16)).to.deep.equal([84, 62]);
    } finally {
      await restored.drop();
    }
  });

  it('begins again when the entries were restored from a time before it', async () => {
    await logAll(2);
    const store = await open({ quiet: 0 });
    await until('it is raised', async () => (await layout()) === layoutNumber);
    await store.close();
    await log().entries.updateMany({}, { $unset: { users: 1 } });
    await log().entries.deleteOne({ _id: 2 });
    await open();
    await untilComplete();
  });
});
