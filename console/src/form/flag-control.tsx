import type { FlagField } from '../schema/fields.ts';
import { Hint, Mistake, useFieldAttributes } from './field-frame.tsx';

interface FlagControlProps {
  readonly field: FlagField;
  readonly value: boolean | undefined;
  readonly pointer: string;
  readonly hint: string;
  readonly onChange: (value: boolean | undefined) => void;
}

/** Cleared, a flag that may be left out is left out. */
export function FlagControl({ field, value, pointer, hint, onChange }: FlagControlProps) {
  const attributes = useFieldAttributes(pointer, hint !== '');
  return (
    <div class="form-field flag">
      <label for={attributes.id}>
        <input
          {...attributes}
          type="checkbox"
          checked={value === true}
          onChange={(event) =>
            onChange(event.currentTarget.checked || (field.isRequired ? false : undefined))
          }
        />
        {field.label}
      </label>
      <Mistake pointer={pointer} />
      <Hint id={attributes.id} hint={hint} />
    </div>
  );
}
