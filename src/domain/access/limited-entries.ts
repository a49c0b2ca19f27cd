/**
 * What a caller with an access profile sees of the change log.
 *
 * A change of a document says whether the resource was inside of the profile's filter, and is inside (`Change.inside`). One that moves it in is
 * shown as its creation and one that moves it out as its deletion, without values, so that a follower's copy always has what lists show.
 * Changes of members write no document: the groups and the members in them are those that are inside now.
 */

import type { Entry } from '../changes/change.ts';
import type { LogPage, Start } from '../changes/log.ts';
import { idsOf, isMembersChange } from '../changes/member-changes.ts';
import type { Access, KindAccess } from '../find/access.ts';
import { matchesNone } from '../find/conditions.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Kinds } from '../kinds.ts';
import { DomainError, type KindName } from '../validation/errors.ts';
import { hidesMembers, membersMember } from './profile.ts';

/** As in `Inside`. */
const [before, after] = [1, 2];

/** @returns undefined if the writer didn't know the filter */
const insideOf = ({ where, filterMark }: KindAccess, { inside }: Entry): number | undefined => {
  if (matchesNone(where)) return 0;
  return filterMark === undefined ? before + after : inside?.[filterMark];
};

/** Whether the caller may know of the deletion. @param entry the newest one of a resource */
export const showsDeletion = (access: Access, name: KindName, entry: Entry | undefined): boolean =>
  entry?.type === `${name}.deleted` && ((insideOf(access.of(name), entry) ?? 0) & before) > 0;

/** The change of a document. @param kind of the entry */
function move({ name: kind, unique }: Kind, access: KindAccess, entry: Entry): Entry | undefined {
  const inside = insideOf(access, entry) ?? 0;
  const [was, is] = [before, after].map((bit) => (inside & bit) > 0);
  if (entry.type === `${kind}.deleted`) return was ? entry : undefined;
  if (entry.type !== `${kind}.updated` || was === is) return is ? entry : undefined;
  const { changed, version, values, ...rest } = entry;
  const { before: old, label } = values ?? {};
  const name = old && unique.member in old ? String(Reflect.get(old, unique.member)) : label;
  // Without the changed values, since the missing ones would be known to be the same outside.
  const told = { ...rest, ...(values && { values: { label: is ? label : name } }) };
  if (!is) return { ...told, type: `${kind}.deleted` };
  return { ...told, type: `${kind}.created`, ...(version !== undefined && { version }) };
}

/** The resources that are inside now. */
type Now = Pick<ReadonlySet<string>, 'has'>;

const all: Now = { has: () => true };
const none: Now = { has: () => false };

export interface LimitedReader {
  readonly access: Access;
  readonly kindOf: (entry: Entry) => Kind | undefined;
  readonly relation: Kinds['relation'];
  readonly findInside: (kind: KindName, ids: readonly string[]) => Promise<Now>;
  /** Whether changes without a mark are skipped. */
  readonly passesUnknown: boolean;
  /** The kind of the only resource whose history is read. */
  readonly of: KindName | undefined;
}

/** @param hasLabel false if the label may be a name from outside @returns undefined if it names no one who is shown */
function narrowMembers(entry: Entry, groups: Now, users: Now, hasLabel: boolean): Entry | undefined {
  const { added = [], removed = [], values, ...rest } = entry;
  const [come, gone] = [added.filter((id) => users.has(id)), removed.filter((id) => users.has(id))];
  if (!groups.has(entry.id) || (come.length + gone.length === 0 && !entry.whole)) return undefined;
  return {
    ...rest,
    ...(come.length > 0 && { added: come }),
    ...(gone.length > 0 && { removed: gone }),
    ...(values && hasLabel && { values }),
  };
}

/** The version as `meta` has it: the number behind that of a group counts all changes of its members. */
const withoutRevision = ({ version, ...entry }: Entry): Entry => ({
  ...entry,
  ...(version !== undefined && { version: version.replace(/[.]\d+$/, '') }),
});

