/** The choices for an import. */
import { engine } from 'user-files';
import type { Encoding, FormatName, ImportWishes, Mode, Preview, ReadWishes } from 'user-files/types';
import { Check, Select } from '../parts/fields.tsx';
import { readMeta } from '../root.ts';
import type { KindName } from '../schema/kinds.ts';
import { files } from '../texts/files.ts';

/** Empty texts: as recognized. */
export interface Choices
  extends Pick<ImportWishes, 'mode' | 'match' | 'emptyRemoves' | 'spreadsheet' | 'lastLine'> {
  readonly encoding: Encoding | '';
  readonly delimiter: NonNullable<ReadWishes['delimiter']> | '';
  readonly dates: NonNullable<ReadWishes['dates']> | '';
  /** `on/off` */
  readonly booleans: string;
}

export const usualChoices: Choices = {
  mode: 'create',
  match: 'id',
  encoding: '',
  delimiter: '',
  dates: '',
  booleans: '',
};

/** How the file is read. Options of tables are left out for other formats. */
export function readWishesOf(kind: KindName, format: FormatName, choices: Choices): ReadWishes {
  const encoding = choices.encoding || undefined;
  if (format !== 'csv') return { kind, format, encoding };
  const { mode: _mode, match: _match, ...reading } = choices;
  const delimiter = reading.delimiter || undefined;
  const dates = reading.dates || undefined;
  const booleans = engine.readBooleans(reading.booleans);
  return { ...reading, kind, format, encoding, delimiter, dates, booleans, timeZone: readMeta('time-zone') };
}

/** Options of tables. */
const switches = ['emptyRemoves', 'spreadsheet', 'lastLine'] as const;

interface ChoicesProps {
  readonly choices: Choices;
  readonly onChange: (change: Partial<Choices>) => void;
}

/** As a `Select` has them. */
const entriesOf = <T extends string>(labels: Readonly<Record<T, string>>) =>
  Object.entries(labels) as [T, string][];

interface ReadingProps extends ChoicesProps {
  readonly format: FormatName;
  readonly preview: Preview;
}

/** How the file is read. */
export function Reading({ choices, onChange, format, preview }: ReadingProps) {
  const { encoding, delimiter, dates, booleans } = choices;
  const orders: Readonly<Record<string, string>> = files.dateOrders;
  const found = preview.dates && orders[preview.dates];
  const automatic = (recognized: string | undefined): readonly ['', string] => [
    '',
    recognized === undefined ? files.automatic : files.recognized(recognized),
  ];
  const isWrong = booleans !== '' && engine.readBooleans(booleans) === undefined;
  return (
    <details class="reading">
      <summary>
        {files.reading} {found !== undefined && <span class="quiet">{found}</span>}
      </summary>
      <div class="stack">
        <Select
          label={files.encoding}
          value={encoding}
          options={[
            automatic(encoding === '' ? preview.encoding : undefined),
            ...engine.encodings.map((one) => [one, one] as const),
          ]}
          onChoose={(value) => onChange({ encoding: value })}
        />
        {format === 'csv' && (
          <>
            <Select
              label={files.delimiter}
              value={delimiter}
              options={[
                automatic(
                  delimiter === '' && preview.delimiter !== undefined
                    ? files.delimiters[preview.delimiter]
                    : undefined,
                ),
                ...entriesOf(files.delimiters),
              ]}
              onChoose={(value) => onChange({ delimiter: value })}
            />
            <Select
              label={files.dates}
              value={dates}
              options={[automatic(dates === '' ? found : undefined), ...entriesOf(files.dateOrders)]}
              onChoose={(value) => onChange({ dates: value })}
            />
            <label class="field">
              {files.booleans}
              <input
                value={booleans}
                aria-invalid={isWrong}
                aria-describedby="booleans-hint"
                onInput={(event) => onChange({ booleans: event.currentTarget.value })}
              />
              <small id="booleans-hint" class="quiet">
                {isWrong ? files.booleansWrong : files.booleansHint}
              </small>
            </label>
            {switches.map((name) => (
              <Check
                key={name}
                label={files[name]}
                isChecked={choices[name] ?? false}
                onChange={(is) => onChange({ [name]: is })}
              />
            ))}
          </>
        )}
      </div>
    </details>
  );
}

interface RulesProps extends ChoicesProps {
  readonly kind: KindName;
  readonly nameOf: (path: string) => string;
}

/** What to do with a row, and how to match it. */
export const Rules = ({ choices, onChange, kind, nameOf }: RulesProps) => (
  <div class="stack">
    <fieldset class="import-choice">
      <legend>{files.mode}</legend>
      {entriesOf<Mode>(files.modes).map(([mode, label]) => (
        <label key={mode} class="check-line">
          <input
            type="radio"
            name="mode"
            checked={choices.mode === mode}
            onChange={() => onChange({ mode })}
          />
          {label}
        </label>
      ))}
    </fieldset>
    <Select
      label={files.match}
      value={choices.match}
      options={engine
        .matchMembers(kind)
        .map((member) => [member, member === 'id' ? files.matchId : nameOf(member)])}
      onChoose={(match) => onChange({ match })}
    />
  </div>
);
