/** Conditions as tests of single resources. */
import type { Condition, KeyRange } from '../../../domain/find/conditions.ts';
import { joinKey } from '../../../domain/find/keys.ts';
import { isByMembership, type MembershipFilter } from '../../../domain/find/owners.ts';
import { matchesTerms } from '../../../domain/find/search.ts';
import { compareCodePoints } from '../../../domain/find/sorts.ts';
import type { Entry } from './table.ts';

export type Test = (entry: Entry) => boolean;

const isInRange = (key: string | undefined, { from = '', to }: KeyRange): boolean =>
  key !== undefined &&
  compareCodePoints(key, from) >= 0 &&
  (to === undefined || compareCodePoints(key, to) < 0);

export function testOf(condition: Condition, ofMembership: (membership: MembershipFilter) => Test): Test {
  if ('all' in condition) {
    const tests = condition.all.map((one) => testOf(one, ofMembership));
    return (entry) => tests.every((test) => test(entry));
  }
  if ('any' in condition) {
    const tests = condition.any.map((one) => testOf(one, ofMembership));
    return (entry) => tests.some((test) => test(entry));
  }
  if ('words' in condition) return ({ search }) => matchesTerms(search, condition.words);
  if ('id' in condition) return ({ id }) => id === condition.id;
  if ('sort' in condition) return ({ sorts }) => isInRange(sorts.get(condition.sort), condition);
  if (isByMembership(condition)) return ofMembership(condition);
  const joined = joinKey([condition.filter, condition.key]);
  return ({ keys }) => keys.has(joined);
}
