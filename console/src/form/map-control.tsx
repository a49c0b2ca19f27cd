import { type DraftEntry, pointToEntry } from '../schema/drafts.ts';
import type { MapField } from '../schema/fields.ts';
import { texts } from '../texts/texts.ts';
import { FieldFrame } from './field-frame.tsx';
import { Rows } from './rows.tsx';

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

/** Texts by names that people choose. */
export const MapControl = ({ field, value, pointer, onChange }: MapControlProps) => (
  <Rows
    {...{ field, pointer, value, onChange }}
    class="of-entries"
    word={field.entryLabel}
    most={field.maxEntries}
    added={[{ name: '', value: '' }, pointToEntry(pointer, value.length, 'name')]}
    nameOf={(index) => `${field.entryLabel} ${value[index]?.name}`}
  >
    {(index) => (
      <div class="members">
        {(['name', 'value'] as const).map((part) => (
          <EntryInput
            key={part}
            pointer={pointToEntry(pointer, index, part)}
            label={part === 'name' ? texts.form.entryName : texts.form.entryValue}
            value={value[index]?.[part] ?? ''}
            onChange={(text) =>
              onChange(value.map((entry, at) => (at === index ? { ...entry, [part]: text } : entry)))
            }
          />
        ))}
      </div>
    )}
  </Rows>
);
