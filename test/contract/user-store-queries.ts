import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { allOf, anyOf, type Condition, matching, noneOf } from '../../src/domain/find/conditions.ts';
import type { FilterName } from '../../src/domain/find/filters.ts';
import { parseSearch } from '../../src/domain/find/search.ts';
import type { Sort } from '../../src/domain/find/sorts.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { conditionOfSort } from '../support/asked.ts';
import { anyContent, anyTerm, typed, userWith } from '../support/colliding-users.ts';
import { deadline } from '../support/deadlines.ts';
import { keptSorts, positionOf } from '../support/kinds.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { runs } from '../support/runs.ts';
import { answer, type PlainTree } from './query-oracle.ts';
import type { Bench } from './user-store.ts';

/** The number of directories. */
const directories = runs(3);

const anyFilter = fc.constantFrom(
  { active: 'true' },
  { active: 'false' },
  { role: 'a' },
  { externalId: 'a' },
  { active: 'true', role: 'b' },
);
type Leaf =
  | { readonly term: typeof anyTerm extends fc.Arbitrary<infer T> ? T : never }
  | { readonly filter: FilterName; readonly key: string }
  | { readonly exists: FilterName }
  | { readonly at: number }
  | { readonly range: string; readonly from: Bound | undefined; readonly to: Bound | undefined };
/** A text, or the key of the user at a place. */
type Bound = string | number;
export type Tree =
  | Leaf
  | { readonly kind: 'all' | 'any'; readonly trees: readonly Tree[] }
  | { readonly not: Tree };

const anyBound: fc.Arbitrary<Bound | undefined> = fc.option(
  fc.oneof(fc.nat(29), fc.constantFrom('2026-01-02', 'a', 'b ')),
  { nil: undefined },
);
const anyLeaf: fc.Arbitrary<Leaf> = fc.oneof(
  fc.record({ term: anyTerm }),
  fc.constantFrom<Leaf>(
    { filter: 'active', key: 'true' },
    { filter: 'role', key: 'a' },
    { filter: 'role', key: 'b' },
    { filter: 'externalId', key: 'a' },
    { exists: 'role' },
    { exists: 'externalId' },
    { exists: 'manager' },
  ),
  fc.record({ at: fc.nat(40) }),
  fc.record({ range: fc.constantFrom(...keptSorts), from: anyBound, to: anyBound }),
);
export const { tree: anyTree } = fc.letrec<{ tree: Tree; node: Tree; negation: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'tree' },
    anyLeaf,
    tie('node'),
    tie('node'),
    tie('negation'),
  ),
  negation: fc.record({ not: tie('tree') }),
  node: fc.record({
    kind: fc.constantFrom('all' as const, 'any' as const),
    trees: fc.array(tie('tree'), { maxLength: 3 }),
  }),
}));

/** As typed; an unused place becomes an unused id. */
export function plainTree(tree: Tree, users: readonly User[]): PlainTree {
  if ('term' in tree) return { search: typed(tree.term, users) };
  if ('at' in tree) return { id: users[tree.at]?.id ?? 'nobody' };
  if ('filter' in tree || 'exists' in tree) return tree;
  if ('not' in tree) return { not: plainTree(tree.not, users) };
  if ('range' in tree) {
    const { range: by, from, to } = tree;
    const keyOf = (bound: Bound | undefined): string | undefined => {
      const user = typeof bound === 'number' ? users[bound] : undefined;
      return user === undefined ? bound?.toString() : positionOf(Stored.of(user), { by }).key;
    };
    return { sort: by, from: keyOf(from), to: keyOf(to) };
  }
  const trees = tree.trees.map((one) => plainTree(one, users));
  return tree.kind === 'all' ? { all: trees } : { any: trees };
}

/** Undefined if one of its searches is not allowed. */
export function conditionOf(tree: PlainTree): Condition | undefined {
  if ('id' in tree || 'sort' in tree || 'exists' in tree) return tree;
  if ('not' in tree) {
    const negated = conditionOf(tree.not);
    return negated && { not: negated };
  }
  if ('filter' in tree) return matching({ [tree.filter]: tree.key });
  if ('search' in tree) {
    const words = tree.search.trim() === '' ? [] : parseSearch(tree.search);
    return typeof words === 'string' ? undefined : { words };
  }
  const parts = ('all' in tree ? tree.all : tree.any).map(conditionOf);
  const conditions = parts.filter((one) => one !== undefined);
  if (conditions.length < parts.length) return undefined;
  return 'all' in tree ? { all: conditions } : { any: conditions };
}

function simplify(condition: Condition): Condition {
  if ('all' in condition) return allOf(condition.all.map(simplify));
  if ('not' in condition) return noneOf(simplify(condition.not));
  return 'any' in condition ? anyOf(condition.any.map(simplify)) : condition;
}

