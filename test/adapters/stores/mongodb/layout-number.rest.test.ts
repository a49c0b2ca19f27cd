import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { MongoOptions } from '../../../../src/adapters/stores/mongodb/connection/client.ts';
import { layoutNumber } from '../../../../src/adapters/stores/mongodb/layout/layout-number.ts';
import { type Counter, logCollectionsOf } from '../../../../src/adapters/stores/mongodb/log/entries.ts';
import { inspectDatabase } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import { matching } from '../../../../src/domain/find/conditions.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { outcome, refused } from '../../../contract/refusals.ts';
import { aGroup } from '../../../support/a-group.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { untilReady } from './behind-a-proxy.ts';
import { processBefore } from './release-before.ts';

const later = layoutNumber + 1;
const names = `layout ${later}, this one knows ${layoutNumber}`;

describeMongo('The layout number of a MongoDB store', () => {
  let database: TestDatabase;
  let problems: string[];

  beforeEach(async () => {
    database = await aDatabase();
    problems = [];
  });
  afterEach(() => database.drop());

  const open = (options: Partial<MongoOptions> = {}): Promise<UserStore> =>
    database.open({ onProblem: (line) => problems.push(line), ...options });
  const state = () => logCollectionsOf(database.client.db()).state;
  const layout = async () => ((await state().findOne({ _id: 'counter' })) as Counter | null)?.layout;
  const raise = () => state().updateOne({ _id: 'counter' }, { $set: { layout: later } });
  const lower = () => state().updateOne({ _id: 'counter' }, { $set: { layout: layoutNumber } });
  const insert = (store: UserStore) => store.insert(Stored.of(aUser()));

  /** All documents and indexes. */
  async function dump(): Promise<unknown> {
    const db = database.client.db();
    const collections = await db.listCollections().toArray();
    const all = collections.map(async ({ name }) => {
      const documents = await db.collection(name).find().sort({ _id: 1 }).toArray();
      return [name, documents, await db.collection(name).indexes()];
    });
    return (await Promise.all(all)).sort();
  }

  it('is written when the store is made, and survives all writes and switching the log off and on', async () => {
    const store = await open();
    expect(await layout()).to.equal(layoutNumber);
    const user = Stored.of(aUser());
    await store.insert(user);
    await store.remove(user.value.id, user.version);
    await store.changes?.erase({ kind: 'user', id: user.value.id });
    await open({ isLogged: false });
    expect(await layout()).to.equal(layoutNumber);
    await open();
    await insert(store);
    expect(await layout()).to.equal(layoutNumber);
  });

  it('is written on a store of release 1.0 once that release has not written for a while, and stays if it writes again', async () => {
    const first = await open();
    await insert(first);
    await state().updateOne({ _id: 'counter' }, { $unset: { layout: 1, taken: 1 } });
    await insert(first);
    expect(await layout()).to.equal(undefined);
    const second = await open({ quiet: 0 });
    await until('it is written', async () => (await layout()) === layoutNumber);
    // The release's own update, which knows no number.
    const mark = randomUUID();
    const update = { $inc: { number: 0 }, $set: { mark }, $setOnInsert: { line: mark } };
    await state().updateOne({ _id: 'counter' }, update, { upsert: true });
    await insert(second);
    expect(await layout()).to.equal(layoutNumber);
  });

  it('is written together with the counter after another program has removed the counter of a running store', async () => {
    const store = await open();
    await state().deleteMany({});
    await insert(store);
    expect(await layout()).to.equal(layoutNumber);
  });

  it('refuses every write of running processes once a newer release has raised it, and changes nothing; reads go on', async () => {
    const [one, other] = [await open(), await open()];
    const [user, gone] = [Stored.of(aUser()), Stored.of(aUser())];
    const group = aGroup();
    for (const each of [user, gone]) await one.insert(each);
    await one.groups.insert(group, [user.value.id]);
    await one.remove(gone.value.id, gone.version);
    await raise();
    const before = await dump();
    for (const store of [one, other]) {
      const next = Stored.of(changed(user.value, { displayName: 'Next' }));
      const { message } = await refused(insert(store), 'unavailable');
      expect(message).to.include(names).and.include('Start the newer release');
      await refused(store.replace(next, user.version), 'unavailable');
      await refused(store.remove(user.value.id, user.version), 'unavailable');
      await refused(
        store.groups.changeMembers(group.value.id, { add: [], remove: [user.value.id] }),
        'unavailable',
      );
      const erasing = store.changes?.erase({ kind: 'user', id: gone.value.id });
      await refused(erasing ?? expect.fail('no log'), 'unavailable');
      const all = { now: Date.now(), feedFrom: Date.now(), historyFrom: Date.now(), maxBytes: 0 };
      await refused(store.changes?.prune(all) ?? expect.fail('no log'), 'unavailable');
      expect((await store.find(user.value.id))?.value).to.deep.equal(user.value);
      expect(await store.list({ where: matching({ group: group.value.id }), limit: 9 })).to.have.length(1);
    }
    await until('both processes say so', () => problems.length === 2);
    for (const line of problems) expect(line).to.include('only read from now on').and.include(names);
    expect(await dump()).to.deep.equal(before);
    await lower();
    await insert(one);
  });

  it('stops sweeps and the rebuilding of keys once a newer release has raised it: reads by keys are then unavailable', async () => {
    const store = await open();
    const user = aUser();
    await store.insert(Stored.of(user));
    await raise();
    await processBefore(database).insert(aUser());
    await database.client.db().collection<{ _id: string }>('dropped_sets').insertOne({ _id: 'a-set' });
    const before = await dump();
    await until('the process has noticed', () => problems.length === 1);
    const reading = outcome(store.list({ where: matching({ userName: user.userName }), limit: 9 }));
    expect(await reading).to.equal('unavailable');
    expect((await store.find(user.id))?.value).to.deep.equal(user);
    expect(await dump()).to.deep.equal(before);
  });

  it('is raised between two writes of busy processes: later writes are refused, and answered ones are stored', async () => {
    const stores = [await open(), await open(), await open()];
    const answered: string[] = [];
    let isRefused = false;
    const writing = stores.map(async (store) => {
      for (let count = 0; count < 200; count += 1) {
        const user = aUser();
        const ended = await outcome(store.insert(Stored.of(user)));
        if (ended === 'unavailable') break;
        expect(ended).to.equal(undefined);
        answered.push(user.id);
      }
      isRefused = true;
    });
    await until('each process is at work', () => answered.length > 10);
    expect(isRefused).to.equal(false);
    await raise();
    await Promise.all(writing);
    const stored = await database.client.db().collection<{ _id: string }>('users').find().toArray();
    expect(stored.map(({ _id }) => _id).sort()).to.deep.equal(answered.sort());
    expect(await layout()).to.equal(later);
  });

  it('keeps a process of this release from starting when a newer one has raised it, and `check` says so; nothing is created', async () => {
    await insert(await open());
    await raise();
    await database.client.db().collection('users').dropIndexes();
    const before = await dump();
    problems = [];
    const store = await open();
    expect(problems.join()).to.include('is not ready').and.include(names);
    await refused(store.check(), 'unavailable');
    await refused(insert(store), 'unavailable');
    const inspection = inspectDatabase({ uri: database.uri, onProblem: () => undefined });
    const told = await inspection.then(() => '', String);
    expect(told).to.include(names).and.include('Start the newer release');
    expect(await dump()).to.deep.equal(before);
    await lower();
    await untilReady(store);
    await insert(store);
  });
});
