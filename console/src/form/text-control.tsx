import { useContext } from 'preact/hooks';
import { ChoiceInput } from '../picker/choice-input.tsx';
import { choiceListOf } from '../picker/choices.ts';
import type { NumberField, TextField } from '../schema/fields.ts';
import { kinds } from '../schema/kinds.ts';
import { type FieldAttributes, FieldFrame } from './field-frame.tsx';
import { type FormOf, FormResource } from './form-context.ts';
import { UniqueName } from './unique-name.tsx';

interface TextControlProps {
  readonly field: TextField | NumberField;
  readonly value: string;
  readonly pointer: string;
  readonly hint: string;
  readonly label: string;
  readonly onChange: (value: string) => void;
}

function drawControl({ field, label, value, onChange }: TextControlProps, attributes: FieldAttributes) {
  const list = choiceListOf(field.path);
  if (list !== undefined) return <ChoiceInput {...{ attributes, label, list, value, onChange }} />;
  const common = {
    ...attributes,
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

/** Of the field that no two resources of a kind have the same in. */
function statusOf({ field, value }: TextControlProps, of: FormOf | undefined) {
  if (of === undefined || field.kind !== 'text' || field.path !== kinds[of.kind].uniqueName) return null;
  return <UniqueName of={of} name={value} maxLength={field.maxLength} />;
}

export const TextControl = (props: TextControlProps) => (
  <FieldFrame
    pointer={props.pointer}
    label={props.label}
    hint={props.hint}
    isRequired={props.field.isRequired && props.field.name !== ''}
    isWide={props.field.kind === 'text' && props.field.isLong}
    status={statusOf(props, useContext(FormResource))}
  >
    {(attributes) => drawControl(props, attributes)}
  </FieldFrame>
);