const anyQuery = fc.record({
  tree: fc.option(anyTree, { nil: undefined }),
  /** Otherwise the tree is sent as it was drawn, with duplicates. */
  isSimplified: fc.boolean(),
  filters: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: anyFilter }),
  terms: fc.array(anyTerm, { maxLength: 2 }),
  by: fc.option(fc.constantFrom(...keptSorts), { nil: undefined }),
  descending: fc.boolean(),
  limit: fc.constantFrom(1, 2, 5, 7, 100),
  skip: fc.constantFrom(0, 1, 2, 3, 10, 29),
});
type AnyQuery = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

const anyDirectory = fc.record({
  contents: fc.array(anyContent, { minLength: 1, maxLength: 30, size: 'max' }),
  /** Contents that replace the users' first ones. */
  later: fc.array(anyContent, { maxLength: 6 }),
  queries: fc.array(anyQuery, { minLength: 12, maxLength: 24, size: 'max' }),
});

const idsOf = (users: readonly User[]): string[] => users.map(({ id }) => id);

async function ask(store: PlainStore, users: readonly User[], query: AnyQuery): Promise<void> {
  const { terms: anyTerms, by, descending, limit, skip, filters, isSimplified } = query;
  const search = anyTerms.map((term) => typed(term, users)).join(' ');
  const terms = search.trim() === '' ? [] : parseSearch(search);
  const trees = [...(query.tree ? [plainTree(query.tree, users)] : []), ...conditionOfSort(by)];
  const tree = trees.length > 1 ? { all: trees } : trees[0];
  const condition = tree && conditionOf(tree);
  // This query is not allowed.
  if (typeof terms === 'string' || (tree !== undefined && condition === undefined)) return;
  const wanted = answer(users, { filters, search, tree, by, descending });
  const all = [matching(filters, terms), ...(condition === undefined ? [] : [condition])];
  const where = isSimplified ? simplify({ all }) : { all };
  const sort: Sort = by === undefined ? { descending } : { by, descending };
  const what = JSON.stringify({ search, filters, tree, sort, skip, limit });
  expect(await store.count({ where }), `count of ${what}`).to.equal(wanted.length);
  for (const backward of [false, true]) {
    const left = backward ? [...wanted].reverse() : wanted;
    const way = backward ? 'backwards' : 'forwards';
    let last: User | undefined;
    for (let at = 0; at <= left.length; at += limit) {
      const after = last && positionOf(Stored.of(last), sort);
      const walk = { where, sort, backward, after, limit };
      const page = await store.list(walk);
      expect(idsOf(page), `${way} from ${at}: ${what}`).to.deep.equal(idsOf(left.slice(at, at + limit)));
      if (at === 0 || at === 2 * limit) {
        const behind = idsOf(left.slice(at + skip, at + skip + limit));
        expect(idsOf(await store.list({ ...walk, skip })), `${way} past ${at}: ${what}`).to.deep.equal(
          behind,
        );
      }
      last = page.at(-1) ?? last;
    }
  }
}

/** Writes each user again and again meanwhile, with unchanged content. */
async function besideWrites(store: PlainStore, users: User[], ask: () => Promise<void>): Promise<void> {
  let isAsking = true;
  const rewrite = async (): Promise<void> => {
    for (let at = 0; isAsking; at = (at + 1) % users.length) {
      const user = users[at] as User;
      const next = { ...user, meta: { ...user.meta, version: randomUUID() } };
      expect(await store.replace(next, user.meta.version)).to.equal(true);
      users[at] = next;
      await turn();
    }
  };
  const asked = ask().finally(() => {
    isAsking = false;
  });
  await Promise.allSettled([asked, rewrite()]).then((results) => {
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  });
}

export function queryCases({ ui, store }: Bench): void {
  ui.describe('for any query', () => {
    ui.it(
      'finds and counts the same users as a plain filter and sort over all users, page by page, both ways, while they are written',
      async () => {
        await fc.assert(
          fc.asyncProperty(anyDirectory, async ({ contents, later, queries }) => {
            const users = contents.map((content) => userWith(content));
            await Promise.all(users.map((user) => store().insert(user)));
            for (const [at, content] of later.entries()) {
              const user = users[at];
              if (!user) break;
              const next = userWith(content, user.id);
              await store().replace(next, user.meta.version);
              users[at] = next;
            }
            try {
              await besideWrites(store(), users, async () => {
                for (const query of queries) await ask(store(), users, query);
              });
            } finally {
              // One store for all queries, because opening one takes longer than a query.
              await Promise.all(users.map(({ id, meta }) => store().remove(id, meta.version)));
            }
          }),
          // A mistake is reported before mocha's time is over, even if it was not made smaller.
          { numRuns: directories, interruptAfterTimeLimit: deadline, markInterruptAsFailure: false },
        );
      },
    );
  });
}
