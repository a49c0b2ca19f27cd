import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { MongoOptions } from '../../../../src/adapters/stores/mongodb/connection/client.ts';
import { layoutNumber } from '../../../../src/adapters/stores/mongodb/layout/layout-number.ts';
import {
  type Counter,
  type EntryDocument,
  logCollectionsOf,
} from '../../../../src/adapters/stores/mongodb/log/entries.ts';
import { toUserKey } from '../../../../src/adapters/stores/mongodb/log/users.ts';
import { aGroupOf, idsOf, removing } from '../../../contract/group-store.ts';
import { until } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';
import { plain } from '../../../support/plain-store.ts';
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

  const log = () => logCollectionsOf(database.client.db());
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

  /** Entries that name users, but stand in no history. */
  const incomplete = async (): Promise<readonly EntryDocument[]> => {
    const filter = { of: /^group /, entry: /"(?:added|removed)"/, users: { $exists: false } };
    return await log().entries.find(filter).toArray();
  };
  const untilComplete = () => until('all are complete', async () => (await incomplete()).length === 0);

  it('completes entries of the release before, also those that it writes beside this one, and lets it write', async () => {
    await logAll(3);
    const store = await open();
    await untilComplete();
    const user = randomUUID();
    const number = await before.log(randomUUID(), [user]);
    expect(await usersOf(number)).to.equal(undefined);
    await untilComplete();
    expect(await usersOf(number)).to.deep.equal([toUserKey(user)]);
    const { group, members } = await aGroupOf(plain(store), 2);
    await store.groups.changeMembers(group.id, removing(...members));
    expect(await incomplete()).to.deep.equal([]);
    const last = await log().entries.findOne({}, { sort: { _id: -1 } });
    expect(last?.users).to.have.deep.members(idsOf(members).map(toUserKey));
    expect(await before.log(randomUUID(), [user])).to.be.a('number');
    expect(await layout()).to.equal(1);
    expect(told).to.deep.equal([]);
  });

  it('raises the number of the layout once the release before no longer writes, which it cannot do from then on', async () => {
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

  it('misses no entry when it raises the number while processes of both releases write', async () => {
    const stores = [await open({ quiet: 0 }), await open({ quiet: 0 })];
    const { group, members } = await aGroupOf(plain(stores[0] ?? expect.fail()), 2);
    let written = 0;
    let isRefused = false;
    const old = async () => {
      for (let number: number | undefined = 0; number !== undefined; ) {
        number = await before.log(group.id, idsOf(members));
        // A second without a write of this process: the number is raised in one of these.
        if (number !== undefined) written += 1;
        if (written % 40 === 0) await until('the number is raised', async () => (await layout()) === 2);
      }
      isRefused = true;
    };
    const current = stores.map(async (store) => {
      while (!isRefused) await aGroupOf(plain(store), 2);
    });
    await Promise.all([old(), old(), ...current]);
    expect(written).to.be.at.least(40);
    await untilComplete();
    expect(await log().entries.countDocuments({ 'users.1': { $exists: true } })).to.be.at.least(written);
  });

  it('goes on completing entries of release 1.0, which knows no number', async () => {
    await open({ quiet: 0 });
    await until('it is raised', async () => (await layout()) === layoutNumber);
    const first = new ProcessBefore(database.uri, Number.POSITIVE_INFINITY);
    const number = await first.log(randomUUID(), [randomUUID()]);
    await first.close();
    expect(await usersOf(number)).to.equal(undefined);
    await untilComplete();
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
