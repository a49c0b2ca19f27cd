import type { ActivityView } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { texts } from '../texts/texts.ts';

/** Types of changes, by which deleted users and groups are found. */
export const deletions: readonly string[] = ['user.deleted', 'group.deleted'];

export const isDeletedOnly = ({ types }: ActivityView): boolean =>
  types.length === deletions.length && deletions.every((type) => types.includes(type));

interface DayProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** Each digit of a year that is typed makes another day: none of them is worth a way back. */
const Day = ({ label, value, onChange }: DayProps) => (
  <label class="field">
    <span>{label}</span>
    <input type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
  </label>
);

/** Which changes are shown. */
export function ActivityFilters({ view }: { readonly view: ActivityView }) {
  const change = (next: Partial<ActivityView>, replace = false) =>
    goTo({ view: { ...view, ...next } }, replace);
  const { types, by, from, to } = view;
  return (
    <form class="activity-filters" onSubmit={(event) => event.preventDefault()}>
      {!isDeletedOnly(view) && (
        <label class="field">
          <span>{texts.history.type}</span>
          <select
            value={types[0] ?? ''}
            onChange={({ currentTarget: { value } }) => change({ types: value === '' ? [] : [value] })}
          >
            <option value="">{texts.history.anyType}</option>
            {Object.entries(texts.history.types).map(([type, label]) => (
              <option key={type} value={type}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        <span>{texts.history.author}</span>
        <input
          value={by}
          dir="auto"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder={texts.history.authorHint}
          onChange={(event) => change({ by: event.currentTarget.value.trim() })}
        />
      </label>
      <Day label={texts.history.from} value={from} onChange={(day) => change({ from: day }, true)} />
      <Day label={texts.history.to} value={to} onChange={(day) => change({ to: day }, true)} />
    </form>
  );
}
