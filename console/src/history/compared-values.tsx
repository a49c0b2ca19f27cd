import { type Change, kindOfChange } from '../api/changes.ts';
import { type ChangedMember, changedMembersOf, partOf } from '../change/changed-members.ts';
import { ValueTable } from '../change/value-table.tsx';
import { describePointer } from '../form/pointers.ts';
import { isSame, type JsonObject, printPointer, valueAt } from '../schema/documents.ts';
import { type Field, findWritable } from '../schema/fields.ts';
import type { KindName } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { mayChange } from '../session/session.ts';
import { texts } from '../texts/texts.ts';

export interface PutBack {
  /** The current document of the form. */
  readonly current: JsonObject;
  readonly onPutBack: (members: readonly ChangedMember[]) => void;
}

export const pointerOf = ({ path }: ChangedMember): string => printPointer(path);

export const labelOfMember = (fields: readonly Field[], member: ChangedMember): string =>
  describePointer(fields, pointerOf(member));

/** A person's id or name alone is put back only where it would replace the value of this change: then it fits the other one. */
function isStill(member: ChangedMember, current: JsonObject): boolean {
  const part = partOf(member);
  return part === member || isSame(valueAt(current, part.path), part.after);
}

/** The members whose old value is not yet in the form. */
function findPuttable(
  members: readonly ChangedMember[],
  kind: KindName,
  current: JsonObject,
): readonly ChangedMember[] {
  const writable = new Set(findWritable(fieldsOf(kind)).map(({ name }) => name));
  return members.filter((member) => {
    const { path, before, isKnown } = member;
    return (
      isKnown &&
      writable.has(path[0] ?? '') &&
      mayChange(kind, path.join('.')) &&
      !isSame(valueAt(current, path), before) &&
      isStill(member, current)
    );
  });
}

type Side = 'before' | 'after';

/** A resource that was created or deleted has values on one side only. */
function sidesOf({ type }: Change): readonly Side[] {
  if (type.endsWith('.created')) return ['after'];
  return type.endsWith('.deleted') ? ['before'] : ['before', 'after'];
}

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
    putBack === undefined || sides.length < 2
      ? []
      : findPuttable(members, kindOfChange(change), putBack.current);
  const buttonFor = (member: ChangedMember) => (
    <button
      type="button"
      class="plain"
      aria-label={texts.history.putBackOf(labelOfMember(fields, member))}
      onClick={() => putBack?.onPutBack([member])}
    >
      {member.before === undefined ? texts.history.takeOut : texts.history.putBack}
    </button>
  );
  return (
    <>
      <ValueTable
        fields={fields}
        headings={sides.map((side) => (sides.length > 1 ? texts.history[side] : texts.form.entryValue))}
        rows={members.map((member) => ({
          path: member.path,
          values: sides.map((side) => member[side]),
          note: !member.isKnown && texts.history.notKept,
          beside: puttable.includes(member) && buttonFor(member),
        }))}
      />
      {puttable.length > 1 && (
        <button type="button" onClick={() => putBack?.onPutBack(puttable)}>
          {texts.history.putAllBack}
        </button>
      )}
    </>
  );
}
