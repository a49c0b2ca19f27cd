/** Conditions by membership: they name a group or a user by id, and are found by sets of members. */
import type { Collection, Document } from 'mongodb';
import { allOf, anyOf, type Condition, nobody, usesFilter } from '../../../../domain/find/conditions.ts';

export interface MembershipParts {
  readonly users: Collection<Document & { readonly _id: string }>;
  readonly groups: Collection<Document & { readonly _id: string }>;
  readonly maxTimeMS: number;
}

/** Those of the group, or of the groups of the user. */
async function findSets(
  { users, groups, maxTimeMS }: MembershipParts,
  filter: 'group' | 'member',
  id: string,
): Promise<readonly string[]> {
  const options = { maxTimeMS, projection: { 'members.set': 1, groups: 1 } };
  const found = await (filter === 'group' ? groups : users).findOne({ _id: id }, options);
  const sets: unknown[] = filter === 'group' ? [found?.members?.set] : (found?.groups ?? []);
  return sets.filter((set) => typeof set === 'string');
}

/** The condition with sets in the place of ids: of a user several, with spaces between them. */
export async function resolveMemberships(parts: MembershipParts, condition: Condition): Promise<Condition> {
  if (!usesFilter(condition, 'group') && !usesFilter(condition, 'member')) return condition;
  const resolveAll = (some: readonly Condition[]) =>
    Promise.all(some.map((one) => resolveMemberships(parts, one)));
  if ('all' in condition) return allOf(await resolveAll(condition.all));
  if ('any' in condition) return anyOf(await resolveAll(condition.any));
  if (!('filter' in condition) || (condition.filter !== 'group' && condition.filter !== 'member'))
    return condition;
  const sets = await findSets(parts, condition.filter, condition.key);
  return sets.length === 0 ? nobody : { filter: condition.filter, key: sets.join(' ') };
}
