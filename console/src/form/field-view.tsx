import { escapePointer } from '../schema/documents.ts';
import { groupOf } from '../schema/drafts.ts';
import type { GroupField } from '../schema/fields.ts';
import { days, managerPath } from '../schema/kinds.ts';
import { DayControl, TimeControl } from './day-control.tsx';
import { GroupFrame, Mistake } from './field-frame.tsx';
import { type ControlProps, idOf } from './form-context.ts';
import { ListControl } from './list-control.tsx';
import { PersonControl, UserControl } from './person-control.tsx';
import { ValueControl } from './value-control.tsx';

/** The members of a group. */
function Members({ field, value, pointer, isBrief = false, onChange }: ControlProps<GroupField>) {
  const group = groupOf(value);
  return (
    <div class="members">
      {field.fields.map((member) => (
        <FieldView
          key={member.name}
          field={member}
          value={group[member.name]}
          pointer={`${pointer}/${escapePointer(member.name)}`}
          isBrief={isBrief}
          onChange={(changed) => onChange({ ...group, [member.name]: changed })}
        />
      ))}
    </div>
  );
}

/** One item of a list: a single field, or several. */
function Item({ field, label, ...common }: ControlProps) {
  if (field.kind !== 'group') return <FieldView field={field} label={label} {...common} isBrief />;
  return (
    <fieldset id={idOf(common.pointer)} tabIndex={-1}>
      <legend class="unseen">{label}</legend>
      <Mistake pointer={common.pointer} />
      <Members field={field} {...common} isBrief />
    </fieldset>
  );
}

/** The control that fits the field: a folder's file for each kind of control, over the inputs of `parts/` and `picker/`. */
export function FieldView(props: ControlProps) {
  const { field } = props;
  switch (field.kind) {
    case 'text': {
      const end = days[field.path];
      if (end !== undefined) return <DayControl {...props} field={field} end={end} />;
      if (field.type === 'dateTime') return <TimeControl {...props} field={field} />;
      if (field.type === 'user') return <UserControl {...props} field={field} />;
      return <ValueControl {...props} field={field} />;
    }
    case 'number':
    case 'flag':
      return <ValueControl {...props} field={field} />;
    case 'group':
      if (field.path === managerPath) return <PersonControl {...props} field={field} />;
      return (
        <GroupFrame {...props} field={field}>
          <Members {...props} field={field} />
        </GroupFrame>
      );
    case 'list':
    case 'map':
      return <ListControl {...props} field={field} Item={Item} />;
  }
}
