import { type Change, kindOfChange } from '../api/changes.ts';
import { type ChangedMember, changedMembersOf } from '../change/changed-members.ts';
import { ValueView } from '../change/value-view.tsx';
import { fieldAt } from '../form/pointers.ts';
import { printNumber } from '../language.ts';
import { isEqual, isList, isObject, isSame, type Json, printBriefly } from '../schema/documents.ts';
import { type Field, isUserId } from '../schema/fields.ts';
import { type KindName, managerPath } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { isPartShown } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
import { authorOf } from './author.tsx';
import { labelOfMember } from './compared-values.tsx';

/** In the line; opened, it has all. */
const maxShown = 2;

function BriefValue({
  value,
  field,
}: {
  readonly value: Json | undefined;
  readonly field: Field | undefined;
}) {
  const isBrief = (isList(value) || isObject(value)) && field?.path !== managerPath && !isUserId(field);
  return isBrief ? <bdi>{printBriefly(value)}</bdi> : <ValueView value={value} field={field} />;
}

export const isDeletion = ({ type }: Change): boolean => type.endsWith('.deleted');

/** The members that an update has changed. */
export const updatedMembersOf = (change: Change): readonly ChangedMember[] =>
  change.type.endsWith('.updated') ? changedMembersOf(change) : [];

/** The type of a change, and how many there are of it. */
export function typeOf(change: Change, count = 1, more = ''): string {
  const isPart = isDeletion(change) && isPartShown(kindOfChange(change));
  const type = isPart ? texts.history.goneFromView : (texts.history.types[change.type] ?? change.type);
  return type + (count > 1 ? ` (${printNumber(count)}${more})` : '');
}

/** The user whose time zone the days of a change are in: a creation or a deletion has the whole user; otherwise the user is read. */
export const daysOf = ({ id, changed, before, after }: Change) =>
  changed === undefined ? { user: after ?? before } : { id };

interface ListedMember extends ChangedMember {
  /** Where several resources have different values. */
  readonly varies?: (side: 'before' | 'after') => boolean;
}

interface MembersProps {
  readonly kind: KindName;
  readonly members: readonly ListedMember[];
}

/** `Job title Analyst → Countess · Nickname none → Ada · +1` */
function Members({ kind, members }: MembersProps) {
  const fields = fieldsOf(kind);
  return (
    <>
      {members.slice(0, maxShown).map((member, at) => {
        const { path, before, after, isKnown, varies } = member;
        const field = fieldAt(fields, path);
        return (
          <span key={path.join('/')}>
            {at > 0 && '· '}
            <span class="quiet">{labelOfMember(fields, member)}</span>{' '}
            {isKnown && (
              <>
                {!varies?.('before') && <BriefValue value={before} field={field} />} →{' '}
                {varies?.('after') ? texts.history.various : <BriefValue value={after} field={field} />}
              </>
            )}{' '}
          </span>
        );
      })}
      {members.length > maxShown && `· +${members.length - maxShown}`}
    </>
  );
}

interface SharedChangeProps {
  readonly changes: readonly [Change, ...Change[]];
  readonly isCut?: boolean;
}

/** `User changed (20) Department → Marketing`: the members that an operation has changed of all. */
export function SharedChange({ changes, isCut = false }: SharedChangeProps) {
  const [first, ...others] = changes;
  const all = others.map(updatedMembersOf);
  const members = updatedMembersOf(first).flatMap((member): ListedMember[] => {
    const same = all.map((one) => one.find(({ path }) => isEqual([...path], [...member.path])));
    if (!same.every(Boolean)) return [];
    return [{ ...member, varies: (side) => !same.every((one) => isSame(one?.[side], member[side])) }];
  });
  return (
    <>
      {typeOf(first, changes.length, isCut ? '+' : '')}{' '}
      <Members kind={kindOfChange(first)} members={members} />
    </>
  );
}

/** `Job title Analyst → Countess`, or `User created`. */
export function ChangeSummary({ change }: { readonly change: Change }) {
  const { type, added = [], removed = [] } = change;
  const members = updatedMembersOf(change);
  if (members.length > 0) return <Members kind={kindOfChange(change)} members={members} />;
  return (
    <>
      {typeOf(change)} {added.length > 0 && `+${added.length} `}
      {removed.length > 0 && `−${removed.length}`}
      {change.label === undefined && !type.endsWith('.members-changed') && `· ${texts.history.erased}`}
    </>
  );
}

/** In milliseconds from one change to the next. */
const closeBy = 60_000;

const areOfOneAct = (newer: Change, older: Change): boolean =>
  newer.type === 'group.members-changed' &&
  newer.type === older.type &&
  newer.id === older.id &&
  newer.via === older.via &&
  authorOf(newer) === authorOf(older) &&
  !(newer.whole || older.whole) &&
  !newer.added === !older.added &&
  !newer.removed === !older.removed &&
  Date.parse(newer.at) - Date.parse(older.at) < closeBy;

/** A change, or several of the members of one group. */
type Joined = Change & { readonly requests?: readonly string[] };

/** The ids of the requests that made it. */
export const requestsOf = ({ request, requests }: Joined): readonly string[] =>
  requests ?? (request === undefined ? [] : [request]);

/** Adding twenty users to a group makes twenty changes in a row, which are shown as one. */
export function joinMemberChanges(changes: readonly Joined[]): readonly Joined[] {
  const joined: Joined[] = [];
  for (const [index, change] of changes.entries()) {
    const [newer, shown] = [changes[index - 1], joined.at(-1)];
    if (newer === undefined || shown === undefined || !areOfOneAct(newer, change)) {
      joined.push(change);
      continue;
    }
    const { added = [], removed = [] } = shown;
    const [more, fewer] = [change.added ?? [], change.removed ?? []];
    const requests = [...new Set([shown, change].flatMap(requestsOf))];
    joined[joined.length - 1] = {
      ...shown,
      ...{ added: [...added, ...more], removed: [...removed, ...fewer], requests },
    };
  }
  return joined;
}
