/**
 * The directory of a caller with an access profile, over any store: it answers as a store that never had what is outside of the profile's
 * filters, in documents that never had the hidden members.
 */

import { expect } from 'chai';
import fc from 'fast-check';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { limitedStores } from '../../src/domain/access/limited-store.ts';
import { requireVisible } from '../../src/domain/access/refusals.ts';
import type { Access } from '../../src/domain/find/access.ts';
import { allOf, anyOf, type Condition, matchAll, noneOf } from '../../src/domain/find/conditions.ts';
import { byMember, byOwner } from '../../src/domain/find/owners.ts';
import type { GroupDocument } from '../../src/domain/kinds/group/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { Page, PageQuery, Store, StoredResource, Write } from '../../src/domain/store.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { conditionOfSort } from '../support/asked.ts';
import { anyContent, userWith } from '../support/colliding-users.ts';
import { deadline } from '../support/deadlines.ts';
import { keptSorts, kinds } from '../support/kinds.ts';
import { longTexts } from '../support/overflowing-users.ts';
import { profileOf } from '../support/profiles.ts';
import { runs } from '../support/runs.ts';
import { tester } from '../support/store-verbs.ts';
import { anyTree, conditionOf, plainTree, type Tree } from './user-store-queries.ts';

const hideable = ['nickName', 'emails', 'phoneNumbers', 'ims', 'name', 'title', 'enterprise', 'externalId'];

/** Filters of lists, without searches, ranges and ids. */
const anyLeaf = fc.constantFrom<Condition>(
  { filter: 'active', key: 'true' },
  { filter: 'role', key: 'a' },
  { filter: 'role', key: 'b' },
  { filter: 'externalId', key: 'a' },
  { exists: 'role' },
  { exists: 'email' },
);
const anyFilter: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(matchAll) },
  { weight: 3, arbitrary: anyLeaf },
  { weight: 1, arbitrary: anyLeaf.map(noneOf) },
  { weight: 1, arbitrary: fc.array(anyLeaf, { minLength: 2, maxLength: 3 }).map(anyOf) },
  { weight: 1, arbitrary: fc.array(anyLeaf, { minLength: 2, maxLength: 3 }).map(allOf) },
);
const anyFilterOfGroups = fc.constantFrom<Condition>(matchAll, { filter: 'externalId', key: 'in' });

const anyProfile = fc.record({
  users: anyFilter,
  groups: anyFilterOfGroups,
  except: fc.subarray(hideable, { maxLength: 4 }),
});
type AnyProfile = typeof anyProfile extends fc.Arbitrary<infer T> ? T : never;

const anyQuery = fc.record({
  tree: fc.option(anyTree, { nil: undefined }),
  membership: fc.constantFrom('none', 'none', 'in', 'not', 'or'),
  group: fc.nat(6),
  by: fc.option(fc.constantFrom(...keptSorts), { nil: undefined }),
  descending: fc.boolean(),
  limit: fc.constantFrom(1, 2, 5, 100),
  skip: fc.constantFrom(0, 0, 1, 3, 10),
  most: fc.constantFrom(undefined, 0, 3),
  maxLength: fc.constantFrom(undefined, 1, 700),
});
type AnyQuery = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

const anyDirectory = fc.record({
  contents: fc.array(fc.tuple(anyContent, fc.constantFrom(0, 0, 0, 0, 18)), {
    ...{ minLength: 1, maxLength: 25, size: 'max' },
  }),
  /** For each group: whether it is inside, and the places of its members. */
  groups: fc.array(fc.tuple(fc.boolean(), fc.uniqueArray(fc.nat(24), { maxLength: 12 })), { maxLength: 5 }),
  profiles: fc.array(anyProfile, { minLength: 2, maxLength: 3 }),
  queries: fc.array(anyQuery, { minLength: 8, maxLength: 16, size: 'max' }),
});

interface Directory {
  readonly users: readonly User[];
  readonly groups: readonly { readonly group: Stored<GroupDocument>; readonly members: readonly string[] }[];
}

