import { PersonInput } from '../picker/person-input.tsx';
import type { DraftGroup } from '../schema/drafts.ts';
import type { GroupField } from '../schema/fields.ts';
import { FieldFrame, Mistake } from './field-frame.tsx';
import { idOf } from './form-context.ts';

interface PersonControlProps {
  readonly field: GroupField;
  readonly value: DraftGroup;
  readonly pointer: string;
  readonly onChange: (value: DraftGroup) => void;
}

const textOf = (value: DraftGroup, name: string): string => {
  const text = value[name];
  return typeof text === 'string' ? text : '';
};

/** A group of `value`, the id of a user, and `displayName` as one field. */
export function PersonControl({ field, value, pointer, onChange }: PersonControlProps) {
  const person = { id: textOf(value, 'value'), name: textOf(value, 'displayName') };
  return (
    <div id={idOf(`${pointer}/value`)} tabIndex={-1}>
      <FieldFrame pointer={`${pointer}/displayName`} label={field.label} hint="">
        {(attributes) => (
          <PersonInput
            attributes={attributes}
            label={field.label}
            person={person}
            onChange={({ id, name }) => onChange({ ...value, value: id, displayName: name })}
          />
        )}
      </FieldFrame>
      <Mistake pointer={`${pointer}/value`} />
    </div>
  );
}
