import { fold } from '../parts/fold.ts';
import type { KindName, ListQuery } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { useKnownValues } from './use-known-values.ts';

/** Others are found by typing. */
const maxOffered = 8;

interface ValueInputProps {
  readonly kind: KindName;
  readonly label: string;
  /** The field whose values are offered. */
  readonly path: readonly string[];
  /** Of which resources. */
  readonly query: ListQuery;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly onPick: (value: string) => void;
  /** Enter takes the first that is offered, in the place of a text that no other has. */
  readonly takesFirst?: boolean;
}

/** Takes any text, and offers what others have there. */
export function ValueInput({
  kind,
  label,
  path,
  query,
  value,
  onInput,
  onPick,
  takesFirst = false,
}: ValueInputProps) {
  const known = useKnownValues(kind, path, query);
  const typed = fold(value.trim());
  const offered = known.filter((one) => fold(one.value).includes(typed) && one.value !== value);
  const first = known.some((one) => one.value === value) ? undefined : offered[0];
  return (
    <div class="picker">
      <label class="field">
        <span>{label}</span>
        <input
          required
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!takesFirst || event.key !== 'Enter' || typed === '' || first === undefined) return;
            event.preventDefault();
            onPick(first.value);
          }}
        />
      </label>
      {offered.length > 0 && (
        <ul aria-label={texts.list.suggestions}>
          {offered.slice(0, maxOffered).map((one) => (
            <li key={one.value}>
              <button type="button" onClick={() => onPick(one.value)}>
                <bdi>{one.value}</bdi>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
