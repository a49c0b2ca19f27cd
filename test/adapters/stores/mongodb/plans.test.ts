import { expect } from 'chai';
import type { Collection, Document } from 'mongodb';
import {
  collectionName,
  pageQuery,
  type UserDocument,
} from '../../../../src/adapters/stores/mongodb/stored-document.ts';
import { type Filters, filterNames } from '../../../../src/domain/filters.ts';
import { makeKeys } from '../../../../src/domain/keys.ts';
import { StoredUser } from '../../../../src/domain/stored-user.ts';
import { aUser } from '../../../support/a-user.ts';
import { aDatabase, describeMongo, inADatabase, type TestDatabase } from '../../../support/mongodb.ts';

/** Every stage of a plan, the outermost first. */
const stages = (plan: Document): string[] => [
  plan.stage,
  ...(plan.inputStage ? stages(plan.inputStage) : []),
  ...(plan.inputStages ?? []).flatMap(stages),
];

describeMongo('Lists from MongoDB', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let collection: Collection<UserDocument>;
  const someone = aUser({ externalId: 'ext', emails: [{ value: 'a@example.org' }], roles: ['rare', 'all'] });

  before(async () => {
    database = await aDatabase();
    collection = database.client.db().collection(collectionName);
    const store = await database.open();
    const others = Array.from({ length: 300 }, () => aUser({ roles: ['all'] }));
    await Promise.all([someone, ...others].map((user) => store.insert(StoredUser.of(user))));
    await store.close();
  });
  after(() => database?.drop());

  const explained = (filters: Filters, after?: string): Promise<Document> => {
    const { filter, options } = pageQuery({ filters, after, limit: 10 });
    return collection.find(filter, options).explain('executionStats');
  };

  for (const count of [0, ...filterNames.keys()].map((_, index) => index)) {
    it(`are read along an index and never sorted, with ${count} filters`, async () => {
      const filters = Object.fromEntries(makeKeys(someone).filters.slice(0, count));
      const { queryPlanner } = await explained(filters, '1');
      const found = stages(queryPlanner.winningPlan.queryPlan ?? queryPlanner.winningPlan);
      expect(found).to.include('IXSCAN');
      expect(found.filter((stage) => /COLLSCAN|SORT/.test(stage))).to.deep.equal([]);
    });
  }

  it('look at no more keys for a page than the page has, with one filter or none', async () => {
    for (const filters of [{}, { role: 'all' }]) {
      const { executionStats } = await explained(filters);
      expect(executionStats.nReturned).to.equal(10);
      expect(executionStats.totalKeysExamined).to.be.at.most(11);
      expect(executionStats.totalDocsExamined).to.equal(10);
    }
  });

  it('find one among many by a rare key also when the common one is given first', async () => {
    const { executionStats } = await explained({ active: 'true', role: 'rare' });
    expect(executionStats.nReturned).to.equal(1);
    expect(executionStats.totalDocsExamined).to.equal(1);
  });
});

describeMongo('The indexes in MongoDB', function () {
  this.timeout(60_000);

  it('are made once by many stores that start at once', () =>
    inADatabase(async (database) => {
      await Promise.all(Array.from({ length: 8 }, () => database.open()));
      const indexes = await database.client.db().collection(collectionName).indexes();
      expect(indexes.map(({ key, unique = false }) => ({ key, unique }))).to.deep.equal([
        { key: { _id: 1 }, unique: false },
        { key: { userNameKey: 1 }, unique: true },
        { key: { keys: 1, _id: 1 }, unique: false },
        { key: { keyedBy: 1 }, unique: false },
      ]);
    }));
});
