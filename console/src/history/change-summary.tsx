import { type Change, kindOfChange } from '../api/changes.ts';
import { changedMembersOf } from '../change/changed-members.ts';
import { ValueView } from '../change/value-view.tsx';
import { fieldAt } from '../form/pointers.ts';
import { isList, isObject, type Json, printBriefly } from '../schema/documents.ts';
import { type Field, isUserId } from '../schema/fields.ts';
import { managerPath } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
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

/** `Job title Analyst → Countess`, or `User created`. */
export function ChangeSummary({ change }: { readonly change: Change }) {
  const { type, added = [], removed = [] } = change;
  const members = type.endsWith('.updated') ? changedMembersOf(change) : [];
  const fields = fieldsOf(kindOfChange(change));
  if (members.length === 0)
    return (
      <>
        {texts.history.types[type] ?? type} {added.length > 0 && `+${added.length} `}
        {removed.length > 0 && `−${removed.length}`}
        {change.label === undefined && !type.endsWith('.members-changed') && texts.history.erased}
      </>
    );
  return (
    <>
      {members.slice(0, maxShown).map((member) => {
        const { path, before, after, isKnown } = member;
        const field = fieldAt(fields, path);
        return (
          <span key={path.join('/')}>
            <span class="quiet">{labelOfMember(fields, member)}</span>{' '}
            {isKnown && (
              <>
                <BriefValue value={before} field={field} /> → <BriefValue value={after} field={field} />
              </>
            )}{' '}
          </span>
        );
      })}
      {members.length > maxShown && `+${members.length - maxShown}`}
    </>
  );
}
