import type { NumberField, TextField } from '../schema/fields.ts';
import { FieldFrame, useFieldAttributes } from './field-frame.tsx';

interface TextControlProps {
  readonly field: TextField | NumberField;
  readonly value: string;
  readonly pointer: string;
  readonly hint: string;
  readonly label: string;
  readonly onChange: (value: string) => void;
}

type ControlProps = Omit<TextControlProps, 'label'>;

function Control({ field, value, pointer, hint, onChange }: ControlProps) {
  const common = {
    ...useFieldAttributes(pointer, hint !== ''),
    value,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  if (field.kind === 'number') return <input {...common} inputMode="decimal" autocomplete="off" />;
  if (field.choices.length > 0)
    return (
      <select {...common}>
        <option value="">–</option>
        {field.choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  // A line would lose the breaks of what it is given.
  if (field.isLong || /[\r\n]/.test(value)) return <textarea {...common} dir="auto" rows={2} />;
  return <input {...common} dir="auto" autocomplete="off" autocapitalize="none" spellcheck={false} />;
}

export const TextControl = ({ label, ...props }: TextControlProps) => (
  <FieldFrame
    pointer={props.pointer}
    label={label}
    hint={props.hint}
    isRequired={props.field.isRequired && props.field.name !== ''}
    isWide={props.field.kind === 'text' && props.field.isLong}
  >
    <Control {...props} />
  </FieldFrame>
);
