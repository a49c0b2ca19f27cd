import { expect } from 'chai';
import type { Collection } from 'mongodb';
import {
  collectionName,
  currentRules,
  toDocument,
  userDocuments,
} from '../../../../src/adapters/stores/mongodb/documents/stored-document.ts';
import type { AnyDocument } from '../../../../src/adapters/stores/mongodb/layout/reindexing.ts';
import { matching } from '../../../../src/domain/find/conditions.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { outcome, refused } from '../../../contract/refusals.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import {
  aDatabase,
  describeMongo,
  inADatabase,
  openAt,
  type TestDatabase,
} from '../../../support/mongodb.ts';
import { type PlainStore, plain } from '../../../support/plain-store.ts';
import { untilReady } from './behind-a-proxy.ts';

/** Derived members as an earlier release would have left them. */
const outdatedKeys = (nameKey: string) => ({ nameKey, keys: ['gone:x'], keyedBy: '0 gone' });

describeMongo('A MongoDB database whose names and filters another release made', () => {
  let database: TestDatabase;
  let users: Collection<AnyDocument>;
  let problems: string[];
  let opened: PlainStore[];

  beforeEach(async () => {
    database = await aDatabase();
    users = database.client.db().collection(collectionName);
    problems = [];
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await database.drop();
  });

  async function open(): Promise<PlainStore> {
    const onProblem = (line: string): unknown => problems.push(line);
    const store = plain(await openAt(database.uri, { onProblem }));
    opened.push(store);
    return store;
  }
  async function openReady(): Promise<PlainStore> {
    const store = await open();
    await untilReady(store);
    return store;
  }
  /** Users as this release stores them. */
  async function filled(...all: readonly User[]): Promise<void> {
    await (await database.open()).close();
    await users.insertMany(all.map((user) => toDocument(Stored.of(user), user.id, userDocuments)));
  }
  const left = (): Promise<number> => users.countDocuments({ keyedBy: { $ne: currentRules } });
  const byName = (store: PlainStore, userName: string): Promise<User[]> =>
    store.list({ where: matching({ userName }), limit: 9 });

  it('gets them made anew before it serves, and versions stay', async () => {
    const [one, two] = [aUser({ userName: 'One', roles: ['x'] }), aUser({ userName: 'Two', roles: ['x'] })];
    await filled(one, two);
    await users.updateOne({ _id: one.id }, { $set: outdatedKeys('ONE') });
    await users.updateOne({ _id: two.id }, { $unset: { keyedBy: 1 }, $set: { keys: [] } });
    const store = await openReady();
    expect(problems.join()).to.match(/not ready.*keys are made anew/);
    expect(await byName(store, 'one')).to.deep.equal([one]);
    expect(await store.list({ where: matching({ role: 'x' }), limit: 9 })).to.have.deep.members([one, two]);
    expect(await store.find(one.id)).to.deep.equal(one);
    expect(await outcome(store.insert(aUser({ userName: 'ONE' })))).to.equal('user-name-taken');
    expect(await store.replace(changed(two, { userName: 'Three' }), two.meta.version)).to.equal(true);
    expect(await users.countDocuments({ keys: 'gone:x' })).to.equal(0);
    expect(await left()).to.equal(0);
  });
  it('lets names pass from one user to another, in a row and in a round', async () => {
    const all = ['a', 'b', 'c', 'd', 'e'].map((userName) => aUser({ userName }));
    await filled(...all);
    // Each has the name of the next: d and e have each other's, a's is nobody's.
    const before = { a: 'b', b: 'c', c: 'free', d: 'e', e: 'd' };
    for (const { id } of all) await users.updateOne({ _id: id }, { $set: outdatedKeys(`\0${id}`) });
    for (const { id, userName } of all) {
      await users.updateOne({ _id: id }, { $set: outdatedKeys(Reflect.get(before, userName)) });
    }
    const store = await openReady();
    for (const user of all) expect(await byName(store, user.userName)).to.deep.equal([user]);
    expect(await left()).to.equal(0);
  });
  it('is prepared by several stores at once, though one of them stops halfway', async () => {
    const all = Array.from({ length: 1000 }, () => aUser({ roles: ['x'] }));
    await filled(...all);
    await users.updateMany({}, { $set: { keys: [], keyedBy: '0 gone' } });
    const stores = await Promise.all(Array.from({ length: 3 }, open));
    await stores[0]?.close();
    for (const store of stores.slice(1)) {
      await untilReady(store);
      expect(await store.list({ where: matching({ role: 'x' }), limit: 2000 })).to.have.length(1000);
    }
    expect(await left()).to.equal(0);
  });
  it('loses nothing that the release before writes meanwhile, and finds it at the next start', async () => {
    const all = Array.from({ length: 600 }, () => aUser());
    await filled(...all);
    await users.updateMany({}, { $set: { keys: [], keyedBy: '0 gone' } });
    const opening = open();
    const written = all.filter((_, at) => at % 3 === 0);
    await Promise.all(
      written.map(async ({ id, userName }) => {
        const { _id, ...found } = (await users.findOne({ _id: id })) ?? expect.fail('no user');
        const next = changed({ id, ...found }, { title: 'changed meanwhile' });
        const { id: _, ...members } = next;
        const filter = { _id: id, 'meta.version': found.meta.version };
        const { matchedCount } = await users.replaceOne(filter, { ...members, ...outdatedKeys(userName) });
        expect(matchedCount).to.equal(1);
      }),
    );
    await untilReady(await opening);
    const store = await openReady();
    expect(await left()).to.equal(0);
    for (const { userName } of written) {
      expect((await byName(store, userName))[0]?.title).to.equal('changed meanwhile');
    }
  });
  it('is not served while two names have become one; says whose they are, and is when one is changed', async () => {
    const [one, two, other] = [aUser({ userName: 'twin' }), aUser({ userName: 'b' }), aUser()];
    await filled(one, two, other);
    await users.updateMany({}, { $set: { keys: [], keyedBy: '0 gone' } });
    await users.updateOne({ _id: two.id }, { $set: { userName: 'TWIN' } });
    const store = await open();
    await until('the second problem is told', () => problems.length === 2);
    await refused(store.check(), 'unavailable');
    expect(problems[1]).to.include(one.id).and.include(two.id).and.include('rename').and.not.match(/twin/i);
    expect(await left()).to.equal(1);
    await users.updateOne({ keyedBy: '0 gone' }, { $set: { userName: 'renamed' } });
    await untilReady(store);
    expect(await byName(store, 'renamed')).to.have.length(1);
    expect(problems).to.have.length(2);
  });
  it('is left as it is when that release is a newer one', async () => {
    const user = aUser();
    await filled(user);
    await users.updateOne({ _id: user.id }, { $set: { ...outdatedKeys('x'), keyedBy: '9999 other' } });
    const before = await users.findOne({ _id: user.id });
    await refused((await open()).check(), 'unavailable');
    expect(problems.join()).to.include('newer release');
    expect(await users.findOne({ _id: user.id })).to.deep.equal(before);
  });
  it('is left as it is when that release has all of this one’s filters, and more', async () => {
    const user = aUser();
    await filled(user);
    await users.updateOne({ _id: user.id }, { $set: { keyedBy: `${currentRules},more` } });
    await (await open()).check();
    expect(problems).to.deep.equal([]);
    expect(await left()).to.equal(1);
  });
});

describeMongo('A MongoDB database whose names and filters this release made', () => {
  it('is known to be so without a look at its users', () =>
    inADatabase(async (database) => {
      const store = await database.open();
      await Promise.all(Array.from({ length: 300 }, () => store.insert(Stored.of(aUser()))));
      await store.close();
      const db = database.client.db();
      await db.command({ profile: 2 });
      await (await database.open()).close();
      await db.command({ profile: 0 });
      const seen = {
        ns: `${db.databaseName}.${collectionName}`,
        op: { $in: ['query', 'command', 'getmore'] },
      };
      const commands = await db.collection('system.profile').find(seen).toArray();
      expect(commands.some(({ command }) => 'distinct' in command)).to.equal(true);
      for (const { keysExamined = 0, docsExamined = 0 } of commands) {
        expect(keysExamined).to.be.at.most(4);
        expect(docsExamined).to.equal(0);
      }
    }));
});
