/** Evaluates a condition on one resource, without an index. */

import type { Condition, KeyRange } from './conditions.ts';
import type { FilterName } from './filters.ts';
import { byMember, byOwner, isByMembership, type MembershipFilter } from './owners.ts';
import { matchesTerms } from './search.ts';
import { compareCodePoints } from './sorts.ts';

/** The parts of a resource that conditions test; see keys.ts. */
export interface Keyed {
  readonly id: string;
  keysOf(filter: FilterName): readonly string[];
  readonly search: string;
  /** The keys by the name of the sort. */
  readonly sorts: { get(sort: string): string | undefined };
}

export type Test<E> = (resource: E) => boolean;

interface MembershipTests<E> {
  readonly of: (membership: MembershipFilter) => Test<E>;
  /** Whether it has an owner or a member. */
  readonly isAny: Test<E>;
}

const isInRange = (key: string | undefined, { from = '', to }: KeyRange): boolean =>
  key !== undefined &&
  compareCodePoints(key, from) >= 0 &&
  (to === undefined || compareCodePoints(key, to) < 0);

const refuse = (): never => {
  throw new Error('A condition by membership needs the members.');
};

/** @param memberships left out: the condition has none */
export function testOf<E extends Keyed>(
  condition: Condition,
  memberships: MembershipTests<E> = { of: refuse, isAny: refuse },
): Test<E> {
  if ('all' in condition) {
    const tests = condition.all.map((one) => testOf(one, memberships));
    return (resource) => tests.every((test) => test(resource));
  }
  if ('any' in condition) {
    const tests = condition.any.map((one) => testOf(one, memberships));
    return (resource) => tests.some((test) => test(resource));
  }
  if ('not' in condition) {
    const test = testOf(condition.not, memberships);
    return (resource) => !test(resource);
  }
  if ('words' in condition) return ({ search }) => matchesTerms(search, condition.words);
  if ('id' in condition) return ({ id }) => id === condition.id;
  if ('sort' in condition) return ({ sorts }) => isInRange(sorts.get(condition.sort), condition);
  if ('exists' in condition) {
    const { exists } = condition;
    if (exists === byOwner || exists === byMember) return memberships.isAny;
    return (resource) => resource.keysOf(exists).length > 0;
  }
  if (isByMembership(condition)) return memberships.of(condition);
  return (resource) => resource.keysOf(condition.filter).includes(condition.key);
}
