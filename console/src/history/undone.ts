/** Which changes were taken back: later ones, whoever made them, have set all values back, or it was deleted or restored. */
import { type Change, kindOfChange } from '../api/changes.ts';
import { changedMembersOf } from '../change/changed-members.ts';
import { isSame, type Json } from '../schema/documents.ts';

type Part = readonly [name: string, before: Json | undefined, after: Json | undefined];

/** What a change has changed. Values that the log lacks are NaN, which equals nothing. */
function partsOf(change: Change): readonly Part[] {
  const { type, added = [], removed = [], whole } = change;
  if (type.endsWith('.updated'))
    return changedMembersOf(change).map(({ path, before, after, isKnown }) => [
      path.join('/'),
      isKnown ? before : Number.NaN,
      isKnown ? after : Number.NaN,
    ]);
  if (type.endsWith('.members-changed'))
    return [
      ...added.map((id): Part => [id, whole ? Number.NaN : false, true]),
      ...removed.map((id): Part => [id, true, false]),
    ];
  const isGone = type.endsWith('.deleted');
  return [['', isGone, !isGone]];
}

/**
 * @param changes the newest first
 * @returns the change that took it back, by the cursor of the change
 */
export function findUndone(changes: readonly Change[]): ReadonlyMap<string, Change> {
  const latest = new Map<string, readonly [Json | undefined, by: Change]>();
  const undone = new Map<string, Change>();
  for (const change of changes) {
    const parts = partsOf(change).map(([part, before, after]) => {
      const key = `${kindOfChange(change)} ${change.id} ${part}`;
      const [now, by] = latest.get(key) ?? [Number.NaN];
      if (by === undefined) latest.set(key, [after, change]);
      return isSame(now, before) ? by : undefined;
    });
    if (parts[0] && parts.every(Boolean)) undone.set(change.cursor, parts[0]);
  }
  return undone;
}
