import { type Change, kindOfChange } from '../api/changes.ts';
import { type ChangedMember, changedMembersOf } from '../change/changed-members.ts';
import { ValueView } from '../change/value-view.tsx';
import { describePointer, fieldAt } from '../form/pointers.ts';
import { dropEmpty, isEqual, type JsonObject, printPointer, valueAt } from '../schema/documents.ts';
import { type Field, findWritable } from '../schema/fields.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { texts } from '../texts/texts.ts';

export interface PutBack {
  /** The current document of the form. */
  readonly current: JsonObject;
  readonly onPutBack: (members: readonly ChangedMember[]) => void;
}

export const pointerOf = ({ path }: ChangedMember): string => printPointer(path);

export const labelOfMember = (fields: readonly Field[], member: ChangedMember): string =>
  describePointer(fields, pointerOf(member));

/** The members whose old value is not yet in the form. */
function findPuttable(
  members: readonly ChangedMember[],
  fields: readonly Field[],
  current: JsonObject,
): readonly ChangedMember[] {
  const writable = new Set(findWritable(fields).map(({ name }) => name));
  return members.filter(
    ({ path, before, isKnown }) =>
      isKnown &&
      writable.has(path[0] ?? '') &&
      !isEqual(dropEmpty(valueAt(current, path) ?? null), dropEmpty(before ?? null)),
  );
}

type Side = 'before' | 'after';

/** A resource that was created or deleted has values on one side only. */
function sidesOf({ type }: Change): readonly Side[] {
  if (type.endsWith('.created')) return ['after'];
  return type.endsWith('.deleted') ? ['before'] : ['before', 'after'];
}

interface MemberRowProps {
  readonly member: ChangedMember;
  readonly sides: readonly Side[];
  readonly field: Field | undefined;
  readonly label: string;
  readonly onPutBack: (() => void) | undefined;
}

const MemberRow = ({ member, sides, field, label, onPutBack }: MemberRowProps) => (
  <tr>
    <th scope="row">{label}</th>
    {member.isKnown ? (
      sides.map((side) => (
        <td key={side} {...(sides.length > 1 ? { 'data-label': texts.history[side] } : {})}>
          <ValueView value={member[side]} field={field} />
          {side === 'before' && onPutBack !== undefined && (
            <button
              type="button"
              class="plain"
              aria-label={texts.history.putBackOf(label)}
              onClick={onPutBack}
            >
              {texts.history.putBack}
            </button>
          )}
        </td>
      ))
    ) : (
      <td colSpan={sides.length} class="quiet">
        {texts.history.notKept}
      </td>
    )}
  </tr>
);

interface ComparedValuesProps {
  readonly change: Change;
  readonly putBack?: PutBack | undefined;
}

/** The values before and after a change, side by side. */
export function ComparedValues({ change, putBack }: ComparedValuesProps) {
  const members = changedMembersOf(change);
  const fields = fieldsOf(kindOfChange(change));
  if (members.length === 0) return <p class="quiet">{texts.history.nothing}</p>;
  const sides = sidesOf(change);
  const puttable =
    putBack === undefined || sides.length < 2 ? [] : findPuttable(members, fields, putBack.current);
  return (
    <>
      <table class="compared">
        <thead>
          <tr>
            <th>{texts.history.field}</th>
            {sides.map((side) => (
              <th key={side}>{sides.length > 1 ? texts.history[side] : texts.history.value}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow
              key={member.path.join('/')}
              member={member}
              sides={sides}
              field={fieldAt(fields, member.path)}
              label={labelOfMember(fields, member)}
              onPutBack={puttable.includes(member) ? () => putBack?.onPutBack([member]) : undefined}
            />
          ))}
        </tbody>
      </table>
      {puttable.length > 1 && (
        <button type="button" onClick={() => putBack?.onPutBack(puttable)}>
          {texts.history.putAllBack}
        </button>
      )}
    </>
  );
}