/** The memberships that a deletion ended. */
const endedBy = ({ name }: Kind, { type, values }: Entry): readonly string[] =>
  (type === `${name}.deleted` && values?.memberships) || [];

/**
 * Selects entries by the filters of the profile. Members of the entries shown may be hidden.
 * @returns the entries in the same places; undefined for what isn't shown
 * @throws DomainError `cursor-expired` for an unmarked change that isn't passed over
 */
export async function limitEntries(
  { access, kindOf, relation, findInside, passesUnknown, of }: LimitedReader,
  entries: readonly (Entry | undefined)[],
): Promise<readonly (Entry | undefined)[]> {
  const moved = entries.map((entry) => {
    const kind = entry && kindOf(entry);
    if (entry === undefined || kind === undefined) return undefined;
    if (isMembersChange(entry)) return entry;
    const isUnmarked = insideOf(access.of(kind.name), entry) === undefined;
    if (isUnmarked && !passesUnknown) throw unknownBefore();
    return isUnmarked ? undefined : move(kind, access.of(kind.name), entry);
  });
  const { owners, members } = relation;
  const showsMembers = access.of(owners.name).shows([membersMember]) === 'whole';
  const hidesRevision = hidesMembers(access, owners.name, members.name);
  const insideNow = async ({ name }: Kind, idsIn: (entry: Entry) => readonly string[]): Promise<Now> => {
    const { where, filterMark } = access.of(name);
    if (!showsMembers || matchesNone(where)) return none;
    if (filterMark === undefined) return all;
    return await findInside(name, [...new Set(moved.flatMap((entry) => (entry ? idsIn(entry) : [])))]);
  };
  const groups = await insideNow(owners, (entry) =>
    isMembersChange(entry) ? [entry.id] : endedBy(members, entry),
  );
  const users = await insideNow(members, (entry) =>
    isMembersChange(entry) && groups.has(entry.id) ? idsOf(entry) : endedBy(owners, entry),
  );
  return moved.map((known) => {
    const entry = known && hidesRevision ? withoutRevision(known) : known;
    if (entry === undefined) return undefined;
    if (isMembersChange(entry))
      return narrowMembers(entry, groups, users, access.of(owners.name).filterMark === undefined);
    // The deletion of a group in the history of a member.
    if (!showsMembers && of !== undefined && of !== kindOf(entry)?.name) return undefined;
    const { memberships, ...values } = entry.values ?? {};
    if (memberships === undefined) return entry;
    const there = kindOf(entry) === members ? groups : users;
    const shown = showsMembers && { memberships: memberships.filter((id) => there.has(id)) };
    return { ...entry, values: { ...values, ...shown } };
  });
}

/** Behind `Access.mark` in the cursors of a reader that has begun at the start of the log, and passes over unmarked changes. */
const starting = '.start';

const unknownBefore = (): DomainError =>
  new DomainError(
    'cursor-expired',
    'Behind this cursor are changes that were written before the service knew the filter of your access profile.',
  );

interface Reader {
  readonly access?: Access | undefined;
}

/**
 * Checks that a cursor is of credentials like these.
 * @returns whether the reader is on its way from the start of the log
 * @throws DomainError `cursor-foreign`
 */
export function isStarting({ access }: Reader, start: Start | undefined): boolean {
  if (start === undefined || typeof start === 'string') return start === 'start';
  const isOnItsWay = access !== undefined && start.access === access.mark + starting;
  if (!isOnItsWay && start.access !== access?.mark)
    throw new DomainError(
      'cursor-foreign',
      'The cursor is of credentials with another access profile, or of this one before it was changed.',
    );
  return isOnItsWay;
}

/** The page with cursors for these credentials. */
export function toLimited({ access }: Reader, { entries, end, more }: LogPage, isOnItsWay: boolean): LogPage {
  if (access === undefined) return { entries, end, more };
  const markOf = (passes: boolean): string => (passes ? access.mark + starting : access.mark);
  return {
    entries: entries.map((entry) => ({ ...entry, access: markOf(isOnItsWay) })),
    end: { ...end, access: markOf(isOnItsWay && more) },
    more,
  };
}
