import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { engine } from 'user-files';
import type { CorrectedRow, ReadWishes, RejectedRow, RowMistake } from 'user-files/types';
import { explainDetail } from '../explain-detail.ts';
import { fieldAt } from '../form/pointers.ts';
import { isUniqueIn, Taken } from '../form/unique-name.tsx';
import { TextArea, TextField } from '../parts/fields.tsx';
import { Folded } from '../parts/folded.tsx';
import { AskingForm } from '../parts/form.tsx';
import { LabelledCombobox } from '../picker/combobox.tsx';
import { optionOf, useFound } from '../picker/use-found.ts';
import { type KindName, nameOf } from '../schema/kinds.ts';
import { fieldsOf } from '../schema/load-fields.ts';
import { files as words } from '../texts/files.ts';
import { texts } from '../texts/texts.ts';
import { nextOf, type Run } from './use-import.ts';

/** `C3`, as a spreadsheet names it. */
export const nameCell = (line: number, column: number): string => `${engine.lettersOf(column)}${line}`;

/** Names for people. */
interface Names {
  readonly kind: KindName;
  /** The column of this path. */
  readonly nameOf: (path: string) => string;
  /** For a table: the paths of columns, by heading. */
  readonly paths: ReadonlyMap<string, string> | undefined;
}

/** Who has the value of a cell that must be unique. */
function Holder({
  path,
  value,
  kind,
}: {
  readonly path: string;
  readonly value: string;
  readonly kind: KindName;
}) {
  const field = fieldAt(fieldsOf(kind), path.split('.'));
  if (field === undefined || value === '' || !isUniqueIn(kind, field)) return null;
  return <Taken of={{ kind, id: '' }} path={path} name={value} isRefused />;
}

/** @returns the mistake, and its field unless a cell shows it */
const explain = ({ value, path, detail }: RowMistake, { nameOf }: Names): string => {
  const place = value === undefined ? nameOf(path) : words.valueAt(value);
  return `${place}${place === '' ? '' : ': '}${explainDetail(detail, words.violations)}`;
};

const markedBy = (name: string) => ({ 'aria-invalid': true, 'aria-describedby': `mistake-${name}` }) as const;

interface RowProps {
  readonly row: RejectedRow;
  readonly headings: readonly string[];
  readonly names: Names;
  readonly corrected: CorrectedRow;
  readonly onChange: (corrected: CorrectedRow) => void;
}

interface CellsProps extends Omit<RowProps, 'corrected'> {
  readonly corrected: readonly string[];
  /** The paths of the cells to show. */
  readonly columns: readonly number[];
}

interface CellLabelProps extends Omit<Names, 'kind'> {
  readonly heading: string;
  /** `C3` */
  readonly cell: string;
}

/** The name of the field, and its heading in the file. */
function CellLabel({ heading, cell, nameOf, paths }: CellLabelProps) {
  const name = nameOf(paths?.get(heading) ?? '') || heading;
  return (
    <>
      <bdi>{name}</bdi>{' '}
      <span class="quiet">
        {name !== heading && <bdi>{heading}</bdi>} {cell}
      </span>
    </>
  );
}

/** The name of a user, who is found by typing. */
function UserCell({ label, value, onInput, attributes }: ComponentProps<typeof TextArea>) {
  const [typed, setTyped] = useState<string>();
  const { resources, isCurrent } = useFound('user', typed);
  return (
    <LabelledCombobox
      name={label}
      label={texts.list.suggestions}
      attributes={{ ...attributes }}
      text={value}
      find={() => resources.map((user) => ({ ...optionOf(user), value: nameOf(user) }))}
      isBusy={!isCurrent}
      onType={(text) => {
        setTyped(text);
        onInput(text);
      }}
      onPick={(user) => onInput(user.value)}
    />
  );
}

const Cells = ({ row, headings, names, corrected, columns, onChange }: CellsProps) =>
  columns.map((column) => {
    const isAsRefused = corrected[column - 1] === row.cells?.[column - 1];
    const mistakes = row.mistakes.filter(({ cell }) => isAsRefused && cell?.column === column);
    const name = nameCell(row.place.line, column);
    const heading = headings[column - 1] ?? '';
    const path = names.paths?.get(heading) ?? '';
    const [, named = ''] = path.split('@');
    const isUser = fieldAt(fieldsOf(names.kind), named.split('.'))?.kind === 'text';
    const Field = row.cells?.[column - 1]?.includes('\n') ? TextArea : isUser ? UserCell : TextField;
    return (
      <div key={column} class="field">
        <Field
          label={<CellLabel {...names} heading={heading} cell={name} />}
          value={corrected[column - 1] ?? ''}
          onInput={(value) => onChange(corrected.with(column - 1, value))}
          attributes={mistakes.length === 0 ? {} : markedBy(name)}
        />
        {mistakes.length > 0 && (
          <>
            <p class="mistake" id={`mistake-${name}`}>
              {mistakes.map((mistake) => explain(mistake, names)).join('; ')}
            </p>
            <Holder kind={names.kind} path={path} value={corrected[column - 1] ?? ''} />
          </>
        )}
      </div>
    );
  });

