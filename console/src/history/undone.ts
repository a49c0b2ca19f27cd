/** Which changes were taken back: later changes, by any author, have restored all values, or have deleted or restored the resource. */
import { readChanges } from '../answers/read-pages.ts';
import { type Change, kindOfChange } from '../api/changes.ts';
import { changedMembersOf } from '../change/changed-members.ts';
import { isSame, type Json } from '../schema/documents.ts';

type Part = readonly [name: string, before: Json | undefined, after: Json | undefined];

/** The values that a change has changed. Values that the log lacks are NaN, which equals nothing. */
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
 * @param log the newest first, without gaps for the resources of the changes
 * @returns the change that took it back, by the cursor of the change
 */
export function findUndone(changes: readonly Change[], log: readonly Change[]): ReadonlyMap<string, Change> {
  const latest = new Map<string, readonly [Json | undefined, by: Change]>();
  const keyOf = (change: Change, part: string) => `${kindOfChange(change)} ${change.id} ${part}`;
  for (const change of log)
    for (const [part, , after] of partsOf(change)) {
      const key = keyOf(change, part);
      if (!latest.has(key)) latest.set(key, [after, change]);
    }
  const undone = new Map<string, Change>();
  for (const change of changes) {
    const parts = partsOf(change).map(([part, before]) => {
      const [now, by] = latest.get(keyOf(change, part)) ?? [Number.NaN];
      return isSame(now, before) ? by : undefined;
    });
    if (parts[0] && parts.every(Boolean)) undone.set(change.cursor, parts[0]);
  }
  return undone;
}

/** The maximum number of ids in a query, and of changes that are read for them: a group may have changed a hundred thousand times. */
const [maxIds, maxRead] = [50, 1000];

/**
 * All changes of the same resources since the oldest of the given ones, which a filter has selected; if there are too many, only the newest.
 * @throws Error as `patiently`
 */
export async function readSince(changes: readonly Change[], signal: AbortSignal): Promise<readonly Change[]> {
  const found: Change[] = [];
  for (let at = 0; at < changes.length; at += maxIds) {
    const some = changes.slice(at, at + maxIds);
    const most = found.length + maxRead;
    for await (const page of readChanges({ id: [...new Set(some.map(({ id }) => id))] }, signal)) {
      found.push(...page);
      if (found.length >= most || page.some(({ cursor }) => cursor === some.at(-1)?.cursor)) break;
    }
  }
  return found;
}
