import { expect } from 'chai';
import { allOf, type Condition, matching } from '../../src/domain/find/conditions.ts';
import type { Filters } from '../../src/domain/find/filters.ts';
import { parseSearch, type Term } from '../../src/domain/find/search.ts';
import { nextAtSort } from '../../src/domain/find/sorts.ts';
import type { Conditions } from './verbs.ts';

/** The conditions of a search as typed; fails when it may not be asked. */
export function asked(search: string, filters: Filters = {}): Conditions {
  const terms = parseSearch(search);
  return {
    where: matching(filters, typeof terms === 'string' ? expect.fail(`${search}: must ${terms}`) : terms),
  };
}

const partsOf = (where: Condition): readonly Condition[] =>
  'all' in where ? where.all.flatMap(partsOf) : [where];

/** The terms that must all match. */
export const termsOf = (where: Condition): readonly Term[] =>
  partsOf(where).flatMap((part) => ('words' in part ? part.words : []));

/** The keys that users must all have. */
export const keysOf = (where: Condition): readonly (readonly [filter: string, key: string])[] =>
  partsOf(where).flatMap((part) => ('filter' in part ? [[part.filter, part.key] as const] : []));

/** With other terms in the place of those that must match. */
export const withTerms = (where: Condition, terms: readonly Term[]): Condition =>
  allOf([...partsOf(where).filter((part) => !('words' in part)), matching({}, terms)]);

/** Without the keys that users must have, or with some of them. */
export const withKeys = (where: Condition, count = 0): Condition => {
  const parts = partsOf(where);
  const kept = parts.filter((part) => 'filter' in part).slice(0, count);
  return allOf(parts.filter((part) => !('filter' in part) || kept.includes(part)));
};

/** What a list in this order needs as a condition (`nextAtSort`). */
export const conditionOfSort = (by: string | undefined) =>
  by === nextAtSort ? [{ sort: nextAtSort, from: undefined, to: '~' }] : [];
