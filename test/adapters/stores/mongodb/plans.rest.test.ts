import { expect } from 'chai';
import type { Collection, Document } from 'mongodb';
import type { ResourceDocument } from '../../../../src/adapters/stores/mongodb/documents/document.ts';
import { matchAll, matching } from '../../../../src/domain/find/conditions.ts';
import type { Filters } from '../../../../src/domain/find/filters.ts';
import { parseSearch, type Term } from '../../../../src/domain/find/search.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { filterNames, keptSorts, makeKeys, positionOf } from '../../../support/kinds.ts';
import { aDatabase, describeMongo, inADatabase, type TestDatabase } from '../../../support/mongodb.ts';
import type { Conditions, Query, UserStore } from '../../../support/verbs.ts';
import { userDocument } from './documents.ts';

const search = (text: string): readonly Term[] => {
  const terms = parseSearch(text);
  return typeof terms === 'string' ? expect.fail(terms) : terms;
};

/** Of the collection's size, which is kept with it: no user is looked at. */
const roughCount = 'RECORD_STORE_FAST_COUNT';

/** The store asks from time to time whether the server still answers: for a user whom nobody has. */
const isOwnCheck = ({ filter }: Document): boolean => filter?._id === '';

/** What the server's profiler says of one command. */
interface Seen {
  readonly planSummary: string;
  /** Whether it looks for writes of another release, as the store does for each list and once a second besides. */
  readonly looksForOthers: boolean;
  readonly keys: number;
  readonly documents: number;
  readonly sorted: boolean;
}