function directoryOf({
  contents,
  groups,
}: typeof anyDirectory extends fc.Arbitrary<infer T> ? T : never): Directory {
  const users = contents.map(([content, long]) =>
    userWith({
      ...content,
      ...(long > 0 && { ims: longTexts('\uFDFA', long, 256).map((value) => ({ value })) }),
    }),
  );
  return {
    users,
    groups: groups.map(([isInside, places]) => ({
      group: aGroup({ externalId: isInside ? 'in' : 'out' }),
      members: places.flatMap((place) => users[place]?.id ?? []),
    })),
  };
}

const committed = async (store: Store, writes: readonly Write[]): Promise<void> => {
  expect(await store.commit(writes, tester)).to.deep.equal(writes.map(() => 'done'));
};

async function fill(store: Store, { users, groups }: Directory): Promise<void> {
  const create = (kind: string, next: StoredResource, members?: readonly string[]): Write => ({
    ...{ kind, id: next.id, op: 'create', next },
    members,
  });
  await committed(
    store,
    users.map((user) => create('user', Stored.of(user))),
  );
  await committed(
    store,
    groups.map(({ group, members }) => create('group', group, members)),
  );
}

async function empty(store: Store, { users, groups }: Directory): Promise<void> {
  for (const [kind, all] of [
    ['group', groups.map(({ group }) => group)],
    ['user', users.map((user) => Stored.of(user))],
  ] as const)
    await committed(
      store,
      all.map((before) => ({ kind, id: before.id, op: 'remove', before })),
    );
}

/** What the profile leaves: the store itself tells which are inside. */
async function leftOver(store: Store, directory: Directory, profile: AnyProfile): Promise<Directory> {
  const idsOf = async (kind: string, where: Condition) =>
    new Set((await store.page(kind, { where, limit: 1000 })).items.map(({ id }) => id));
  const [users, groups] = [await idsOf('user', profile.users), await idsOf('group', profile.groups)];
  return {
    users: directory.users
      .filter(({ id }) => users.has(id))
      .map(
        (user) =>
          Object.fromEntries(
            Object.entries(user).filter(([name]) => !profile.except.includes(name)),
          ) as unknown as User,
      ),
    groups: directory.groups
      .filter(({ group }) => groups.has(group.id))
      .map(({ group, members }) => ({ group, members: members.filter((id) => users.has(id)) })),
  };
}

const accessOf = ({ users, groups, except }: AnyProfile): Access =>
  profileOf({
    user: { where: users, read: '*', except },
    group: { where: groups, read: '*' },
  });

/** Undefined for a query that is not allowed. */
function whereOf(query: AnyQuery, { users, groups }: Directory): Condition | undefined {
  const tree = query.tree && conditionOf(plainTree(query.tree as Tree, users));
  if (query.tree && tree === undefined) return undefined;
  const member = { filter: byOwner, key: groups[query.group]?.group.id ?? aUser().id };
  const memberships = {
    none: matchAll,
    in: member,
    not: noneOf(member),
    or: anyOf([member, { filter: 'active', key: 'false' }]),
  };
  const order = conditionOfSort(query.by);
  return allOf([tree ?? matchAll, memberships[query.membership as keyof typeof memberships], ...order]);
}

/** Texts differ in length where members are hidden. */
function shown({ items, rest = [], ...page }: Page, isCut: boolean): object {
  const ids = [...items.map(({ id }) => id), ...rest];
  // Members that are undefined are left out.
  return JSON.parse(JSON.stringify({ ...page, ids, ...(isCut ? {} : { items: items.length }) }));
}

/** Reads the whole list both ways, page by page. */
async function compare(
  limited: Store,
  plain: Store,
  kind: string,
  query: PageQuery,
  isCut: boolean,
): Promise<void> {
  const what = JSON.stringify(query);
  for (const end of [{}, { before: 'end' }] as const) {
    const [list, other] = [{}, {}];
    let from: Pick<PageQuery, 'after' | 'before' | 'skip'> = { ...end, skip: query.skip };
    for (;;) {
      const found = await limited.page(kind, { ...query, ...from, list });
      const wanted = await plain.page(kind, { ...query, ...from, list: other });
      expect(shown(found, isCut), `${JSON.stringify(from)} of ${what}`).to.deep.equal(shown(wanted, isCut));
      if (!wanted.more) break;
      from = 'before' in end ? { before: wanted.first } : { after: wanted.last };
    }
  }
}

