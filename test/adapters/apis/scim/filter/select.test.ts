import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { matches } from '../../../../../src/adapters/apis/scim/filter/matches.ts';
import { FilterSelection, type Selected } from '../../../../../src/adapters/apis/scim/filter/select.ts';
import type { Related } from '../../../../../src/adapters/apis/scim/protocol/service.ts';
import type { Sort } from '../../../../../src/domain/find/sorts.ts';
import type { User } from '../../../../../src/domain/kinds/user/user.ts';
import { mapUserName } from '../../../../../src/domain/kinds/user/user-name.ts';
import type { Principal } from '../../../../../src/domain/ports.ts';
import { Stored } from '../../../../../src/domain/resource/stored.ts';
import type { PageQuery, Store } from '../../../../../src/domain/store.ts';
import { users } from '../../../../../src/domain/use-cases/users.ts';
import { answer } from '../../../../contract/query-oracle.ts';
import { refused } from '../../../../contract/refusals.ts';
import { aUser } from '../../../../support/a-user.ts';
import { positionOf, sortNames } from '../../../../support/kinds.ts';
import { runs } from '../../../../support/runs.ts';
import { parseFilter, userType } from '../../../../support/scim-users.ts';
import { idOf } from '../../../../support/sortable-users.ts';
import { memoryStore, overridden, portOf } from '../../../../support/stores.ts';
import { anyUser } from '../../../../support/users.ts';
import type { UserStore } from '../../../../support/verbs.ts';
import { aFolder, openAt } from '../../../stores/sqlite/a-file.ts';
import { countTurnsDuring } from '../../../stores/sqlite/count-turns.ts';
import { anyFilter, filterableUser, indexedFilter } from './any-filter.ts';
import { plainResource } from './plain-resource.ts';

const reader: Principal = { id: 'reader', scopes: new Set(['users:read', 'groups:read']) };

interface Asked {
  readonly related?: Related;
  readonly sort?: Sort;
  readonly maxScanned?: number;
}

/** @param port the store, whose answers a test may count */
const selectIn = (
  port: Store,
  text: string | undefined,
  { related, sort = {}, maxScanned = 1000 }: Asked = {},
) =>
  new FilterSelection({
    type: userType,
    resources: users(port, { now: () => new Date() }, { id: randomUUID, version: randomUUID }),
    related,
    principal: reader,
    filter: text === undefined ? undefined : parseFilter(text),
    sort,
    maxScanned,
    resourceOf: ({ value }) => plainResource(value as User),
  });
const select = (store: UserStore, text: string | undefined, asked?: Asked) =>
  selectIn(portOf(store), text, asked);

const idsIn = ({ matches: found }: Selected): string[] =>
  found.map((one) => (typeof one === 'string' ? one : one.id));
const allIn = async (selection: FilterSelection): Promise<string[]> =>
  idsIn(await selection.page({ limit: 10_000 }));
const totalIn = async (selection: FilterSelection): Promise<number | undefined> =>
  (await selection.page({ limit: 0, total: 'exact' })).total;

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
  const here = places[at];
  const wanted = ids(ordered);
  const behind = ids(ordered.slice(at + 1));
  const inFront = ids(ordered.slice(0, at)).reverse();
  const expectPage = ({ more, ...page }: Selected, those: readonly string[], part: string) => {
    expect(idsIn({ more, ...page }), `${part}: ${what}`).to.deep.equal(those.slice(0, limit));
    expect(more, `more ${part}: ${what}`).to.equal(those.length > limit);
  };

  const asks: ((selection: FilterSelection) => Promise<unknown>)[] = [
    async (of) => expect(await allIn(of), `all of ${what}`).to.deep.equal(wanted),
    async (of) => expect(await totalIn(of), `count of ${what}`).to.equal(wanted.length),
    async (of) => {
      const page = await of.page({ skip, limit, total: 'exact' });
      expect(page.total, `total of ${what}`).to.equal(wanted.length);
      expectPage(page, wanted.slice(skip), 'skipping');
    },
    async (of) =>
      expectPage(await of.page({ after: here, limit }), here === undefined ? wanted : behind, 'after'),
    async (of) => here && expectPage(await of.page({ before: here, limit }), inFront, 'before'),
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
    it('are all matching users, in order, from any position, with the total', async () => {
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
  it('is found by any text that its value equals or begins with, whatever its characters', async () => {
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
            expect(await totalIn(select(store, text)), text).to.equal(1);
        }
      }),
      { numRuns: runs(200) },
    );
  });
  it('is found by each of its texts, even by one with more words than are indexed', async () => {
    // Each of these is eighteen characters as it is searched.
    const long = '\uFDFA'.repeat(255);
    const user = aUser({ externalId: long, displayName: long, title: 'Boss', emails: [{ value: 'a@b.c' }] });
    const store = memoryStore();
    await insertAll(store, [user, aUser({ title: 'Clerk' })]);
    for (const text of ['title eq "boss"', 'title sw "BO"', 'emails sw "a@b"', `displayName eq "${long}"`])
      expect(await allIn(select(store, text)), text).to.deep.equal([user.id]);
  });
});

/** Notes what is asked of the store. */
function watched(port: Store) {
  const asked: PageQuery[] = [];
  const page: Store['page'] = (kind, query) => {
    asked.push(query);
    return port.page(kind, query);
  };
  return { asked, port: overridden(port, { page }) };
}

