import { escapePointer } from '../schema/documents.ts';
import type { Draft, DraftGroup } from '../schema/drafts.ts';
import type { GroupField } from '../schema/fields.ts';
import { Mistake } from './field-frame.tsx';
import { FieldView } from './field-view.tsx';
import { idOf } from './form-context.ts';

interface MembersProps {
  readonly fields: GroupField['fields'];
  readonly value: DraftGroup;
  readonly pointer: string;
  readonly isBrief?: boolean;
  readonly onChange: (value: DraftGroup) => void;
}

export const Members = ({ fields, value, pointer, isBrief = false, onChange }: MembersProps) => (
  <div class="members">
    {fields.map((field) => (
      <FieldView
        key={field.name}
        field={field}
        value={value[field.name]}
        pointer={`${pointer}/${escapePointer(field.name)}`}
        isBrief={isBrief}
        onChange={(member: Draft) => onChange({ ...value, [field.name]: member })}
      />
    ))}
  </div>
);

interface GroupControlProps extends Omit<MembersProps, 'fields'> {
  readonly field: GroupField;
  readonly label?: string;
}

export const GroupControl = ({ field, label = field.label, ...rest }: GroupControlProps) => (
  <fieldset class="group" id={idOf(rest.pointer)} tabIndex={-1}>
    <legend>{label}</legend>
    {field.description !== '' && rest.isBrief !== true && <p class="hint">{field.description}</p>}
    <Mistake pointer={rest.pointer} />
    <Members fields={field.fields} {...rest} />
  </fieldset>
);