/** @returns whether the query was allowed */
async function ask(
  limited: Store,
  plain: Store,
  access: Access,
  query: AnyQuery,
  directory: Directory,
): Promise<boolean> {
  const where = whereOf(query, directory);
  if (where === undefined) return false;
  const { by, descending, limit, skip, most, maxLength } = query;
  const sort = { by, descending };
  try {
    requireVisible({ access } as never, kinds.of('user'), where, sort);
  } catch {
    return false;
  }
  const total = most === undefined ? 'exact' : { most };
  const isCut = maxLength !== undefined;
  const page = { where, sort, limit, skip, maxLength } as const;
  await compare(limited, plain, 'user', page, isCut);
  const counted = { where, limit: 0, total } as const;
  const [found, wanted] = [await limited.page('user', counted), await plain.page('user', counted)];
  if (most === undefined || (wanted.total ?? 0) <= most) expect(found.total).to.equal(wanted.total);
  else expect(found.total).to.be.above(most);
  return true;
}

/** Point reads and memberships. */
async function compareReads(limited: Store, plain: Store, { users, groups }: Directory): Promise<void> {
  const [userIds, groupIds] = [users.map(({ id }) => id), groups.map(({ group }) => group.id)];
  const sorted = (found: ReadonlyMap<string, readonly string[]>) =>
    [...found].map(([id, all]) => [id, all.toSorted()] as const).toSorted();
  for (const [kind, ids] of [
    ['user', userIds],
    ['group', groupIds],
  ] as const) {
    const wanted = await plain.findAll(kind, ids);
    expect([...(await limited.findAll(kind, ids)).keys()].sort()).to.deep.equal([...wanted.keys()].sort());
    const related = sorted(await limited.related(kind, ids, 100));
    expect(related).to.deep.equal(sorted(await plain.related(kind, ids, 100)));
    const few = await limited.related(kind, ids, 2);
    expect(sorted(few).map(([id, all]) => [id, all.length])).to.deep.equal(
      related.map(([id, all]) => [id, Math.min(all.length, 2)]),
    );
    for (const id of ids) {
      const [found, expected] = [await limited.find(kind, id), await plain.find(kind, id)];
      expect(found?.id).to.equal(expected?.id);
      expect(found?.membership?.memberCount).to.equal(expected?.membership?.memberCount);
    }
  }
  for (const group of groupIds) {
    const found = await limited.findMembers(group, userIds);
    expect([...found].sort()).to.deep.equal([...(await plain.findMembers(group, userIds))].sort());
  }
  for (const user of userIds)
    await compare(
      limited,
      plain,
      'group',
      { where: { filter: byMember, key: user }, limit: 2, total: 'exact' },
      false,
    );
}

/** @param open a store without resources */
export function limitedStoreCases(open: () => Promise<Store>): void {
  it('answers any query, and counts, as a directory without what is outside of the profile or hidden', async () => {
    const store = await open();
    let count = 0;
    try {
      await fc.assert(
        fc.asyncProperty(anyDirectory, async (drawn) => {
          const directory = directoryOf(drawn);
          await fill(store, directory);
          try {
            for (const profile of drawn.profiles) {
              const access = accessOf(profile);
              const limited = limitedStores(store, kinds)({ access });
              const plain = memoryStore();
              await fill(plain, await leftOver(store, directory, profile));
              await compareReads(limited, plain, directory);
              for (const query of drawn.queries)
                if (await ask(limited, plain, access, query, directory)) count += 1;
            }
          } finally {
            await empty(store, directory);
          }
        }),
        { numRuns: runs(20), interruptAfterTimeLimit: deadline, markInterruptAsFailure: false },
      );
      expect(count).to.be.above(20);
    } finally {
      await store.close();
    }
  });
}
