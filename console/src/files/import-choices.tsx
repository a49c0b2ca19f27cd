import type { FileEngine, FormatName, Mode, Preview } from 'user-files/types';
import { Check, Select } from '../parts/fields.tsx';
import type { KindName } from '../schema/kinds.ts';
import { texts } from '../texts/texts.ts';
import { type Choices, encodings } from './wishes.ts';

interface ChoicesProps {
  readonly engine: FileEngine;
  readonly choices: Choices;
  readonly onChange: (change: Partial<Choices>) => void;
}

const entriesOf = <T extends string>(labels: Readonly<Record<T, string>>) =>
  Object.entries(labels) as [T, string][];

interface ReadingProps extends ChoicesProps {
  readonly format: FormatName;
  readonly preview: Preview;
}

/** How the file is read. */
export function Reading({ choices, onChange, engine, format, preview }: ReadingProps) {
  const { files } = texts;
  const { encoding, delimiter, booleans } = choices;
  const automatic = (recognized: string | undefined): readonly ['', string] => [
    '',
    recognized === undefined ? files.automatic : files.recognized(recognized),
  ];
  const isWrong = booleans !== '' && engine.readBooleans(booleans) === undefined;
  return (
    <details class="reading">
      <summary>{files.reading}</summary>
      <div class="stack">
        <Select
          label={files.encoding}
          value={encoding}
          options={[
            automatic(encoding === '' ? preview.encoding : undefined),
            ...encodings.map((one) => [one, one] as const),
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
            <Check
              label={files.emptyRemoves}
              isChecked={choices.emptyRemoves ?? false}
              onChange={(emptyRemoves) => onChange({ emptyRemoves })}
            />
            <Check
              label={files.spreadsheet}
              isChecked={choices.spreadsheet ?? false}
              onChange={(spreadsheet) => onChange({ spreadsheet })}
            />
            <Check
              label={files.lastLine}
              isChecked={choices.lastLine ?? false}
              onChange={(lastLine) => onChange({ lastLine })}
            />
          </>
        )}
      </div>
    </details>
  );
}

interface RulesProps extends ChoicesProps {
  readonly kind: KindName;
}

/** What becomes of a row, and what it is matched by. */
export const Rules = ({ choices, onChange, engine, kind }: RulesProps) => (
  <div class="stack">
    <fieldset class="import-choice">
      <legend>{texts.files.mode}</legend>
      {entriesOf<Mode>(texts.files.modes).map(([mode, label]) => (
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
      label={texts.files.match}
      value={choices.match}
      options={engine.matchMembers(kind).map((member) => [member, texts.files.matches[member] ?? member])}
      onChoose={(match) => onChange({ match })}
    />
  </div>
);
