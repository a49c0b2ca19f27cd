import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { matches } from '../../../../../src/adapters/apis/scim/filter/matches.ts';
import { parseFilter } from '../../../../../src/adapters/apis/scim/filter/parse.ts';
import { type Selection, selectUsers } from '../../../../../src/adapters/apis/scim/filter/select.ts';
import type { Sort } from '../../../../../src/domain/find/sorts.ts';
import type { User } from '../../../../../src/domain/kinds/user/user.ts';
import { mapUserName } from '../../../../../src/domain/kinds/user/user-name.ts';
import type { Principal, UserStore } from '../../../../../src/domain/ports.ts';
import { Stored } from '../../../../../src/domain/resource/stored.ts';
import { users } from '../../../../../src/domain/users.ts';
import { answer } from '../../../../contract/query-oracle.ts';
import { refused } from '../../../../contract/refusals.ts';
import { aUser } from '../../../../support/a-user.ts';
import { positionOf, sortNames } from '../../../../support/kinds.ts';
import { runs } from '../../../../support/runs.ts';
import { idOf } from '../../../../support/sortable-users.ts';
import { memoryStore, portOf } from '../../../../support/stores.ts';
import { anyUser } from '../../../../support/users.ts';
import { aFolder, openAt } from '../../../stores/sqlite/a-file.ts';
import { countTurnsDuring } from '../../../stores/sqlite/count-turns.ts';
import { anyFilter, filterableUser, indexedFilter } from './any-filter.ts';
import { plainResource } from './plain-resource.ts';

const reader: Principal = { id: 'reader', scopes: new Set(['users:read']) };
const useCases = (store: UserStore) =>
  users(portOf(store), { now: () => new Date() }, { id: randomUUID, version: randomUUID });

interface Asked {
  readonly sort?: Sort;
  readonly maxScanned?: number;
}

const select = (store: UserStore, text: string | undefined, { sort = {}, maxScanned = 1000 }: Asked = {}) =>
  selectUsers({
    users: useCases(store),
    principal: reader,
    filter: text === undefined ? undefined : parseFilter(text),
    sort,
    maxScanned,
    resourceOf: ({ value: user }) => plainResource(user),
  });

async function idsOf(batches: AsyncIterable<readonly Stored<User>[]>): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of batches) ids.push(...batch.map(({ id }) => id));
  return ids;
}

const insertAll = (store: UserStore, all: readonly User[]): Promise<unknown> =>
  store.writeAll(all.map((user) => ({ user: Stored.of(user) })));

/** Ids in the order of the list, and no name twice. */
function directoryOf(generated: readonly User[]): User[] {
  const taken = new Set<string>();
  return generated.map((user, number) => {
    const name = taken.has(mapUserName(user.userName)) ? `${user.userName}${number}` : user.userName;
    taken.add(mapUserName(name));
    return { ...user, id: idOf(number), userName: name };
  });
}

const anyQuery = fc.record({
  text: fc.option(fc.oneof(anyFilter, indexedFilter), { nil: undefined, freq: 20 }),
  sort: fc.record({ by: fc.constantFrom(undefined, ...sortNames), descending: fc.boolean() }),
  place: fc.nat(),
  skip: fc.nat(30),
  limit: fc.integer({ min: 1, max: 30 }),
});
type AnyQuery = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

async function ask(store: UserStore, all: readonly User[], query: AnyQuery): Promise<void> {
  const { text, sort, place, skip, limit } = query;
  const what = JSON.stringify(query);
  const filter = text === undefined ? undefined : parseFilter(text);
  const isFound = (user: User) => filter === undefined || matches(filter, plainResource(user));
  const ordered = answer(all, { filters: {}, search: '', by: sort.by, descending: sort.descending });
  const ids = (those: readonly User[]) => those.filter(isFound).map(({ id }) => id);
  const places = ordered.map((user) => positionOf(Stored.of(user), sort));
  const at = ordered.length === 0 ? 0 : place % ordered.length;
  const [after, before] = [places[at], places[at]];
  const wanted = ids(ordered);
  const inFront = ids(ordered.slice(0, at));
  const page = inFront.slice(-limit);

  const asks: ((selection: Selection) => Promise<unknown>)[] = [
    async (of) => expect(await idsOf(of.walk()), `all of ${what}`).to.deep.equal(wanted),
    async (of) => expect(await of.count(), `count of ${what}`).to.equal(wanted.length),
    async (of) =>
      expect(await idsOf(of.walk({ skip })), `skipping: ${what}`).to.deep.equal(wanted.slice(skip)),
    async (of) =>
      expect(await idsOf(of.walk({ after })), `after: ${what}`).to.deep.equal(
        ids(after === undefined ? ordered : ordered.slice(at + 1)),
      ),
    async (of) => {
      const start = await of.findStartBefore({ before, limit });
      const front = before === undefined ? wanted.slice(-limit) : page;
      expect(await idsOf(of.walk({ after: start, before })), `before: ${what}`).to.deep.equal(front);
      expect(start?.id, `start: ${what}`).to.equal(inFront.at(-limit - 1));
    },
    async (of) =>
      expect((await of.findStartBefore({ limit }))?.id, `last page of ${what}`).to.equal(
        wanted.at(-limit - 1),
      ),
  ];
  const shared = select(store, text, { sort });
  for (const one of [...asks, ...asks.reverse()]) {
    await one(shared);
    await one(select(store, text, { sort }));
  }
}

