/** Which changes were taken back: later ones, whoever made them, have set all values back, or it was deleted or restored. */
import { type Change, kindOfChange } from '../api/changes.ts';
import { type ChangedMember, changedMembersOf } from '../change/changed-members.ts';
import { isSame } from '../schema/documents.ts';

/** The existence of a resource has an empty path, and each member of a group one of its own. */
function partsOf(change: Change): readonly ChangedMember[] {
  const { type, added = [], removed = [], whole = false } = change;
  if (type.endsWith('.updated')) return changedMembersOf(change);
  const isGone = type.endsWith('.deleted');
  const turn = (isIn: boolean, ...path: string[]) => ({
    path,
    before: !isIn,
    after: isIn,
    isKnown: !whole,
  });
  return type.endsWith('.members-changed')
    ? [...added.map((id) => turn(true, 'members', id)), ...removed.map((id) => turn(false, 'members', id))]
    : [turn(!isGone)];
}

/**
 * @param changes the newest first
 * @returns the change that took it back, by the cursor of the change
 */
export function findUndone(changes: readonly Change[]): ReadonlyMap<string, Change> {
  const latest = new Map<string, ChangedMember & { readonly by: Change }>();
  const undone = new Map<string, Change>();
  for (const change of changes) {
    const parts = partsOf(change).map(
      (part) => [`${kindOfChange(change)} ${change.id} ${part.path.join('/')}`, part] as const,
    );
    const [first, ...others] = parts.map(([key, { before, isKnown }]) => {
      const since = latest.get(key);
      return since?.isKnown && isKnown && isSame(since.after, before) ? since.by : undefined;
    });
    if (first && others.every(Boolean)) undone.set(change.cursor, first);
    for (const [key, part] of parts) if (!latest.has(key)) latest.set(key, { ...part, by: change });
  }
  return undone;
}
