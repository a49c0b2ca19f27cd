import { expect } from 'chai';
import type { Collection } from 'mongodb';
import {
  type ResourceDocument,
  rulesOf,
} from '../../../../src/adapters/stores/mongodb/documents/document.ts';
import { reportNowAndThen } from '../../../../src/adapters/stores/mongodb/layout/layout.ts';
import { matchAll, matching } from '../../../../src/domain/find/conditions.ts';
import { parseSearch, type Term } from '../../../../src/domain/find/search.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';
import type { Conditions, UserStore } from '../../../support/verbs.ts';
import { untilReady } from './behind-a-proxy.ts';
import { userDocument, userKind } from './documents.ts';
import { processBefore, rulesBefore, toDocumentBefore } from './release-before.ts';

const search = (text: string): readonly Term[] => {
  const terms = parseSearch(text);
  return typeof terms === 'string' ? expect.fail(terms) : terms;
};

describeMongo('A MongoDB store beside a process of the previous release', () => {
  let database: TestDatabase;
  let users: Collection<Partial<ResourceDocument> & { _id: string }>;
  let store: UserStore;
  let problems: string[];

  beforeEach(async () => {
    database = await aDatabase();
    users = database.client.db().collection('users');
    problems = [];
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });
  async function open(): Promise<void> {
    store = await database.open({ onProblem: (line) => problems.push(line) });
    await untilReady(store);
  }
  const left = (): Promise<number> => users.countDocuments({ keyedBy: rulesBefore });
  async function expectFound(conditions: Conditions, ids: readonly string[]): Promise<void> {
    const found = await store.list({ ...conditions, limit: 100 });
    expect(found.map(({ id }) => id)).to.deep.equal([...ids].sort());
  }

  it('finds and sorts the users that the previous release stored, with unchanged versions', async () => {
    const all = ['Zoë', 'Ada', 'Łukasz'].map((displayName) => aUser({ displayName }));
    await users.insertMany(all.map(toDocumentBefore));
    await open();
    expect(problems.join()).to.match(/not ready.*keys are made anew/);
    const [zoe, ada] = all;
    const sorted = await store.list({ where: matchAll, sort: { by: 'displayName' }, limit: 9 });
    expect(sorted.slice(0, 1).map(({ value }) => value)).to.deep.equal([ada]);
    const found = await store.list({ where: matching({}, search('zoe')), limit: 9 });
    expect(found.map(({ value }) => value)).to.deep.equal([zoe]);
    expect(await left()).to.equal(0);
  });

  it('shows in each read what that process has just written', async () => {
    await open();
    const before = processBefore(database);
    for (let round = 0; round < 20; round += 1) {
      const user = aUser({ displayName: `Round${round}` });
      await before.insert(user);
      if (round % 2 === 0) {
        await expectFound({ where: matching({}, search(`round${round}`)) }, [user.id]);
      } else {
        const [first] = await store.list({
          where: matchAll,
          sort: { by: 'displayName', descending: true },
          limit: 1,
        });
        expect((first?.value.displayName ?? '') >= `Round${round}`).to.equal(true);
      }
      const next = changed(user, { displayName: `Other${round}` });
      expect(await before.replace(next, user.meta.version)).to.equal(true);
      expect(await store.count({ where: matching({}, search(`round${round}`)) })).to.equal(0);
      expect(await store.count({ where: matching({ active: 'true' }, search(`other${round}`)) })).to.equal(1);
    }
    expect(problems).to.deep.equal([]);
  });

  it('shows its writes in each of many concurrent reads, while others write', async () => {
    await open();
    const before = processBefore(database);
    await Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        let user = aUser({ displayName: `at${at}x` });
        await before.insert(user);
        for (let round = 0; round < 5; round += 1) {
          const next = changed(user, { displayName: `at${at}x`, title: `round${round}` });
          expect(await before.replace(next, user.meta.version)).to.equal(true);
          user = next;
          await expectFound({ where: matching({}, search(`at${at}x round${round}`)) }, [user.id]);
        }
      }),
    );
    expect(problems).to.deep.equal([]);
  });

  it('reindexes the users without requests, too', async () => {
    await open();
    await processBefore(database).insert(aUser());
    await until('all are reindexed', async () => (await left()) === 0);
  });

  it("doesn't change keys that a later release has made for more filters", async () => {
    await open();
    await processBefore(database).insert(aUser({ displayName: 'Later' }));
    await expectFound({ where: matching({}, search('nobody')) }, []);
    await users.updateMany({}, { $set: { keyedBy: `${rulesOf(userKind)},more` } });
    expect(await store.count({ where: matching({}, search('later')) })).to.equal(1);
    expect(await users.countDocuments({ keyedBy: rulesOf(userKind) })).to.equal(0);
  });

  it('is unready when that process gives a user a name that another user now has, and names both', async () => {
    await open();
    const [one, two] = [aUser({ userName: 'twin' }), aUser({ userName: 'TWIN' })];
    await processBefore(database).insert(one);
    await users.insertOne({ ...toDocumentBefore(two), name: 'TWIN', keyedBy: '0 gone' });
    expect(await outcome(store.count({ where: matching({}, search('twin')) }))).to.equal('unavailable');
    expect(await outcome(store.check())).to.equal('unavailable');
    expect(problems.join()).to.include(one.id).and.include(two.id).and.include('rename');
    await users.updateOne(
      { _id: two.id },
      { $set: { text: userDocument({ ...two, userName: 'single' }).text } },
    );
    await untilReady(store);
    await expectFound({ where: matching({}, search('single')) }, [two.id]);
  });
});

describe('The progress of reindexing on MongoDB', () => {
  it('is reported at intervals, with the number of finished users and of all', () => {
    const told: string[] = [];
    const report = reportNowAndThen((cause) => told.push(cause.message), 'work');
    for (let done = 500; done <= 45_000; done += 500) report(done, 60_000);
    expect(told).to.deep.equal(['work: 20000 of 60000 done', 'work: 40000 of 60000 done']);
  });
});