interface Bench {
  readonly store: UserStore;
  readonly discard: () => Promise<void>;
}

async function memoryBench(): Promise<Bench> {
  return { store: memoryStore(), discard: async () => undefined };
}

async function sqliteBench(): Promise<Bench> {
  const folder = aFolder();
  const store = await openAt(join(folder.path, 'users.db'));
  const discard = async () => {
    await store.close();
    folder.remove();
  };
  return { store, discard };
}

for (const [name, open, numRuns] of [
  ['memory', memoryBench, 100],
  ['SQLite', sqliteBench, 40],
] as const) {
  describe(`Filtered users in ${name}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await open();
    });
    after(() => bench.discard());
    it('are the matching users, in their order, from any place, with their total', async () => {
      const { store } = bench;
      const directory = fc.oneof(
        fc.array(filterableUser, { maxLength: 8 }),
        fc.array(filterableUser, { minLength: 30, maxLength: 90 }),
      );
      await fc.assert(
        fc.asyncProperty(
          directory,
          fc.array(anyQuery, { minLength: 1, maxLength: 4 }),
          async (found, queries) => {
            const all = directoryOf(found);
            await insertAll(store, all);
            try {
              for (const query of queries) await ask(store, all, query);
            } finally {
              await Promise.all(all.map(({ id, meta }) => store.remove(id, meta.version)));
            }
          },
        ),
        { numRuns: runs(numRuns) },
      );
    });
  });
}

/** The attributes that words lead to, of which a user has one text each. */
const wordy: Readonly<Record<string, (user: User) => string | undefined>> = {
  userName: ({ userName }) => userName,
  externalId: ({ externalId }) => externalId,
  displayName: ({ displayName }) => displayName,
  'name.familyName': ({ name }) => name?.familyName,
  title: ({ title }) => title,
  emails: ({ emails = [] }) => emails.at(-1)?.value,
};

describe('A user', () => {
  it('is found by what a text is and begins with, whatever characters are in it', async () => {
    await fc.assert(
      fc.asyncProperty(anyUser(), fc.nat(), async (user, cut) => {
        const store = memoryStore();
        await insertAll(store, [user]);
        for (const [path, textOf] of Object.entries(wordy)) {
          const characters = [...(textOf(user) ?? '')];
          if (characters.length === 0) continue;
          const whole = JSON.stringify(characters.join(''));
          const beginning = JSON.stringify(characters.slice(0, cut % (characters.length + 1)).join(''));
          for (const text of [`${path} eq ${whole}`, `${path} sw ${whole}`, `${path} sw ${beginning}`])
            expect(await select(store, text).count(), text).to.equal(1);
        }
      }),
      { numRuns: runs(200) },
    );
  });
  it('is found by each text, also one with more words than are searched', async () => {
    // Each of these is eighteen characters as it is searched.
    const long = '\uFDFA'.repeat(255);
    const user = aUser({ externalId: long, displayName: long, title: 'Boss', emails: [{ value: 'a@b.c' }] });
    const store = memoryStore();
    await insertAll(store, [user, aUser({ title: 'Clerk' })]);
    for (const text of ['title eq "boss"', 'title sw "BO"', 'emails sw "a@b"', `displayName eq "${long}"`])
      expect(await idsOf(select(store, text).walk()), text).to.deep.equal([user.id]);
  });
});

/** Notes what is asked of the store. */
function watched(store: UserStore): {
  store: UserStore;
  calls: string[];
  limits: number[];
  skips: (number | undefined)[];
} {
  const calls: string[] = [];
  const skips: (number | undefined)[] = [];
  const limits: number[] = [];
  return {
    calls,
    limits,
    skips,
    store: {
      ...store,
      find: (id) => {
        calls.push('find');
        return store.find(id);
      },
      list: (query) => {
        calls.push('list');
        // The port asks for one more, to see whether more follow.
        limits.push(query.limit - 1);
        skips.push(query.skip);
        return store.list(query);
      },
      count: (conditions) => {
        calls.push('count');
        return store.count(conditions);
      },
    },
  };
}

describe('What a filter costs', () => {
  let bench: ReturnType<typeof watched>;
  const crowd = Array.from({ length: 1000 }, (_, number) =>
    aUser({ id: idOf(number), userName: `u${number}`, title: number % 10 === 0 ? 'Boss' : 'clerk' }),
  );
  before(async () => {
    const store = memoryStore();
    await insertAll(store, crowd);
    bench = watched(store);
  });
  beforeEach(() => {
    bench.calls.length = 0;
    bench.limits.length = 0;
    bench.skips.length = 0;
  });

  it('is one query of the store for a user who is asked for by name, or isn’t there, total and all', async () => {
    for (const [text, calls] of [
      ['userName eq "U7"', ['list']],
      ['userName eq "nobody"', ['list']],
      ['externalId eq "nobody"', ['list']],
      ['emails[type eq "work"].value eq "a@b.c"', ['list']],
      [`id eq "${idOf(7)}"`, ['list']],
      ['id eq "nobody"', ['list']],
      ['userName eq "a" and userName eq "b"', ['list']],
      ['userName eq "U7" or externalId eq "nobody"', ['list']],
      ['userName eq ""', []],
    ] as const) {
      bench.calls.length = 0;
      const selection = select(bench.store, text);
      const total = await selection.count();
      expect(await idsOf(selection.walk()), text).to.have.length(total);
      expect(bench.calls, text).to.deep.equal(calls);
    }
  });
  it('is a count of the store where an index tells it, for alternatives too', async () => {
    const either = select(bench.store, 'active eq true or (roles eq "x" and userName eq "u1")', {
      maxScanned: 0,
    });
    expect(await either.count()).to.equal(1000);
    expect(bench.calls).to.deep.equal(['list', 'count']);
    bench.calls.length = 0;
    const selection = select(bench.store, 'active eq true', { maxScanned: 0 });
    expect(await selection.count()).to.equal(1000);
    expect(bench.calls).to.deep.equal(['list', 'count']);
    expect(await select(bench.store, undefined, { maxScanned: 0 }).count()).to.equal(1000);
  });
  it('is no more at the end of a list than at its beginning, where an index tells it', async () => {
    for (const text of [undefined, 'active eq true']) {
      bench.skips.length = 0;
      const found = await idsOf(select(bench.store, text).walk({ skip: 990 }));
      expect(found).to.deep.equal(crowd.slice(990).map(({ id }) => id));
      expect(bench.skips.slice(text === undefined ? 0 : 1), text).to.deep.equal([990]);
    }
    expect(await idsOf(select(bench.store, 'title eq "boss"').walk({ skip: 99 }))).to.deep.equal([idOf(990)]);
  });
  it('is refused where more users would have to be looked at than may be, before that is done', async () => {
    const tooCostly = (text: string, maxScanned: number) => {
      const selection = select(bench.store, text, { maxScanned });
      return [selection.count(), idsOf(selection.walk()), selection.findStartBefore({ limit: 1 })];
    };
    for (const text of ['title co "boss"', 'not (userName eq "u1")', 'active eq true and title pr']) {
      for (const asking of tooCostly(text, 999)) {
        const { message } = await refused(asking, 'query-too-costly');
        expect(message).to.match(/More than 999 users/);
      }
    }
    expect(bench.calls.filter((call) => call === 'list')).to.have.length(3);
    expect(await select(bench.store, 'title co "boss"', { maxScanned: 1000 }).count()).to.equal(100);
    // Those that words leave.
    expect(await select(bench.store, 'title sw "boss"', { maxScanned: 100 }).count()).to.equal(100);
    await refused(select(bench.store, 'title sw "boss"', { maxScanned: 99 }).count(), 'query-too-costly');
  });
  it('is one count where alternatives find too many', async () => {
    const text = 'title sw "boss" or title sw "clerk"';
    const selection = select(bench.store, text, { maxScanned: 99 });
    for (const asking of [selection.count(), selection.isScan(), idsOf(selection.walk())])
      await refused(asking, 'query-too-costly');
    expect(bench.calls).to.deep.equal(['count']);
  });
  it('is not more than a walk has come to', async () => {
    for await (const batch of select(bench.store, 'title eq "boss" or title eq "clerk"').walk()) {
      expect(batch.length).to.be.above(0);
      break;
    }
    expect(bench.limits.reduce((sum, limit) => sum + limit, 0)).to.be.below(300);
  });
  it('is few users at once, however many alternatives there are', async () => {
    const text = Array.from({ length: 60 }, (_, number) => `title sw "${number % 2 ? 'b' : 'c'}${number}"`);
    await idsOf(select(bench.store, `active eq true or ${text.join(' or ')}`).walk());
    expect(Math.max(...bench.limits)).to.be.at.most(64);
    bench.limits.length = 0;
    await idsOf(select(bench.store, text.join(' or ')).walk());
    expect(Math.max(...bench.limits)).to.be.at.most(64);
  });
  it('is paid in turns with others', async () => {
    const { value, turns } = await countTurnsDuring(select(bench.store, 'title co "boss"').count());
    expect(value).to.equal(100);
    expect(turns).to.be.at.least(1000 / 64);
  });
});
