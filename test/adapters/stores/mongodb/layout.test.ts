import { expect } from 'chai';
import { nameIndex } from '../../../../src/adapters/stores/mongodb/documents/indexes.ts';
import { matchAll, matching } from '../../../../src/domain/find/conditions.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { untilReady } from './behind-a-proxy.ts';
import { userDocument } from './documents.ts';

describeMongo('When an operator removes, while the service runs,', () => {
  let database: TestDatabase;
  let store: UserStore;
  let problems: string[];

  beforeEach(async () => {
    database = await aDatabase();
    problems = [];
    store = await database.open({ onProblem: (line) => problems.push(line) });
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });
  const users = () => database.client.db().collection<{ _id: string }>('users');
  const told = (words: string): Promise<void> =>
    until(`it is told that ${words}`, () => problems.join().includes(words));
  const outcomes = (): Promise<unknown[]> =>
    Promise.all(
      Array.from({ length: 6 }, () => outcome(store.insert(Stored.of(aUser({ userName: 'same' }))))),
    );

  it('the unique index of names, a probe notices, and the store creates it again: one of six creations of a name succeeds', async () => {
    await store.insert(Stored.of(aUser()));
    await users().dropIndex(nameIndex);
    expect(await outcome(store.check())).to.equal('unavailable');
    await told(`the index ${nameIndex} of users is gone`);
    await untilReady(store);
    expect((await outcomes()).filter((ended) => ended === undefined)).to.have.length(1);
  });
  it('the unique index of names, the store notices without probes; with two users of one name it stays unready and names them', async () => {
    const [one, two] = [aUser({ userName: 'same' }), aUser({ userName: 'same' })];
    await store.insert(Stored.of(one));
    await users().dropIndex(nameIndex);
    await users().insertOne(userDocument(two));
    await told(`rename or remove one`);
    expect(problems.join()).to.include(one.id).and.include(two.id);
    expect(await outcomes()).to.deep.equal(Array(6).fill('unavailable'));
    expect(await outcome(store.find(one.id))).to.equal('unavailable');
    await users().deleteOne({ _id: two.id });
    await untilReady(store);
    expect(await outcomes()).to.deep.equal(Array(6).fill('user-name-taken'));
  });
  it('the index of the filters, the store creates it again', async () => {
    const user = aUser({ roles: ['x'] });
    await store.insert(Stored.of(user));
    await users().dropIndexes();
    expect(await outcome(store.check())).to.equal('unavailable');
    await untilReady(store);
    expect(await store.list({ where: matching({ role: 'x' }), limit: 9 })).to.have.length(1);
  });
  it('the collection, the store stays unready instead of serving an empty directory, until the collection is restored', async () => {
    const user = aUser();
    await store.insert(Stored.of(user));
    await users().drop();
    await told('the collection users is gone: restore it');
    expect(await outcomes()).to.deep.equal(Array(6).fill('unavailable'));
    expect(await outcome(store.list({ where: matchAll, limit: 9 }))).to.equal('unavailable');
    await users().insertOne(userDocument(user));
    await untilReady(store);
    expect((await store.find(user.id))?.value).to.deep.equal(user);
    expect((await outcomes()).filter((ended) => ended === undefined)).to.have.length(1);
  });
});
