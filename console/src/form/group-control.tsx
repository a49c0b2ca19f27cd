import { escapePointer } from '../schema/documents.ts';
import { groupOf } from '../schema/drafts.ts';
import type { GroupField } from '../schema/fields.ts';
import { GroupFrame } from './field-frame.tsx';
import { FieldView } from './field-view.tsx';
import type { ControlProps } from './form-context.ts';

export function Members({ field, value, pointer, isBrief = false, onChange }: ControlProps<GroupField>) {
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

export const GroupControl = (props: ControlProps<GroupField>) => (
  <GroupFrame {...props}>
    <Members {...props} />
  </GroupFrame>
);
