import { expect } from 'chai';
import type { Collection } from 'mongodb';
import {
  type ResourceDocument,
  rulesOf,
} from '../../../../src/adapters/stores/mongodb/documents/document.ts';
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
import { userDocument, userKind } from './documents.ts';

/** Derived members as an earlier release would have left them. */
const outdatedKeys = (name: string) => ({ name, keys: ['gone:x'], keyedBy: '0 gone' });

describeMongo('A MongoDB database whose keys another release made', () => {
  let database: TestDatabase;
  let users: Collection<ResourceDocument>;
  let problems: string[];
  let opened: PlainStore[];

  beforeEach(async () => {
    database = await aDatabase();
    users = database.client.db().collection('users');
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
    await users.insertMany(all.map(userDocument));
  }
  const left = (): Promise<number> => users.countDocuments({ keyedBy: { $ne: rulesOf(userKind) } });
  const byName = (store: PlainStore, userName: string): Promise<User[]> =>
    store.list({ where: matching({ userName }), limit: 9 });

  it('gets new keys before it is served, and versions stay', async () => {
    const [one, two] = [aUser({ userName: 'One', roles: ['x'] }), aUser({ userName: 'Two', roles: ['x'] })];
    await filled(one, two);
    await users.updateOne({ _id: one.id }, { $set: outdatedKeys('ONE') });
    await users.updateOne({ _id: two.id }, { $set: { keys: [], keyedBy: '0 other' } });
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
  it('lets names pass from one user to the next, in a row and in a circle', async () => {
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
  it('loses nothing that the previous release writes meanwhile, and finds it at the next start', async () => {
    const all = Array.from({ length: 600 }, () => aUser());
    await filled(...all);
    await users.updateMany({}, { $set: { keys: [], keyedBy: '0 gone' } });
    const opening = open();
    const written = all.filter((_, at) => at % 3 === 0);
    await Promise.all(
      written.map(async ({ id, userName }) => {
        const { _id, text, version } = (await users.findOne({ _id: id })) ?? expect.fail('no user');
        const next = userDocument(changed(JSON.parse(text), { title: 'changed meanwhile' }));
        const { _id: _, ...members } = { ...next, ...outdatedKeys(userName) };
        const { matchedCount } = await users.replaceOne({ _id, version }, members);
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
  it('is not served while two names have become equal; the log names both users, and renaming one of them ends this', async () => {
    const [one, two, other] = [aUser({ userName: 'twin' }), aUser({ userName: 'b' }), aUser()];
    await filled(one, two, other);
    await users.updateMany({}, { $set: { keys: [], keyedBy: '0 gone' } });
    await users.updateOne(
      { _id: two.id },
      { $set: { text: userDocument({ ...two, userName: 'TWIN' }).text } },
    );
    const store = await open();
    await until('the second problem is told', () => problems.length === 2);
    await refused(store.check(), 'unavailable');
    expect(problems[1]).to.include(one.id).and.include(two.id).and.include('rename').and.not.match(/twin/i);
    expect(await left()).to.equal(1);
    const twin = await users.findOne({ keyedBy: '0 gone' });
    const text = userDocument({ ...JSON.parse(twin?.text ?? ''), userName: 'renamed' }).text;
    await users.updateOne({ keyedBy: '0 gone' }, { $set: { text } });
    await untilReady(store);
    expect(await byName(store, 'renamed')).to.have.length(1);
    expect(problems).to.have.length(2);
  });
  it('is left unchanged when that release is newer', async () => {
    const user = aUser();
    await filled(user);
    await users.updateOne({ _id: user.id }, { $set: { ...outdatedKeys('x'), keyedBy: '9999 other' } });
    const before = await users.findOne({ _id: user.id });
    await refused((await open()).check(), 'unavailable');
    expect(problems.join()).to.include('newer release');
    expect(await users.findOne({ _id: user.id })).to.deep.equal(before);
  });
  it('is left unchanged when that release has all filters of this one and further ones', async () => {
    const user = aUser();
    await filled(user);
    await users.updateOne({ _id: user.id }, { $set: { keyedBy: `${rulesOf(userKind)},more` } });
    await (await open()).check();
    expect(problems).to.deep.equal([]);
    expect(await left()).to.equal(1);
  });
});

describeMongo('A MongoDB database whose keys this release made', () => {
  it('is recognized without reading users', () =>
    inADatabase(async (database) => {
      const store = await database.open();
      await Promise.all(Array.from({ length: 300 }, () => store.insert(Stored.of(aUser()))));
      await store.close();
      const db = database.client.db();
      await db.command({ profile: 2 });
      await (await database.open()).close();
      await db.command({ profile: 0 });
      const seen = {
        ns: `${db.databaseName}.users`,
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

describeMongo('A MongoDB database that a build before the first release has written', () => {
  it('is refused and left unchanged, with advice on moving its users', () =>
    inADatabase(async (database) => {
      const user = { _id: aUser().id, nameKey: 'ada', userName: 'Ada' };
      const users = database.client.db().collection<typeof user>('users');
      await users.createIndex({ nameKey: 1 }, { unique: true });
      await users.insertOne(user);
      const problems: string[] = [];
      const store = await database.open({ onProblem: (line) => problems.push(line) });
      await refused(store.check(), 'unavailable');
      expect(problems.join()).to.match(
        /a build before the first release.*export.*import.* users.jsonl --keep-meta/,
      );
      expect(await users.find().toArray()).to.deep.equal([user]);
      expect(await users.indexes()).to.have.length(2);
    }));
});