describeMongo('Lists and counts from MongoDB', () => {
  const many = 6_000;
  let database: TestDatabase;
  let collection: Collection<ResourceDocument>;
  let store: UserStore;
  const someone = aUser({
    externalId: 'ext',
    displayName: 'Lovelace',
    emails: [{ value: 'a@example.org' }],
    roles: ['rare', 'all'],
  });

  before(async () => {
    database = await aDatabase();
    const db = database.client.db();
    collection = db.collection('users');
    store = await database.open();
    const others = Array.from({ length: many }, (_, at) =>
      aUser({
        roles: ['all'],
        title: at % 60 === 0 ? 'Analyst' : 'Engineer',
        ...(at % 3 === 0 ? {} : { displayName: `Somebody ${at}` }),
      }),
    );
    await collection.insertMany([someone, ...others].map(userDocument));
  });
  after(() => database?.drop());

  /** Runs it with the profiler on. */
  async function seen(run: () => Promise<unknown>): Promise<Seen[]> {
    const db = database.client.db();
    await db.command({ profile: 2 });
    await run();
    await db.command({ profile: 0 });
    const about = {
      ns: `${db.databaseName}.users`,
      op: { $in: ['query', 'command', 'getmore'] },
    };
    const entries = await db.collection('system.profile').find<Document>(about).toArray();
    await db.collection('system.profile').drop();
    return entries
      .filter(
        ({ command, planSummary }) =>
          !('listIndexes' in command || planSummary === roughCount || isOwnCheck(command)),
      )
      .map(({ command, planSummary = '', keysExamined = 0, docsExamined = 0, hasSortStage = false }) => ({
        planSummary,
        looksForOthers: 'distinct' in command,
        keys: keysExamined,
        documents: docsExamined,
        sorted: hasSortStage,
      }));
  }
  const listed = (query: Omit<Query, 'limit'>) => seen(() => store.list({ ...query, limit: 10 }));
  const counted = (conditions: Conditions) => seen(() => store.count(conditions));
  function expectIndexed(all: readonly Seen[]): void {
    expect(all).to.not.deep.equal([]);
    for (const { planSummary } of all)
      expect(planSummary).to.match(/^(?:IXSCAN|COUNT_SCAN|DISTINCT_SCAN|IDHACK)/);
  }
  const place = positionOf(Stored.of(someone), {});

  for (const count of [0, ...filterNames.keys()].map((_, index) => index)) {
    it(`are read along an index and never sorted, with ${count} filters`, async () => {
      const filters: Filters = Object.fromEntries(makeKeys(someone).filters.slice(0, count));
      for (const backward of [false, true]) {
        const all = await listed({ where: matching(filters), after: place, backward });
        expectIndexed(all);
        expect(all.filter(({ sorted }) => sorted)).to.deep.equal([]);
      }
      expectIndexed(await counted({ where: matching(filters) }));
    });
  }

  it('of one id read that user alone, in any order', async () => {
    for (const by of [undefined, ...keptSorts]) {
      const query = { where: { id: someone.id }, sort: { by }, limit: 17 };
      const commands = await seen(async () => expect(await store.list(query)).to.have.length(1));
      const reads = commands.filter(({ looksForOthers }) => !looksForOthers);
      // The users with the sort's key and without it.
      expect(reads, `${by}`).to.have.length(by === undefined ? 1 : 2);
      for (const { documents } of commands) expect(documents, `${by}`).to.be.at.most(1);
    }
  });

  it('examine only the page and one more user, with one filter or none, in each order and direction', async () => {
    for (const by of [undefined, ...keptSorts]) {
      for (const descending of [false, true]) {
        for (const backward of [false, true]) {
          const after = positionOf(Stored.of(someone), { by });
          for (const from of [undefined, after]) {
            const all = await listed({ where: matchAll, sort: { by, descending }, after: from, backward });
            expectIndexed(all);
            for (const { keys, documents, sorted } of all) {
              expect(keys).to.be.at.most(12);
              expect(documents).to.be.at.most(11);
              expect(sorted).to.equal(false);
            }
          }
        }
      }
    }
    for (const { documents } of await listed({ where: matching({ role: 'all' }) }))
      expect(documents).to.be.at.most(11);
  });

  it('examine only the page and one more user in the order of a range of keys', async () => {
    const where = { sort: 'displayName', from: 'somebody 2', to: 'somebody 4' };
    for (const descending of [false, true])
      for (const backward of [false, true]) {
        const all = await listed({ where, sort: { by: where.sort, descending }, backward });
        expectIndexed(all);
        for (const { keys, documents, sorted } of all) {
          expect(keys).to.be.at.most(12);
          expect(documents).to.be.at.most(11);
          expect(sorted).to.equal(false);
        }
      }
  });

  it('find a user by a rare key or word, even when a common one comes first', async () => {
    for (const conditions of [
      { where: matching({ active: 'true', role: 'rare' }) },
      { where: matching({ active: 'true' }, search('user lovel')) },
      { where: matching({ role: 'rare' }, search('user')) },
    ]) {
      for (const by of [undefined, ...keptSorts]) {
        const all = await listed({ ...conditions, sort: { by } });
        expectIndexed(all);
        for (const { documents } of all) expect(documents).to.be.at.most(1);
      }
      const all = await counted(conditions);
      expectIndexed(all);
      for (const { documents } of all) expect(documents).to.be.at.most(1);
    }
  });

  it('sort the users that match a rare term, and examine no others', async () => {
    for (const by of [undefined, ...keptSorts]) {
      const all = await listed({ where: matching({}, search('analyst')), sort: { by, descending: true } });
      expectIndexed(all);
      for (const { documents } of all) expect(documents).to.be.at.most(many / 60);
    }
  });

  it('walk along the order when many users match, without sorting', async () => {
    for (const by of [undefined, ...keptSorts]) {
      for (const backward of [false, true]) {
        const all = await listed({ where: matching({}, search('user')), sort: { by }, backward });
        expectIndexed(all);
        for (const { documents, sorted } of all) {
          expect(documents).to.be.at.most(11);
          expect(sorted).to.equal(false);
        }
      }
    }
  });

  it('skip users within an index, with one filter or none, in each order and direction', async () => {
    const all = many + 1;
    const passed = 5_000;
    for (const by of [undefined, ...keptSorts])
      for (const descending of [false, true])
        for (const backward of [false, true]) {
          const looks = await listed({ where: matchAll, sort: { by, descending }, backward, skip: passed });
          expectIndexed(looks);
          for (const { keys, documents, sorted } of looks) {
            // Those who lack what the list is sorted by lie apart: they are counted when all others are passed over.
            expect(keys).to.be.at.most(all + 2);
            expect(documents).to.be.at.most(11);
            expect(sorted).to.equal(false);
          }
        }
    for (const { documents } of await listed({ where: matching({ role: 'all' }), skip: passed }))
      expect(documents).to.be.at.most(11);
  });

  it('skip along the order where many users match', async () => {
    const conditions = { where: matching({}, search('user')) };
    for (const by of [undefined, 'created']) {
      const looks = await listed({ ...conditions, sort: { by }, skip: 1_000 });
      expectIndexed(looks);
      for (const { documents, sorted } of looks) {
        expect(documents).to.be.at.most(1_011);
        expect(sorted).to.equal(false);
      }
    }
  });

  it('sort the users that match a rare term when they skip some, too', async () => {
    for (const by of [undefined, ...keptSorts]) {
      const looks = await listed({ where: matching({}, search('analyst')), sort: { by }, skip: 50 });
      expectIndexed(looks);
      for (const { documents } of looks) expect(documents).to.be.at.most(many / 60);
    }
  });

  it('count from an index without reading users, for any single condition', async () => {
    for (const conditions of [
      { where: matchAll },
      { where: matching({ role: 'all' }) },
      { where: { sort: 'displayName', from: 'somebody 2' } },
      { where: matching({}, search('user')) },
      { where: matching({}, search('user-0.')) },
    ]) {
      const all = await counted(conditions);
      expectIndexed(all);
      for (const { documents } of all) expect(documents).to.equal(0);
    }
  });

  it('use indexes even when a search is full of characters that are special in a database', async () => {
    for (const text of [
      '.*q',
      '$where',
      'a|b',
      '(q',
      '[q',
      'q{2}',
      '\\Qa',
      '^q',
      "'q",
      '+31(20',
      '12/34',
      '#q',
      'x'.repeat(100),
    ]) {
      const all = await listed({ where: matching({}, search(text)) });
      expectIndexed(all);
      for (const { keys } of all) expect(keys).to.be.at.most(8);
      expect(await store.count({ where: matching({}, search(text)) })).to.equal(0);
    }
  });
});

describeMongo('The indexes in MongoDB', () => {
  it('are created once by many stores that start at the same time', () =>
    inADatabase(async (database) => {
      await Promise.all(Array.from({ length: 8 }, () => database.open()));
      const indexes = await database.client.db().collection('users').indexes();
      expect(indexes.map(({ key, unique = false }) => ({ key, unique }))).to.have.deep.members([
        { key: { _id: 1 }, unique: false },
        { key: { name: 1 }, unique: true },
        { key: { keys: 1, _id: 1 }, unique: false },
        { key: { keyedBy: 1 }, unique: false },
        { key: { groups: 1, _id: 1 }, unique: false },
        { key: { words: 1, _id: 1 }, unique: false },
        ...keptSorts.map((name) => ({ key: { [`sorts.${name}`]: 1 }, unique: false })),
      ]);
    }));
});
