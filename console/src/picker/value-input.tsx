import { fold } from '../language.ts';
import type { KindName, ListQuery } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { LabelledCombobox } from './combobox.tsx';
import { useKnownValues } from './use-known-values.ts';

interface ValueInputProps {
  readonly kind: KindName;
  readonly label: string;
  /** The field whose values are offered. */
  readonly path: readonly string[];
  /** The query of the resources. */
  readonly query: ListQuery;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly onPick: (value: string) => void;
}

/**
 * Accepts any text, and offers values of other resources. Enter picks the first value that begins with the text, once the values are loaded;
 * without such a value, it submits the form.
 */
export function ValueInput({ kind, label, path, query, value, onInput, onPick }: ValueInputProps) {
  const { known, isBusy } = useKnownValues(kind, path, query);
  const typed = fold(value.trim());
  const begins = (one: string) => fold(one).startsWith(typed);
  const offered = known
    .filter((one) => fold(one).includes(typed) && one !== value)
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)));
  const first = known.includes(value) ? undefined : offered.find(begins);
  const isOfForm = typed === '' || (!isBusy && first === undefined);
  return (
    <LabelledCombobox
      name={label}
      label={texts.list.suggestions}
      isInline
      attributes={{ required: true }}
      text={value}
      find={() => offered.map((one) => ({ value: one, label: one, note: one }))}
      isBusy={isBusy}
      onType={onInput}
      onPick={(option) => onPick(option.value)}
      onEnter={isOfForm ? undefined : () => onPick(first ?? value)}
    />
  );
}
