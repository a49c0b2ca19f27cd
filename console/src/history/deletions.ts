/** Who is deleted now: deletions in the history, without those that were taken back. */
import type { ActivityQuery, Change } from '../api/changes.ts';

/** Types of changes, by which deleted users and groups are found. */
export const deletions: readonly string[] = ['user.deleted', 'group.deleted'];
const restorations: readonly string[] = ['user.restored', 'group.restored'];

export const areDeletions = (types: readonly string[]): boolean =>
  types.length === deletions.length && deletions.every((type) => types.includes(type));

/** The types to ask for: what was restored is known from its restoration. */
export const typesToRead = (types: readonly string[]): NonNullable<ActivityQuery['type']> =>
  [...types, ...(areDeletions(types) ? restorations : [])] as never;

/** @param changes of `typesToRead`, the newest first */
export function dropRestored(types: readonly string[], changes: readonly Change[]): readonly Change[] {
  if (!areDeletions(types)) return changes;
  const restored = new Set<string>();
  return changes.filter(({ type, id }) => {
    if (restorations.includes(type)) restored.add(id);
    else return !restored.delete(id);
    return false;
  });
}
