/** Explains mistakes in a table to people who know spreadsheets only. */
import type { Violation } from '../../../domain/validation/errors.ts';
import type { CellMistake } from '../port/file-format.ts';
import { type Column, sameCells } from './columns.ts';

/** Messages for cells, by the message of the schema. */
const advice: ReadonlyMap<string, string> = new Map([
  [
    'must be true or false, in lower case and without quotes',
    'must be true or false, such as yes/no, ja/nein, WAHR/FALSCH, VRAI/FAUX or 1/0; --booleans names other words, as --booleans x/ a cross and an empty cell',
  ],
  [
    'must be one address, such as ada@example.org',
    'must be one address, without spaces before or after it, such as ada@example.org',
  ],
  [
    'must be two letters (ISO 3166-1), such as NL',
    'must be two letters (ISO 3166-1), such as NL, or the name of a country',
  ],
  [
    'must be a date and time with a zone, such as 2026-01-02T03:04:05Z',
    'must be a day, such as 2027-03-31 or 31.03.2027, or a date and time with a zone, such as 2027-03-31T22:00:00Z',
  ],
  [
    'must be a list',
    'must be a list, with | between its values, as in engineer|admin; if the cell is one value, put a backslash before its comma, semicolon or line break, as in engineer\\, admin',
  ],
  [
    'must be a UUID (RFC 9562)',
    'must be a UUID (RFC 9562), as an export has it; keys and numbers of your own go into externalId',
  ],
]);

export interface TableHeader {
  /** The headings as they are in the file. */
  readonly headings: readonly string[];
  /** Undefined for a column that isn't read. */
  readonly columns: readonly (Column | undefined)[];
}

/** The cell whose column contains the pointer; otherwise the first cell inside the pointer's target; undefined for none. */
function findCell({ columns }: TableHeader, pointer: string) {
  if (pointer === '') return undefined;
  const all = columns.flatMap((column, at) =>
    column ? sameCells(column).map((one) => [at, one.pointer] as const) : [],
  );
  return (
    all.find(([, own]) => `${pointer}/`.startsWith(`${own}/`)) ??
    all.find(([, own]) => own.startsWith(`${pointer}/`))
  );
}

/** How to remove an invisible character. */
function adviseInvisible(detail: string): string {
  const [, code] = /U\+(10[0-9A-F]{4}|[0-9A-F]{4,5})\b/.exec(detail) ?? [];
  if (code === undefined || !/[\p{C}\p{Z}]/u.test(String.fromCodePoint(Number.parseInt(code, 16)))) return '';
  return '; a spreadsheet does not show this character: type the cell again';
}

/**
 * Says what is wrong with a row, and in which cell, without quoting the cell.
 * @param explainDay what is wrong with a day: with a value, from 0 on, of the cell in this column
 */
export function explainMistake(
  row: number,
  header: TableHeader,
  { pointer, detail }: Violation,
  explainDay: (at: number, item: number) => string | undefined,
): CellMistake {
  const advised = advice.get(detail) ?? detail + adviseInvisible(detail);
  const [at, own = ''] = findCell(header, pointer) ?? [];
  if (at === undefined) {
    const path = pointer.slice(1).replaceAll('/', '.');
    const isAbsent = detail === 'is required';
    const absent = `${detail}, and no heading is this column: --map "HEADING=${path}" names one that is`;
    return { row, path, detail: isAbsent ? absent : advised };
  }
  const item = Number(pointer.slice(own.length).slice(1) || Number.NaN);
  return {
    row,
    cell: { column: at + 1, heading: header.headings[at] ?? '' },
    ...(Number.isNaN(item) ? {} : { value: item + 1 }),
    path: '',
    detail: explainDay(at, Number.isNaN(item) ? 0 : item) ?? advised,
  };
}
