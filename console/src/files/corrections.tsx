import { useState } from 'preact/hooks';
import type { CorrectedRow, RejectedRow, Rejects, RowMistake } from 'user-files/types';
import { explainViolation } from '../answers/failure-words.ts';
import { TextField } from '../parts/fields.tsx';
import { texts } from '../texts/texts.ts';

const words = texts.files;

/** `A` to `Z`, `AA` and so on. @param column from 1 on */
function lettersOf(column: number): string {
  const rest = column - 1;
  return (rest < 26 ? '' : lettersOf(Math.floor(rest / 26))) + String.fromCharCode(65 + (rest % 26));
}

/** `C3`, as a spreadsheet names it. */
export const nameCell = (line: number, column: number): string => `${lettersOf(column)}${line}`;

const explain = ({ value, path, detail }: RowMistake): string => {
  const place = value === undefined ? path : words.valueAt(value);
  return `${place}${place === '' ? '' : ': '}${explainViolation(detail)}`;
};

interface RowProps {
  readonly row: RejectedRow;
  readonly headings: readonly string[];
  readonly corrected: CorrectedRow;
  readonly onChange: (corrected: CorrectedRow) => void;
}

interface CellsProps extends Omit<RowProps, 'corrected'> {
  readonly corrected: readonly string[];
  /** Of the cells to show. */
  readonly columns: readonly number[];
}

const Cells = ({ row, headings, corrected, columns, onChange }: CellsProps) =>
  columns.map((column) => {
    const mistakes = row.mistakes.filter(({ cell }) => cell?.column === column);
    const name = nameCell(row.place.line, column);
    return (
      <TextField
        key={column}
        label={
          <>
            <bdi>{headings[column - 1]}</bdi> <span class="quiet">{name}</span>
          </>
        }
        value={corrected[column - 1] ?? ''}
        onInput={(value) => onChange(corrected.with(column - 1, value))}
        attributes={
          mistakes.length === 0 ? {} : { 'aria-invalid': true, 'aria-describedby': `mistake-${name}` }
        }
      >
        {mistakes.length > 0 && (
          <span class="mistake" id={`mistake-${name}`}>
            {mistakes.map(explain).join('; ')}
          </span>
        )}
      </TextField>
    );
  });

/** The cells that are wrong, and the others on request. */
function RowCells(props: Omit<CellsProps, 'columns'>) {
  const { row, headings } = props;
  const all = headings.map((_, at) => at + 1);
  const [wrong] = useState(() =>
    all.filter((column) => row.mistakes.some(({ cell }) => cell?.column === column)),
  );
  const others = all.filter((column) => !wrong.includes(column));
  return (
    <>
      <Cells {...props} columns={wrong} />
      <details open={wrong.length === 0}>
        <summary>{words.otherCells(others.length)}</summary>
        <div class="stack">
          <Cells {...props} columns={others} />
        </div>
      </details>
    </>
  );
}

function Row(props: RowProps) {
  const { row, corrected, onChange } = props;
  const { place, cells, mistakes, text } = row;
  const apart = mistakes.filter(({ cell }) => cells === undefined || cell === undefined);
  return (
    <li class="correction stack">
      <h3>
        {words.row(place.line)}{' '}
        <bdi class="quiet">
          {(cells ?? [text])
            .filter((cell) => cell !== '')
            .slice(0, 3)
            .join(', ')}
        </bdi>
      </h3>
      {apart.map((mistake, at) => (
        <p key={at} class="mistake">
          {mistake.cell !== undefined && `${nameCell(place.line, mistake.cell.column)}: `}
          {explain(mistake)}
        </p>
      ))}
      {typeof corrected === 'string' ? (
        <label class="field">
          <span>{words.rowText}</span>
          <textarea rows={2} value={corrected} onInput={(event) => onChange(event.currentTarget.value)} />
        </label>
      ) : (
        <RowCells {...props} corrected={corrected} />
      )}
    </li>
  );
}

export interface CorrectionsProps {
  readonly rejects: Rejects;
  /** Whether the rows were only checked. */
  readonly isDryRun: boolean;
  /** @param corrected by the numbers of the rows */
  readonly onRun: (corrected: ReadonlyMap<number, CorrectedRow>, isDryRun: boolean) => void;
}

/** The first rows of a table that were refused, each with its mistakes, to be corrected. */
export function Corrections({ rejects, isDryRun, onRun }: CorrectionsProps) {
  const { rows, headings } = rejects;
  const [corrected, setCorrected] = useState<ReadonlyMap<number, CorrectedRow>>(new Map());
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onRun(corrected, true);
      }}
    >
      <ol class="corrections">
        {rows.map((row) => {
          const { line } = row.place;
          return (
            <Row
              key={line}
              row={row}
              headings={headings}
              corrected={corrected.get(line) ?? row.cells ?? row.text}
              onChange={(next) => setCorrected(new Map(corrected).set(line, next))}
            />
          );
        })}
      </ol>
      {rejects.lines.size > rows.length && (
        <p class="quiet">{words.moreRefused(rejects.lines.size - rows.length)}</p>
      )}
      <div class="actions">
        <button type="submit">{words.checkAgain}</button>
        <button type="button" class="primary" onClick={() => onRun(corrected, false)}>
          {isDryRun ? words.importCorrected : words.importRefused}
        </button>
      </div>
    </form>
  );
}
