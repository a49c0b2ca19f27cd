import { PersonInput } from '../picker/person-input.tsx';
import { groupOf } from '../schema/drafts.ts';
import type { GroupField } from '../schema/fields.ts';
import { FieldFrame, Mistake } from './field-frame.tsx';
import { type ControlProps, idOf } from './form-context.ts';

/** A group of `value`, the id of a user, and `displayName` as one field. */
export function PersonControl({ field, value, pointer, onChange }: ControlProps<GroupField>) {
  const { value: id = '', displayName: name = '', ...others } = groupOf(value);
  return (
    <div id={idOf(`${pointer}/value`)} tabIndex={-1}>
      <FieldFrame field={field} pointer={`${pointer}/displayName`} isBrief>
        {(attributes) => (
          <PersonInput
            attributes={attributes}
            label={field.label}
            person={{ id: String(id), name: String(name) }}
            onChange={(person) => onChange({ ...others, value: person.id, displayName: person.name })}
          />
        )}
      </FieldFrame>
      <Mistake pointer={`${pointer}/value`} />
    </div>
  );
}
