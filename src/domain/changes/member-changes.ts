/**
 * Changes of members: the entries in a group's history, and the entry that each user's history shows of them.
 *
 * A user's history also has the entries of groups that name the user, and those of a deletion or of a new whole list (`whole`) that ended the
 * membership without naming the user. A store keeps which users an entry concerns; `narrowTo` then leaves only this user in it.
 */
import type { Kind } from '../kinds/kind.ts';
import type { Resource } from '../resource/resource.ts';
import { type Change, type Entry, labelOf, maxIds } from './change.ts';

export interface ChangedMembers {
  /** Ids that were not members before; if `isWhole`, all members. */
  readonly added: readonly string[];
  /** Ids that were members. */
  readonly removed: readonly string[];
  /** All other members ceased to be members. */
  readonly isWhole: boolean;
  /** Ids in `added` that were members before: their own histories don't show the change. Empty unless `isWhole`. */
  readonly stayed: readonly string[];
}

/**
 * Several entries when there are more than `maxIds` ids; none when nothing changed.
 * @param version after the change
 * @param group after the change, or its text, for the label; undefined if it isn't at hand
 */
export function memberChanges(
  kind: Kind,
  id: string,
  version: string | undefined,
  { added, removed, isWhole }: ChangedMembers,
  group?: Resource | string,
): readonly Change[] {
  const all = [
    ...added.map((user) => ['added', user] as const),
    ...removed.map((user) => ['removed', user] as const),
  ];
  if (all.length === 0 && !isWhole) return [];
  const label = labelOf(kind, group);
  const count = Math.max(1, Math.ceil(all.length / maxIds));
  return Array.from({ length: count }, (_, at): Change => {
    const part = all.slice(at * maxIds, (at + 1) * maxIds);
    const idsOf = (list: 'added' | 'removed') => part.flatMap(([of, user]) => (of === list ? [user] : []));
    const [add, remove] = [idsOf('added'), idsOf('removed')];
    return {
      type: `${kind.name}.members-changed`,
      id,
      ...(version !== undefined && { version }),
      ...(add.length > 0 && { added: add }),
      ...(remove.length > 0 && { removed: remove }),
      ...(isWhole && at === 0 && { whole: true }),
      ...(label !== undefined && { values: { label } }),
    };
  });
}

/** The members that it names. */
export const idsOf = ({ added = [], removed = [] }: Change): readonly string[] => [...added, ...removed];

export const isMembersChange = ({ type }: Change): boolean => type.endsWith('.members-changed');

/**
 * The entry of a group in the history of a user whom it concerns. To be called before the length of a page is counted: an entry has up to
 * `maxIds` ids.
 * @param entry without values yet, where reading them costs something: they are copied
 */
export function narrowTo(entry: Entry, user: string): Entry {
  if (!isMembersChange(entry)) return entry;
  const { added, removed, whole, ...rest } = entry;
  return { ...rest, ...(added?.includes(user) ? { added: [user] } : { removed: [user] }) };
}
