import { useRef, useState } from 'preact/hooks';
import type { ActivityView } from '../address/address.ts';
import { goTo, Link } from '../address/navigation.tsx';
import { useTyping } from '../address/use-typing.ts';
import { useAnswer } from '../answers/use-answer.ts';
import { readResource } from '../api/directory.ts';
import { layOut } from '../form/layout.ts';
import { dayOf, daysAgo, fold } from '../language.ts';
import { anyDay, Select, TextField } from '../parts/fields.tsx';
import { LabelledCombobox } from '../picker/combobox.tsx';
import { optionOf, useFound } from '../picker/use-found.ts';
import { printPointer } from '../schema/documents.ts';
import { kindNames, titleOf } from '../schema/kinds.ts';
import { useShortcut } from '../shortcuts/shortcuts.ts';
import { texts } from '../texts/texts.ts';
import { areDeletions } from './deletions.ts';

interface ActivityFiltersProps {
  readonly view: ActivityView;
  /** To suggest. */
  readonly authors: readonly string[];
}

/** The fields of users and groups by their JSON Pointers, each once: a field that both have gets the user's label. */
function changeable(): readonly (readonly [pointer: string, label: string])[] {
  const fields = kindNames.flatMap((kind) => layOut(kind).flatMap((section) => section.fields));
  const labels = new Map(
    fields.toReversed().map(({ path, label }) => [printPointer(path.split('.')), label]),
  );
  return [...labels].sort(([, one], [, other]) => one.localeCompare(other));
}

/** The changed user; empty: any user. Deleted users are found by name. */
function ChangedUser({ id, onChange }: { readonly id: string; readonly onChange: (id: string) => void }) {
  const [typed, setTyped] = useState<string>();
  const { resources } = useFound('user', typed);
  const { value } = useAnswer(id === '' ? undefined : ({ kind: 'user', id } as const), readResource);
  return (
    <LabelledCombobox
      label={texts.history.person}
      attributes={{ placeholder: texts.kinds.user.hint }}
      text={value === undefined ? id : titleOf(value.resource)}
      find={() => resources.map(optionOf)}
      onType={(text) => (text === '' ? onChange('') : setTyped(text))}
      onPick={(user) => onChange(user.value)}
      onLeave={() => setTyped(undefined)}
    />
  );
}

interface ChangedByProps {
  readonly by: string;
  readonly authors: readonly string[];
  readonly onChange: (by: string) => void;
}

/** The service finds authors by their whole name. Enter takes the first author with a part of it, and leaving the field the only one. */
function ChangedBy({ by, authors, onChange }: ChangedByProps) {
  const [typed, setTyped] = useState('');
  const found = authors.filter((name) => fold(name).includes(fold(typed)));
  const exact = typed.trim();
  const isWhole = exact !== '' && !found.includes(exact);
  const apply = (name: string) => {
    setTyped('');
    onChange(name);
  };
  return (
    <LabelledCombobox
      label={texts.history.author}
      attributes={{ placeholder: texts.history.authorHint }}
      text={by}
      find={() => [
        ...found.map((name) => ({ value: name, label: name, note: '' })),
        ...(isWhole ? [{ value: exact, label: exact, note: texts.history.exactly }] : []),
      ]}
      onType={(text) => (text === '' ? apply('') : setTyped(text))}
      onPick={({ value }) => apply(value)}
      onEnter={typed === '' ? undefined : () => apply(found[0] ?? exact)}
      onLeave={() => (typed !== '' && found.length === 1 ? apply(String(found)) : setTyped(''))}
    />
  );
}

/** In days before today. */
const presets = [0, 6, 29] as const;

/** The usual times. */
const Presets = ({ view }: { readonly view: ActivityView }) => (
  <p class="actions presets">
    {presets.map((days, at) => {
      const from = dayOf(daysAgo(days));
      return (
        <Link
          key={days}
          class="button"
          view={{ ...view, from, to: '' }}
          isCurrent={view.from === from && view.to === ''}
        >
          {texts.history.presets[at]}
        </Link>
      );
    })}
  </p>
);

/** Which changes are shown. */
export function ActivityFilters({ view, authors }: ActivityFiltersProps) {
  const change = (next: Partial<ActivityView>, replace = false) =>
    goTo({ view: { ...view, ...next } }, replace);
  const { types, label, by } = view;
  const isDeleted = areDeletions(types);
  const named = useTyping(label, (text, replaces) => change({ label: text.trim() }, replaces));
  const form = useRef<HTMLFormElement>(null);
  useShortcut('search', () => form.current?.querySelector<HTMLElement>('select, input')?.focus());
  return (
    <form
      ref={form}
      class="activity-filters"
      onSubmit={(event) => {
        event.preventDefault();
        named.applyNow();
      }}
    >
      {!isDeleted && (
        <>
          <Select
            label={texts.history.type}
            value={types[0] ?? ''}
            options={[['', texts.history.anyType], ...Object.entries(texts.history.types)]}
            onChoose={(type) => change({ types: type === '' ? [] : [type] })}
          />
          <Select
            label={texts.list.field}
            value={view.changed}
            options={[['', texts.history.anyType], ...changeable()]}
            onChoose={(changed) => change({ changed })}
          />
          <ChangedUser id={view.id} onChange={(id) => change({ id })} />
        </>
      )}
      {(isDeleted || label !== '') && (
        <TextField
          label={texts.list.name}
          value={named.text}
          onInput={named.type}
          attributes={{ type: 'search', onBlur: named.end }}
        />
      )}
      <ChangedBy by={by} authors={authors} onChange={(name) => change({ by: name })} />
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
      <Presets view={view} />
    </form>
  );
}
