import { texts } from '../texts/texts.ts';
import { type ChoiceList, describeChoice, findOptions, isKnown, toValue } from './choices.ts';
import { Combobox, type ComboboxProps } from './combobox.tsx';

interface ChoiceInputProps extends Pick<ComboboxProps, 'attributes' | 'label'> {
  readonly list: ChoiceList;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A code that is found by its name. Other codes can be typed: the browser may not know all that the service accepts. */
export const ChoiceInput = ({ attributes, label, list, value, onChange }: ChoiceInputProps) => (
  <Combobox
    attributes={attributes}
    label={label}
    text={describeChoice(list, value)}
    note={value === '' || isKnown(list, value) ? '' : texts.form.unknownCode}
    find={(typed) => findOptions(list, typed)}
    onType={(typed) => onChange(toValue(list, typed))}
    onPick={(option) => onChange(option.value)}
  />
);
