import { expect } from 'chai';
import type { Collection } from 'mongodb';
import {
  collectionName,
  type UserDocument,
  userDocuments,
} from '../../../../src/adapters/stores/mongodb/documents/stored-document.ts';
import { MongoReads } from '../../../../src/adapters/stores/mongodb/query/reads.ts';
import { matching } from '../../../../src/domain/find/conditions.ts';
import type { Term } from '../../../../src/domain/find/search.ts';
import { refused } from '../../../contract/refusals.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';

const termOf = (start: string): Term => [{ start, pattern: `\n\u001f${start}` }];

describeMongo('A query that MongoDB needs too long for', function () {
  this.timeout(60_000);
  const half = 30_000;
  const now = '2026-01-02T03:04:05.678Z';
  let database: TestDatabase;
  let users: Collection<UserDocument>;

  before(async () => {
    database = await aDatabase();
    await (await database.open()).close();
    users = database.client.db().collection(collectionName);
    const loose = database.client.db().collection<{ _id: string }>(collectionName);
    for (const word of ['left', 'right']) {
      const documents = Array.from({ length: half }, (_, at) => ({
        _id: `${word}${at}`,
        nameKey: `${word}${at}`,
        words: [word],
        search: `\n\u001f${word}`,
        userName: `${word}${at}`,
        active: true,
        meta: { created: now, lastModified: now, version: 'v' },
        sorts: { userName: `${word}${at}` },
      }));
      await loose.insertMany(documents, { ordered: false });
    }
  });
  after(() => database?.drop());

  /** Both are frequent, and nobody has both: to find out takes a look at half of all users. */
  const terms = [termOf('left'), termOf('right')];

  it('is refused as too costly, and says what to ask for instead', async () => {
    const reads = new MongoReads(users, userDocuments, { maxTimeMS: 20, mostSorted: 10 });
    for (const by of [undefined, 'userName']) {
      const error = await refused(
        reads.list({ where: matching({}, terms), sort: { by }, limit: 10 }),
        'query-too-costly',
      );
      expect(error.message).to.match(/longer term|filter/);
    }
    await refused(reads.count({ where: matching({}, terms) }), 'query-too-costly');
  });

  it('is answered where it has the time, when the walk along its order has not', async () => {
    const reads = new MongoReads(users, userDocuments, { maxTimeMS: 20_000, mostSorted: 10 });
    expect(await reads.list({ where: matching({}, terms), limit: 10 })).to.deep.equal([]);
    expect(await reads.count({ where: matching({}, terms) })).to.equal(0);
  });

  it('finds those who stand together at the far end of an order', async () => {
    const reads = new MongoReads(users, userDocuments, { maxTimeMS: 20_000, mostSorted: 10 });
    const query = { where: matching({}, [termOf('right')]), sort: { by: 'userName' }, limit: 10 };
    const found = await reads.list(query);
    expect(found.map(({ id }) => id)).to.deep.equal(
      Array.from({ length: half }, (_, at) => `right${at}`)
        .sort()
        .slice(0, 10),
    );
  });
});
