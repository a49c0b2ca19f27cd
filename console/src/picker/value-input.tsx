import { useRef } from 'preact/hooks';
import { TextField } from '../parts/fields.tsx';
import { fold } from '../parts/fold.ts';
import type { KindName, ListQuery } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { useKeys } from './use-keys.ts';
import { useKnownValues } from './use-known-values.ts';

/** Others are found by typing. */
const maxOffered = 10;

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
  const input = useRef<HTMLInputElement>(null);
  const typed = fold(value.trim());
  const begins = (one: string) => fold(one).startsWith(typed);
  const offered = known
    .filter((one) => fold(one).includes(typed) && one !== value)
    .toSorted((one, other) => Number(begins(other)) - Number(begins(one)));
  const first = known.includes(value) ? undefined : offered.find(begins);
  const isOfForm = typed === '' || (!isBusy && first === undefined);
  const onKeyDown = useKeys({ text: value, isBusy, isOfForm, take: () => onPick(first ?? value) });
  const pick = (one: string) => {
    // The button disappears.
    input.current?.focus();
    onPick(one);
  };
  return (
    <fieldset class="picker" onKeyDown={onKeyDown}>
      <TextField label={label} value={value} onInput={onInput} attributes={{ ref: input, required: true }} />
      {offered.length > 0 && (
        <ul aria-label={texts.list.suggestions}>
          {offered.slice(0, maxOffered).map((one) => (
            <li key={one}>
              <button type="button" onClick={() => pick(one)}>
                <bdi>{one}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
      {offered.length > maxOffered && <p class="quiet">{texts.form.moreFound}</p>}
    </fieldset>
  );
}
