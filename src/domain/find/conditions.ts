/**
 * The conditions of a query, as a tree that each store evaluates by its indexes, and how a tree is made.
 *
 * A list is asked for by filters (`filters.ts`), a search (`search.ts`) and an order (`sorts.ts`). The first two become a `Condition` here;
 * with an order and a place it is a `PageQuery` (../store.ts). `keys.ts` has the other half: what a store keeps beside each resource in
 * order to answer. `apis/resources/parameters.ts` reads `role=`, `role.in=`, `role.not=` and `role.exists=` into conditions.
 * On a first reading skip `search-words.ts` and `owners.ts`.
 */
import type { FilterName, Filters } from './filters.ts';
import type { Term } from './search.ts';

export type Condition =
  /** All of them must match; all resources match an empty one. */
  | { readonly all: readonly Condition[] }
  /** One of them must match; no resource matches an empty one. */
  | { readonly any: readonly Condition[] }
  /** The terms of a search, all of which must match; see search.ts. */
  | { readonly words: readonly Term[] }
  /** It must not match. */
  | { readonly not: Condition }
  /** One of the resource's keys for the filter must be this one; see filters.ts. */
  | { readonly filter: FilterName; readonly key: string }
  /** The resource must have a key for the filter; for a filter by membership, an owner or a member. */
  | { readonly exists: FilterName }
  /** The key of the sort must be in the range. */
  | KeyRange
  | { readonly id: string };

/** Keys of a sort, by code points; see sorts.ts. A resource without a key is in no range. */
export interface KeyRange {
  readonly sort: string;
  /** The first key that is in it. Left out: any. */
  readonly from?: string | undefined;
  /** The first key after the range. */
  readonly to?: string | undefined;
}

export const matchAll: Condition = { all: [] };
export const matchNone: Condition = { any: [] };

export const matchesAll = (condition: Condition): boolean =>
  ('all' in condition && condition.all.length === 0) ||
  ('words' in condition && condition.words.length === 0);
export const matchesNone = (condition: Condition): boolean =>
  'any' in condition && condition.any.length === 0;

/** Without duplicates and in a fixed order, so that stores recognize equal conditions. */
function unique<T>(parts: readonly T[]): readonly T[] {
  const byText = new Map(parts.map((part) => [JSON.stringify(part), part]));
  return [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, part]) => part);
}

export function allOf(conditions: readonly Condition[]): Condition {
  const flat = conditions.flatMap((one) => ('all' in one ? one.all : [one]));
  // Terms that must all match are one search.
  const words = unique(flat.flatMap((one) => ('words' in one ? one.words : [])));
  const others = flat.filter((one) => !('words' in one));
  const all = unique(words.length === 0 ? others : [...others, { words }]);
  if (all.some(matchesNone)) return matchNone;
  return all.length === 1 && all[0] !== undefined ? all[0] : { all };
}

export function anyOf(conditions: readonly Condition[]): Condition {
  const any = unique(conditions.flatMap((one) => ('any' in one ? one.any : [one])));
  if (any.some(matchesAll)) return matchAll;
  return any.length === 1 && any[0] !== undefined ? any[0] : { any };
}

export function noneOf(condition: Condition): Condition {
  if (matchesAll(condition)) return matchNone;
  if (matchesNone(condition)) return matchAll;
  return 'not' in condition ? condition.not : { not: condition };
}

/** The condition that all filters and all terms of a search match. */
export const matching = (filters: Filters, words: readonly Term[] = []): Condition =>
  allOf([...Object.entries(filters).map(([filter, key]) => ({ filter, key })), { words }]);

/** True if a leaf of the tree passes the test. */
export function hasLeaf(condition: Condition, test: (leaf: Condition) => boolean): boolean {
  if ('all' in condition) return condition.all.some((one) => hasLeaf(one, test));
  if ('any' in condition) return condition.any.some((one) => hasLeaf(one, test));
  return 'not' in condition ? hasLeaf(condition.not, test) : test(condition);
}

/** True if a leaf of the tree is this filter. */
export const usesFilter = (condition: Condition, name: FilterName): boolean =>
  hasLeaf(
    condition,
    (one) => ('filter' in one && one.filter === name) || ('exists' in one && one.exists === name),
  );
