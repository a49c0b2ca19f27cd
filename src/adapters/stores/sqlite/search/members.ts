/** Conditions by membership: the members of a group are found under the number of their set. */
import { allOf, anyOf, type Condition, nobody, usesFilter } from '../../../../domain/find/conditions.ts';
import type { Statements } from './statements.ts';

/** The numbers of the sets to which the user with the id `?` belongs. */
export const setsOfMember = '(SELECT members FROM members_by_id WHERE id = ?)';

/** The condition on users with the numbers of sets in the place of groups' ids. For within the transaction that reads by it. */
export function resolveGroups(statements: Statements, condition: Condition): Condition {
  if (!usesFilter(condition, 'group')) return condition;
  if ('all' in condition) return allOf(condition.all.map((one) => resolveGroups(statements, one)));
  if ('any' in condition) return anyOf(condition.any.map((one) => resolveGroups(statements, one)));
  if (!('filter' in condition)) return condition;
  const members = statements.get<number | null>('SELECT members FROM groups WHERE id = ?', [condition.key]);
  return members ? { filter: 'group', key: String(members) } : nobody;
}