describe('The cost of a filter', () => {
  let bench: ReturnType<typeof watched>;
  const of = (text: string | undefined, asked?: Asked) => selectIn(bench.port, text, asked);
  const crowd = Array.from({ length: 1000 }, (_, number) =>
    aUser({ id: idOf(number), userName: `u${number}`, title: number % 10 === 0 ? 'Boss' : 'clerk' }),
  );
  before(async () => {
    const store = memoryStore();
    await insertAll(store, crowd);
    bench = watched(portOf(store));
  });
  beforeEach(() => {
    bench.asked.length = 0;
  });

  it('is one query, with the total, for a user by name, whether the user exists or not', async () => {
    for (const text of [
      'userName eq "U7"',
      'userName eq "nobody"',
      'externalId eq "nobody"',
      'emails[type eq "work"].value eq "a@b.c"',
      `id eq "${idOf(7)}"`,
      'id eq "nobody"',
      'userName eq "a" and userName eq "b"',
      'userName eq "U7" or externalId eq "nobody"',
      'userName eq ""',
    ]) {
      bench.asked.length = 0;
      const { matches: found, total } = await of(text).page({ limit: 100, total: 'exact' });
      expect(found, text).to.have.length(total ?? -1);
      expect(bench.asked, text).to.have.length(1);
    }
  });
  it('is one query for alternatives whose page and total an index provides', async () => {
    for (const text of [
      undefined,
      'active eq true',
      'active eq true or (roles eq "x" and userName eq "u1")',
    ]) {
      bench.asked.length = 0;
      const page = await of(text, { maxScanned: 0 }).page({ limit: 10, total: 'exact' });
      expect([page.total, page.matches.length, page.more]).to.deep.equal([1000, 10, true]);
      expect(bench.asked).to.have.length(1);
    }
  });
  it('is no higher at the end of a list than at its beginning, if an index provides the page', async () => {
    for (const text of [undefined, 'active eq true']) {
      bench.asked.length = 0;
      const found = idsIn(await of(text).page({ skip: 990, limit: 100 }));
      expect(found).to.deep.equal(crowd.slice(990).map(({ id }) => id));
      expect(bench.asked.map(({ skip }) => skip)).to.deep.equal([990]);
    }
    expect(idsIn(await of('title eq "boss"').page({ skip: 99, limit: 2 }))).to.deep.equal([idOf(990)]);
  });
  it('is refused before users are read when the filter would examine too many', async () => {
    for (const text of ['title co "boss"', 'not (title eq "boss")', 'active eq true and title pr']) {
      const selection = of(text, { maxScanned: 999 });
      for (const asking of [totalIn(selection), selection.isScan(), allIn(selection)]) {
        const { message } = await refused(asking, 'query-too-costly');
        expect(message).to.match(/More than 999 users/);
      }
    }
    expect(bench.asked).to.have.length(3);
    expect(await totalIn(of('title co "boss"', { maxScanned: 1000 }))).to.equal(100);
    // Those that words leave.
    expect(await totalIn(of('title sw "boss"', { maxScanned: 100 }))).to.equal(100);
    await refused(totalIn(of('title sw "boss"', { maxScanned: 99 })), 'query-too-costly');
  });
  it('is one query when alternatives match too many users', async () => {
    const selection = of('title sw "boss" or title sw "clerk"', { maxScanned: 99 });
    for (const asking of [totalIn(selection), selection.isScan(), allIn(selection)])
      await refused(asking, 'query-too-costly');
    expect(bench.asked).to.have.length(1);
  });
  it('has no question about a membership that decides which users are examined', async () => {
    const store = memoryStore();
    await insertAll(
      store,
      Array.from({ length: 30 }, (_, number) => aUser({ id: idOf(number), userName: `user${number}` })),
    );
    let asked = 0;
    const related: Related = {
      ...{ resources: { readAll: async () => new Map() }, read: async () => new Map() },
      has: async () => {
        asked += 1;
        return false;
      },
    };
    const known = `not (groups.value eq "${idOf(1)}")`;
    const of = select(store, `${known} and not (displayName co "x")`, { related, maxScanned: 30 });
    expect(await allIn(of)).to.have.length(30);
    expect(asked).to.equal(0);
    await allIn(select(store, `${known} or displayName co "x" and userName co "u"`, { related }));
    expect(asked).to.be.above(0);
  });

  it('is limited to one page', async () => {
    await of('title eq "boss" or title eq "clerk"').page({ limit: 10 });
    expect(bench.asked.reduce((sum, { limit }) => sum + limit, 0)).to.be.below(300);
  });
  it('is a few users per query, however many alternatives there are', async () => {
    const texts = Array.from({ length: 60 }, (_, number) => `title sw "${number % 2 ? 'b' : 'c'}${number}"`);
    for (const text of [`active eq true or ${texts.join(' or ')}`, texts.join(' or ')]) {
      await allIn(of(text));
      expect(Math.max(...bench.asked.map(({ limit }) => limit))).to.be.at.most(64);
    }
  });
  it('is spread over turns that other clients share', async () => {
    const { value, turns } = await countTurnsDuring(totalIn(of('title co "boss"')));
    expect(value).to.equal(100);
    expect(turns).to.be.at.least(1000 / 64);
  });
});
