import { escapePointer } from '../schema/documents.ts';
import type { Draft, DraftGroup } from '../schema/drafts.ts';
import type { GroupField } from '../schema/fields.ts';
import { GroupFrame } from './field-frame.tsx';
import { FieldView } from './field-view.tsx';

interface MembersProps {
  readonly fields: GroupField['fields'];
  readonly value: DraftGroup;
  readonly pointer: string;
  readonly isBrief?: boolean | undefined;
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
  readonly label?: string | undefined;
}

export const GroupControl = ({ field, label, ...rest }: GroupControlProps) => (
  <GroupFrame {...{ field, label }} pointer={rest.pointer} isBrief={rest.isBrief}>
    <Members fields={field.fields} {...rest} />
  </GroupFrame>
);
