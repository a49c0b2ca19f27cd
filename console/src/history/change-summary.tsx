import { type Change, kindOfChange } from '../api/changes.ts';
import { type ChangedMember, changedMembersOf } from '../change/changed-members.ts';
import { ValueView } from '../change/value-view.tsx';
import { fieldAt } from '../form/pointers.ts';
import { printNumber } from '../language.ts';
import { isEqual, isList, isObject, type Json, printBriefly } from '../schema/documents.ts';
import { type Field, isUserId } from '../schema/fields.ts';
import { managerPath } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { isPartShown } from '../session/session.ts';
import { texts } from '../texts/texts.ts';
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

/** Whose days a change has: a creation and a deletion have the whole user, and else the user is read. */
export const daysOf = ({ id, changed, before, after }: Change) =>
  changed === undefined ? { user: after ?? before } : { id };

interface SharedChangeProps {
  readonly changes: readonly [Change, ...Change[]];
  readonly isCut?: boolean;
}

/** `User changed (20) Department Marketing`: with the values that an operation has given to all. */
export function SharedChange({ changes, isCut = false }: SharedChangeProps) {
  const [first, ...others] = changes;
  const fields = fieldsOf(kindOfChange(first));
  const isShared = ({ path, after }: ChangedMember) =>
    others.every((one) =>
      changedMembersOf(one).some(
        (other) => isEqual([...other.path], [...path]) && isEqual(other.after ?? null, after ?? null),
      ),
    );
  const members = updatedMembersOf(first).filter(isShared);
  return (
    <>
      {typeOf(first, changes.length, isCut ? '+' : '')}
      {members.slice(0, maxShown).map((member) => (
        <span key={member.path.join('/')}>
          {' '}
          <span class="quiet">{labelOfMember(fields, member)}</span>{' '}
          <BriefValue value={member.after} field={fieldAt(fields, member.path)} />
        </span>
      ))}
    </>
  );
}

/** `Job title Analyst → Countess`, or `User created`. */
export function ChangeSummary({ change }: { readonly change: Change }) {
  const { type, added = [], removed = [] } = change;
  const members = updatedMembersOf(change);
  const fields = fieldsOf(kindOfChange(change));
  if (members.length === 0)
    return (
      <>
        {typeOf(change)} {added.length > 0 && `+${added.length} `}
        {removed.length > 0 && `−${removed.length}`}
        {change.label === undefined && !type.endsWith('.members-changed') && `· ${texts.history.erased}`}
      </>
    );
  return (
    <>
      {members.slice(0, maxShown).map((member, at) => {
        const { path, before, after, isKnown } = member;
        const field = fieldAt(fields, path);
        return (
          <span key={path.join('/')}>
            {at > 0 && '· '}
            <span class="quiet">{labelOfMember(fields, member)}</span>{' '}
            {isKnown && (
              <>
                <BriefValue value={before} field={field} /> → <BriefValue value={after} field={field} />
              </>
            )}{' '}
          </span>
        );
      })}
      {members.length > maxShown && `· +${members.length - maxShown}`}
    </>
  );
}
