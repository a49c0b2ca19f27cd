import type { Change } from '../api/changes.ts';
import { authorOf } from './author.tsx';

/** In milliseconds from one change to the next. */
const closeBy = 60_000;

const isAdding = ({ added = [] }: Change): boolean => added.length > 0;
const isRemoving = ({ removed = [] }: Change): boolean => removed.length > 0;

const areOfOneAct = (newer: Change, older: Change): boolean =>
  newer.type === 'group.members-changed' &&
  newer.type === older.type &&
  newer.id === older.id &&
  newer.via === older.via &&
  authorOf(newer) === authorOf(older) &&
  !(newer.whole || older.whole) &&
  isAdding(newer) === isAdding(older) &&
  isRemoving(newer) === isRemoving(older) &&
  Date.parse(newer.at) - Date.parse(older.at) < closeBy;

/** Twenty users that somebody adds to a group are twenty changes, one after the other: they are shown as one. */
export function joinMemberChanges(changes: readonly Change[]): readonly Change[] {
  const joined: Change[] = [];
  for (const [index, change] of changes.entries()) {
    const [newer, shown] = [changes[index - 1], joined.at(-1)];
    if (newer === undefined || shown === undefined || !areOfOneAct(newer, change)) {
      joined.push(change);
      continue;
    }
    const { added = [], removed = [] } = shown;
    const [more, fewer] = [change.added ?? [], change.removed ?? []];
    joined[joined.length - 1] = { ...shown, added: [...added, ...more], removed: [...removed, ...fewer] };
  }
  return joined;
}
