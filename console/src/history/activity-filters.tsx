import { useRef } from 'preact/hooks';
import type { ActivityView } from '../address/address.ts';
import { goTo } from '../address/navigation.tsx';
import { useTyping } from '../address/use-typing.ts';
import { anyDay, Select, TextField } from '../parts/fields.tsx';
import { useShortcut } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';

/** Types of changes, by which deleted users and groups are found. */
export const deletions: readonly string[] = ['user.deleted', 'group.deleted'];

export const isDeletedOnly = ({ types }: ActivityView): boolean =>
  types.length === deletions.length && deletions.every((type) => types.includes(type));

interface ActivityFiltersProps {
  readonly view: ActivityView;
  /** To suggest. */
  readonly authors: readonly string[];
}

/** Which changes are shown. */
export function ActivityFilters({ view, authors }: ActivityFiltersProps) {
  const change = (next: Partial<ActivityView>, replace = false) =>
    goTo({ view: { ...view, ...next } }, replace);
  const { types, label, by } = view;
  const named = useTyping(label, (text, replaces) => change({ label: text.trim() }, replaces));
  const author = useTyping(by, (text, replaces) => change({ by: text.trim() }, replaces));
  const form = useRef<HTMLFormElement>(null);
  useShortcut('search', () => form.current?.querySelector<HTMLElement>('select, input')?.focus());
  return (
    <form
      ref={form}
      class="activity-filters"
      onSubmit={(event) => {
        event.preventDefault();
        named.applyNow();
        author.applyNow();
      }}
    >
      {!isDeletedOnly(view) && (
        <Select
          label={texts.history.type}
          value={types[0] ?? ''}
          options={[['', texts.history.anyType], ...Object.entries(texts.history.types)]}
          onChoose={(type) => change({ types: type === '' ? [] : [type] })}
        />
      )}
      <TextField
        label={texts.history.name}
        value={named.text}
        onInput={named.type}
        attributes={{ type: 'search', onBlur: named.end }}
      />
      <TextField
        label={texts.history.author}
        value={author.text}
        onInput={author.type}
        attributes={{ list: 'authors', placeholder: texts.history.authorHint, onBlur: author.end }}
      />
      <datalist id="authors">
        {authors.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {(['from', 'to'] as const).map((end) => (
        <TextField
          key={end}
          label={texts.history[end]}
          value={view[end]}
          // Each typed digit of a year gives another day, which needs no entry in the browser's history.
          onInput={(day) => change({ [end]: day }, true)}
          attributes={anyDay}
        />
      ))}
    </form>
  );
}
