import { expect } from 'chai';
import fc from 'fast-check';
import { anyOf, type Condition, matching } from '../../../../src/domain/find/conditions.ts';
import type { Position } from '../../../../src/domain/find/sorts.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { asked, conditionOfSort } from '../../../support/asked.ts';
import { keptSorts, positionOf } from '../../../support/kinds.ts';
import { runs } from '../../../support/runs.ts';
import { memoryStore } from '../../../support/stores.ts';
import type { Query, UserStore } from '../../../support/verbs.ts';
import { giveStore } from './a-file.ts';

const rounds = runs(20);
/** Including the queries during writes. */
const queriesInRound = 20;
const writesInRound = 20;
/** More users than are tested one by one. Some sets are worth sorting, others are not. */
const many = 3000;

const content = fc.record({
  // Words of all users, of a tenth, of a few.
  displayName: fc.constantFrom(...Array(8).fill('Ada'), 'Ada Hopper', 'Ada Germain', 'Zoë O’Brien'),
  familyName: fc.constantFrom(...Array(20).fill('Lovelace'), 'Hopper', 'Zuse', undefined),
  title: fc.constantFrom(
    ...Array(400).fill(undefined),
    'Admiral',
    `${'long'.repeat(10)}er`,
    'long'.repeat(10),
  ),
  active: fc.constantFrom(true, true, true, false),
  roles: fc.constantFrom(['all'], ['all', 'half'], ['all', 'half'], ['rare', 'all'], ['all']),
  externalId: fc.constantFrom(undefined, 'x', 'y'),
});
const searches = [
  '',
  'ada',
  'hopper',
  'ada hop',
  'germ',
  'adm',
  'zuse',
  'o’b',
  'l',
  `${'long'.repeat(10)}`,
  'none',
];
const filters = [
  {},
  { active: 'true' },
  { active: 'false', role: 'half' },
  { role: 'rare' },
  { externalId: 'x' },
] as const;

const plain: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom(...searches), fc.constantFrom(...filters))
  .map(([search, filter]) => (search === '' ? matching(filter) : asked(search, filter).where));
const { tree } = fc.letrec<{ tree: Condition; some: Condition[] }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'tree' },
    plain,
    tie('some').map((all) => ({ all })),
    tie('some').map((any) => ({ any })),
    tie('some').map(anyOf),
    tie('tree').map((one) => ({ not: one })),
    fc.constantFrom('role', 'externalId', 'title').map((exists) => ({ exists })),
    fc.constant({ id: 'nobody' }),
  ),
  some: fc.array(tie('tree'), { maxLength: 3, depthIdentifier: 'tree' }),
}));

const anyQuery = fc.record({
  conditions: fc
    .oneof({ weight: 2, arbitrary: plain }, { weight: 1, arbitrary: tree })
    .map((where) => ({ where })),
  sort: fc.record({ by: fc.constantFrom(undefined, ...keptSorts), descending: fc.boolean() }),
  backward: fc.boolean(),
  skip: fc.constantFrom(0, 0, 0, 1, 50, 2000),
  limit: fc.constantFrom(1, 5, 64, 400),
  pages: fc.integer({ min: 1, max: 4 }),
});
const query = anyQuery.map(({ conditions: { where }, ...walk }) => ({
  conditions: { where: { all: [where, ...conditionOfSort(walk.sort.by)] } },
  ...walk,
}));

const userOf = ({ familyName, ...more }: typeof content extends fc.Arbitrary<infer T> ? T : never) => ({
  ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
  ...(familyName === undefined ? {} : { name: { familyName } }),
});

describe('Any query to SQLite', () => {
  const { seed = Date.now() % 2 ** 31 } = fc.readConfigureGlobal();
  const draw = <T>(arbitrary: fc.Arbitrary<T>, count: number, salt: number): T[] =>
    fc.sample(arbitrary, { numRuns: count, seed: seed + salt });
  const users: User[] = draw(content, many, 0).map((one) => aUser(userOf(one)));
  const memory = memoryStore();
  let store: UserStore;
  giveStore(
    users.map((user) => Stored.of(user)),
    (given) => {
      store = given;
    },
  );
  before(() => Promise.all(users.map((user) => memory.insert(Stored.of(user)))));

  const idsOf = (those: readonly Stored<User>[]): string[] => those.map(({ id }) => id);

  /** The pages of one list, and its total. */
  async function expectSame({
    conditions,
    pages,
    ...walk
  }: typeof query extends fc.Arbitrary<infer T> ? T : never) {
    const what = JSON.stringify({ seed, conditions, ...walk });
    const list = {};
    let after: Position | undefined;
    for (let page = 0; page < pages; page += 1) {
      const asking: Query = { ...conditions, ...walk, after, list };
      const [found, expected] = await Promise.all([store.list(asking), memory.list(asking)]);
      expect(idsOf(found), what).to.deep.equal(idsOf(expected));
      const last = expected.at(-1);
      if (last === undefined) break;
      after = positionOf(last, walk.sort);
    }
    expect(await store.count(conditions), what).to.equal(await memory.count(conditions));
  }

  /** The changes of the users, the same in both stores. */
  function writesOf(round: number): readonly ((to: UserStore) => Promise<unknown>)[] {
    return draw(fc.tuple(fc.nat(users.length - 1), content, fc.nat(9)), writesInRound, round).map(
      ([at, one, kind]) => {
        const [user = aUser(), next] = [users[at], aUser(userOf(one))];
        const replaced = changed(user, userOf(one));
        users[at] = kind === 0 ? next : replaced;
        if (kind > 0) return (to) => to.replace(Stored.of(replaced), user.meta.version);
        return async (to) => {
          await to.remove(user.id, user.meta.version);
          await to.insert(Stored.of(next));
        };
      },
    );
  }

  it('is answered as by the memory store, even while others write', async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const before = new Map(users.map((user) => [user.id, user]));
      const writes = writesOf(round);
      const untouched = new Set(users.filter((user) => before.get(user.id) === user).map(({ id }) => id));
      const asking = draw(query, queriesInRound / 2, round);
      const writing = (async () => {
        for (const write of writes) await write(store);
      })();
      // Users that are written may be found in their old or their new state.
      for (const { conditions, sort } of asking) {
        const all = { ...conditions, sort, limit: 2 * many };
        const [found, expected] = await Promise.all([store.list(all), memory.list(all)]);
        const those = (list: readonly Stored<User>[]) => idsOf(list).filter((id) => untouched.has(id));
        expect(those(found), JSON.stringify({ seed, conditions, sort })).to.deep.equal(those(expected));
      }
      await writing;
      for (const write of writes) await write(memory);
      for (const one of draw(query, queriesInRound / 2, -round)) await expectSame(one);
    }
  });
});
