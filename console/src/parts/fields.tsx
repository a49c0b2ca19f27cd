/** Labelled controls, except those of forms that are made from a schema (`form/`). */
import type { AriaAttributes, ComponentChildren, InputHTMLAttributes } from 'preact';

interface LabelledProps {
  readonly label: ComponentChildren;
}

interface TextFieldProps extends LabelledProps {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** Of the input. */
  readonly attributes?: InputHTMLAttributes<HTMLInputElement>;
}

/** One line of text that the browser neither completes nor corrects. */
export const TextField = ({ label, value, onInput, attributes = {} }: TextFieldProps) => (
  <label class="field">
    <span>{label}</span>
    <input
      dir="auto"
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      {...attributes}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  </label>
);

/** Attributes of a field for a day: years have four digits, as everywhere in the service. */
export const anyDay = { type: 'date', max: '9999-12-31' } as const;

interface TextAreaProps extends Omit<TextFieldProps, 'attributes'> {
  readonly attributes?: AriaAttributes;
}

/** Like `TextField`, for texts with line breaks, which an input would drop. */
export const TextArea = ({ label, value, onInput, attributes }: TextAreaProps) => (
  <label class="field">
    <span>{label}</span>
    <textarea
      dir="auto"
      spellcheck={false}
      {...attributes}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  </label>
);

/** In their order. */
type Options<T extends string> = readonly (readonly [value: T, label: ComponentChildren])[];

interface ChoiceProps<T extends string> extends LabelledProps {
  readonly value: T;
  readonly options: Options<T>;
  readonly onChoose: (value: T) => void;
}

interface SelectProps<T extends string> extends ChoiceProps<T> {
  readonly class?: string;
}

export const Select = <T extends string>(props: SelectProps<T>) => (
  <label class={props.class ?? 'field'}>
    <span>{props.label}</span>
    <select value={props.value} onChange={(event) => props.onChoose(event.currentTarget.value as T)}>
      {props.options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  </label>
);

/** A few choices side by side. The label is only for screen readers. @param name of the radio buttons, unique on the page */
export const Segments = <T extends string>({
  label,
  name,
  value,
  options,
  onChoose,
}: ChoiceProps<T> & { readonly name: string }) => (
  <fieldset class="segments">
    <legend class="unseen">{label}</legend>
    {options.map(([one, text]) => (
      <label key={one}>
        <input type="radio" name={name} checked={value === one} onChange={() => onChoose(one)} />
        <span>{text}</span>
      </label>
    ))}
  </fieldset>
);

interface CheckProps extends LabelledProps {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export const Check = ({ label, isChecked, onChange }: CheckProps) => (
  <label class="check-line">
    <input type="checkbox" checked={isChecked} onChange={(event) => onChange(event.currentTarget.checked)} />
    <span>{label}</span>
  </label>
);
