import { expect } from 'chai';
import type { Query, UserStore } from '../../../../src/domain/ports.ts';
import { memoryStore } from '../../../support/stores.ts';
import { idsOf, type Lists, startLists } from './lists.ts';
import { found, someone } from './people.ts';

interface Noted {
  /** The methods that were called, in their order. */
  readonly calls: string[];
  readonly queries: Query[];
  /** Users that were handed out. */
  read: number;
}

function noting(store: UserStore, noted: Noted): UserStore {
  const [list, count, find] = [store.list.bind(store), store.count.bind(store), store.find.bind(store)];
  store.list = async (query) => {
    noted.calls.push('list');
    noted.queries.push(query);
    const users = await list(query);
    // The adapted port asks for one more, to see whether more follow.
    noted.read += Math.min(users.length, query.limit - 1);
    return users;
  };
  store.count = (conditions) => {
    noted.calls.push('count');
    return count(conditions);
  };
  store.find = (id) => {
    noted.calls.push('find');
    return find(id);
  };
  return store;
}

const people = someone(1200);

describe('What a SCIM list asks of the store', () => {
  let lists: Lists;
  const noted: Noted = { calls: [], queries: [], read: 0 };
  before(async () => {
    lists = await startLists({ store: noting(memoryStore(), noted), discard: async () => undefined }, people);
  });
  beforeEach(() => {
    noted.calls.length = 0;
    noted.queries.length = 0;
    noted.read = 0;
  });
  after(() => lists.discard());

  it('is not more for a page far behind: it skips the users before it', async () => {
    for (const [filter, sortBy, startIndex] of [
      ['', undefined, 1101],
      ['', 'displayName', 1101],
      ['active eq true', undefined, 701],
      ['active eq true', 'userName', 701],
    ] as const) {
      noted.read = 0;
      const query = { count: 100, ...(filter && { filter }), ...(sortBy && { sortBy }) };
      const page = await lists.list({ ...query, startIndex });
      const all = found(people, filter, sortBy);
      expect(idsOf(page)).to.deep.equal(all.slice(startIndex - 1, startIndex + 99));
      expect(noted.queries.map(({ skip = 0 }) => skip)).to.include(startIndex - 1);
      // Beside the page: a few, to see whether they are all.
      expect(noted.read, filter).to.be.at.most(101 + (filter === '' ? 0 : 17));
    }
  });

  it('is each user once where all have to be looked at, total and page', async () => {
    for (const paging of [
      { startIndex: 1, count: 100 },
      { startIndex: 100, count: 1000 },
      { cursor: '', count: 10 },
      { count: 0 },
    ]) {
      noted.read = 0;
      const { totalResults } = await lists.list({ filter: 'title ew "oss"', ...paging });
      expect(totalResults).to.equal(120);
      expect(noted.read).to.be.at.most(people.length + 17);
    }
  });

  it('is one query for a user who is asked for by a key, total and all', async () => {
    for (const [filter, calls] of [
      ['userName eq "user-7919"', ['list']],
      ['userName eq "nobody"', ['list']],
      ['externalId eq "key-7"', ['list']],
      ['emails[type eq "work"].value eq "user7@work.example"', ['list']],
      [`id eq "${people[7]?.id}"`, ['list']],
      ['userName eq "user-7919" and active eq true', ['list']],
      ['userName eq "user-7919" or userName eq "user-5831"', ['list']],
    ] as const)
      for (const paging of [{ startIndex: 1, count: 100 }, { cursor: '' }]) {
        noted.calls.length = 0;
        const { totalResults, Resources } = await lists.list({ filter, ...paging });
        expect(totalResults, filter).to.equal(Resources.length);
        expect(noted.calls, filter).to.deep.equal(calls);
      }
  });

  it('is a count and a page, of all users', async () => {
    await lists.list('startIndex=1&count=2');
    expect([noted.calls, noted.read]).to.deep.equal([['count', 'list'], 3]);
    const { nextCursor = '' } = await lists.list({ cursor: '', count: 2 });
    noted.read = 0;
    noted.calls.length = 0;
    const { previousCursor = '' } = await lists.list({ cursor: nextCursor, count: 2 });
    expect([noted.calls, noted.read]).to.deep.equal([['list'], 3]);
    await lists.list({ cursor: previousCursor, count: 2 });
    expect(noted.read).to.be.at.most(70);
  });

  it('is asked no more often and gives no user twice, however many alternatives a filter has', async () => {
    const filter = Array.from({ length: 40 }, (_, at) => `externalId eq "key-${at}"`).join(' or ');
    [noted.calls.length, noted.read] = [0, 0];
    const { totalResults, Resources } = await lists.list({ filter });
    expect([totalResults, Resources.length]).to.deep.equal([40, 40]);
    expect(noted.calls).to.deep.equal(['list', 'count', 'list']);
    expect(noted.read).to.be.at.most(40 + 17);
  });
});
