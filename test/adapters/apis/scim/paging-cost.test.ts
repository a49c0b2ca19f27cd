import { expect } from 'chai';
import type { PageQuery, Store } from '../../../../src/domain/store.ts';
import { memoryStore, overridden, portOf } from '../../../support/stores.ts';
import { idsOf, type Lists, startLists } from './lists.ts';
import { found, someone } from './people.ts';

interface Noted {
  /** Questions for pages, in their order. */
  readonly queries: PageQuery[];
  /** Users that were handed out. */
  read: number;
}

/** A service asks nothing else for a list. */
function noting(port: Store, noted: Noted): Store {
  const page: Store['page'] = async (kind, query) => {
    noted.queries.push(query);
    const found = await port.page(kind, query);
    noted.read += found.items.length;
    return found;
  };
  const fail = () => expect.fail('A list is read by pages.');
  return overridden(port, { page, find: fail, findAll: fail, findAllBy: fail });
}

const people = someone(1200);

describe('The cost of a SCIM list in the store', () => {
  let lists: Lists;
  const noted: Noted = { queries: [], read: 0 };
  const forget = () => {
    noted.queries.length = 0;
    noted.read = 0;
  };
  before(async () => {
    const store = memoryStore();
    const port = noting(portOf(store), noted);
    lists = await startLists({ store, port, discard: async () => undefined }, people);
  });
  beforeEach(forget);
  after(() => lists.discard());

  it('is no higher for a page near the end: the store skips the users before it', async () => {
    for (const [filter, sortBy, startIndex] of [
      ['', undefined, 1101],
      ['', 'displayName', 1101],
      ['active eq true', undefined, 701],
      ['active eq true', 'userName', 701],
    ] as const) {
      forget();
      const query = { count: 100, ...(filter && { filter }), ...(sortBy && { sortBy }) };
      const page = await lists.list({ ...query, startIndex });
      const all = found(people, filter, sortBy);
      expect(idsOf(page)).to.deep.equal(all.slice(startIndex - 1, startIndex + 99));
      expect(noted.queries.map(({ skip }) => skip)).to.deep.equal([startIndex - 1]);
      expect(noted.read, filter).to.equal(100);
    }
  });

  it('is one read of each user, for page and total, if all must be examined', async () => {
    for (const paging of [
      { startIndex: 1, count: 100 },
      { startIndex: 100, count: 1000 },
      { cursor: '', count: 10 },
      { count: 0 },
    ]) {
      forget();
      const { totalResults } = await lists.list({ filter: 'title ew "oss"', ...paging });
      expect(totalResults).to.equal(120);
      expect(noted.read).to.be.at.most(people.length + 16);
    }
  });

  it('is one query, which also counts the matches, if the filter names a user by a key', async () => {
    for (const filter of [
      'userName eq "user-7919"',
      'userName eq "nobody"',
      'externalId eq "key-7"',
      'emails[type eq "work"].value eq "user7@work.example"',
      `id eq "${people[7]?.id}"`,
      'userName eq "user-7919" and active eq true',
      'userName eq "user-7919" or userName eq "user-5831"',
    ])
      for (const paging of [{ startIndex: 1, count: 100 }, { cursor: '' }]) {
        forget();
        const { totalResults, Resources } = await lists.list({ filter, ...paging });
        expect(totalResults, filter).to.equal(Resources.length);
        expect(noted.queries, filter).to.have.length(1);
      }
  });

  it('is one query for a page of all users, with the total or by cursor in either direction', async () => {
    const expectOne = async (query: Parameters<Lists['list']>[0]) => {
      forget();
      const page = await lists.list(query);
      expect([noted.queries.length, noted.read]).to.deep.equal([1, 2]);
      return page;
    };
    await expectOne('startIndex=1&count=2');
    const { nextCursor = '' } = await expectOne({ cursor: '', count: 2 });
    const { previousCursor = '' } = await expectOne({ cursor: nextCursor, count: 2 });
    await expectOne({ cursor: previousCursor, count: 2 });
  });

  it('is the same for any number of alternatives in a filter, and no user is returned twice', async () => {
    const filter = Array.from({ length: 40 }, (_, at) => `externalId eq "key-${at}"`).join(' or ');
    const { totalResults, Resources } = await lists.list({ filter });
    expect([totalResults, Resources.length]).to.deep.equal([40, 40]);
    expect([noted.queries.length, noted.read]).to.deep.equal([1, 40]);
  });
});
