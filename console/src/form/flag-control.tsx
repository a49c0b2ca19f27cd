import type { FlagField } from '../schema/fields.ts';
import { Hint, Mistake, useFieldAttributes } from './field-frame.tsx';
import type { ControlProps } from './form-context.ts';

/** Cleared, a flag that may be left out is left out. */
export function FlagControl({ field, value, pointer, isBrief, onChange }: ControlProps<FlagField>) {
  const hint = isBrief ? '' : field.description;
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