/** The wrong cells, and the others on request: a hundred rows may have thousands. */
function RowCells(props: Omit<CellsProps, 'columns'>) {
  const { row, headings } = props;
  const all = headings.map((_, at) => at + 1);
  const isWrong = (column: number) => row.mistakes.some(({ cell }) => cell?.column === column);
  const others = all.filter((column) => !isWrong(column));
  return (
    <>
      <Cells {...props} columns={all.filter(isWrong)} />
      {others.length > 0 && (
        <Folded summary={words.otherCells(others.length)} isOpenAtFirst={others.length === headings.length}>
          <div class="stack">
            <Cells {...props} columns={others} />
          </div>
        </Folded>
      )}
    </>
  );
}

function Row(props: RowProps) {
  const { row, headings, names, corrected, onChange } = props;
  const { place, cells, mistakes, text } = row;
  // After a correction of the text, its cells may be distinguishable.
  const shown = corrected === text ? (cells ?? text) : corrected;
  const isText = typeof shown === 'string';
  const isSkipped = corrected === '';
  const apart = mistakes.filter(({ cell }) => isText || cell === undefined);
  return (
    <li class="correction stack">
      <h3>
        {headings.length === 0 ? words.lineAt(place.line, place.column) : words.row(place.line)}{' '}
        <bdi class="quiet">
          {(cells ?? (headings.length === 0 ? [] : [text]))
            .filter((cell) => cell !== '')
            .slice(0, 3)
            .join(', ')}
        </bdi>
        <button type="button" class="plain" onClick={() => onChange(isSkipped ? text : '')}>
          {isSkipped ? words.include : words.skip}
        </button>
      </h3>
      {!isSkipped && apart.length > 0 && (
        <ul class="mistake" id={`mistake-${row.key}`}>
          {apart.map((mistake, at) => (
            <li key={at}>
              {mistake.cell !== undefined && `${nameCell(place.line, mistake.cell.column)}: `}
              {explain(mistake, names)}
            </li>
          ))}
        </ul>
      )}
      {isSkipped ? null : isText ? (
        <TextArea label={words.rowText} value={shown} onInput={onChange} attributes={markedBy(row.key)} />
      ) : (
        <RowCells {...props} corrected={shown} />
      )}
    </li>
  );
}

export interface CorrectionsProps {
  /** The first refused rows, and those that were skipped. */
  readonly rows: readonly RejectedRow[];
  /** The number of other refused rows. */
  readonly more: number;
  /** Of the cells; empty for files that are not tables. */
  readonly headings: readonly string[];
  readonly names: Names;
  readonly corrections: ReadWishes['corrections'];
  /** The run that refused the rows. */
  readonly run: Run;
  readonly onCorrect: (key: string, row: CorrectedRow) => void;
  readonly onRun: (isDryRun: boolean) => void;
}

/** Rows with their mistakes, to correct. While this is the likely next step, its buttons are the only ones that check and import. */
export function Corrections(props: CorrectionsProps) {
  const { rows, more, headings, names, run, corrections, onCorrect, onRun } = props;
  const isChanged = corrections !== run.corrections;
  return (
    <AskingForm onSubmit={() => onRun(true)}>
      <ol class="corrections">
        {rows.map((row) => (
          <Row
            key={row.key}
            {...{ row, headings, names }}
            corrected={corrections?.get(row.key) ?? row.text}
            onChange={(corrected) => onCorrect(row.key, corrected)}
          />
        ))}
      </ol>
      {more > 0 && <p class="quiet">{words.moreRefused(more)}</p>}
      {nextOf(run) === 'correct' && (
        <div class="save-bar">
          <button type="submit">{words.checkAgain}</button>
          <button
            type="button"
            class={isChanged ? 'primary' : ''}
            disabled={!isChanged && !run.isDryRun}
            onClick={() => onRun(false)}
          >
            {!run.isDryRun ? words.importRefused : isChanged ? words.importCorrected : words.importOthers}
          </button>
        </div>
      )}
    </AskingForm>
  );
}
