import { Icon } from '../parts/icons.tsx';
import { type DraftEntry, pointToEntry } from '../schema/drafts.ts';
import type { MapField } from '../schema/fields.ts';
import { texts } from '../texts/texts.ts';
import { FieldFrame, Mistake } from './field-frame.tsx';
import { focusAdded, idOf } from './form-context.ts';
import { stateOf, useDrawn } from './use-drawn.ts';

interface MapControlProps {
  readonly field: MapField;
  readonly value: readonly DraftEntry[];
  readonly pointer: string;
  readonly onChange: (value: readonly DraftEntry[]) => void;
}

interface EntryInputProps {
  readonly pointer: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const EntryInput = ({ pointer, label, value, onChange }: EntryInputProps) => (
  <FieldFrame pointer={pointer} label={label} hint="">
    {(attributes) => {
      const common = { ...attributes, value, dir: 'auto' as const };
      return /[\r\n]/.test(value) ? (
        <textarea {...common} onInput={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <input {...common} autocomplete="off" onInput={(event) => onChange(event.currentTarget.value)} />
      );
    }}
  </FieldFrame>
);

interface EntryProps {
  readonly pointer: string;
  readonly word: string;
  readonly index: number;
  readonly entry: DraftEntry;
  readonly onChange: (entry: DraftEntry) => void;
  readonly onRemove: () => void;
}

const Entry = ({ pointer, word, index, entry, onChange, onRemove }: EntryProps) => (
  <li>
    <div class="members">
      <EntryInput
        pointer={pointToEntry(pointer, index, 'name')}
        label={texts.form.entryName}
        value={entry.name}
        onChange={(name) => onChange({ ...entry, name })}
      />
      <EntryInput
        pointer={pointToEntry(pointer, index, 'value')}
        label={texts.form.entryValue}
        value={entry.value}
        onChange={(value) => onChange({ ...entry, value })}
      />
    </div>
    <button
      type="button"
      class="bare remove"
      aria-label={`${texts.form.remove(word)} ${entry.name}`}
      title={texts.form.remove(word)}
      onClick={onRemove}
    >
      <Icon name="remove" />
    </button>
  </li>
);

export function MapControl({ field, value, pointer, onChange }: MapControlProps) {
  const drawn = useDrawn(value.length);
  return (
    <fieldset
      class={`group list-group of-entries ${stateOf(drawn, value.length)}`}
      id={idOf(pointer)}
      tabIndex={-1}
    >
      <legend>{field.label}</legend>
      {field.description !== '' && <p class="hint">{field.description}</p>}
      <Mistake pointer={pointer} />
      {value.length > 0 && (
        <ol>
          {value.slice(0, drawn).map((entry, index) => (
            <Entry
              key={index}
              pointer={pointer}
              word={field.entryLabel}
              index={index}
              entry={entry}
              onChange={(changed) => onChange(value.map((other, at) => (at === index ? changed : other)))}
              onRemove={() => onChange(value.filter((_, at) => at !== index))}
            />
          ))}
        </ol>
      )}
      <button
        type="button"
        class="add"
        disabled={value.length >= field.maxEntries}
        onClick={() => {
          onChange([...value, { name: '', value: '' }]);
          focusAdded(pointToEntry(pointer, value.length, 'name'));
        }}
      >
        <Icon name="plus" /> {texts.form.add(field.entryLabel)}
      </button>
    </fieldset>
  );
}
