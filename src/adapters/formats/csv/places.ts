/** Names places in a table as a spreadsheet does, and explains mistakes to people who know no more than a spreadsheet. */
import type { Violation } from '../../../domain/base/errors.ts';
import type { Position } from '../core/format.ts';
import { showHeading } from './column-names.ts';
import type { Column } from './columns.ts';

/** `A` to `Z`, `AA` and so on. */
function lettersOf(column: number): string {
  const rest = column - 1;
  return (rest < 26 ? '' : lettersOf(Math.floor(rest / 26))) + String.fromCharCode(65 + (rest % 26));
}

/** @param position the row and the column, from 1 on */
export const describeCell = ({ line, column }: Position): string =>
  `row ${line}, cell ${lettersOf(column)}${line}`;

/** What to say of a cell, by what the schema says of it. */
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
    'must be a list',
    'must be a list, with | between its values, as in engineer|admin; if the cell is one value, put a backslash before its comma, semicolon or line break, as in engineer\\, admin',
  ],
  [
    'must be a UUID (RFC 9562)',
    'must be a UUID (RFC 9562), as an export has it; keys and numbers of your own go into externalId',
  ],
]);

export interface TableHeader {
  /** As the file writes them. */
  readonly headings: readonly string[];
  /** Undefined for a column that isn't read. */
  readonly columns: readonly (Column | undefined)[];
}

/** The cell whose column contains the pointer; otherwise the first cell inside the pointer's target; -1 for none. */
function findCell({ columns }: TableHeader, pointer: string): number {
  if (pointer === '') return -1;
  const into = columns.findIndex((column) => column && `${pointer}/`.startsWith(`${column.pointer}/`));
  return into >= 0 ? into : columns.findIndex((column) => column?.pointer.startsWith(`${pointer}/`));
}

/** How to remove a character without a shape of its own. */
function adviseInvisible(detail: string): string {
  const [, code] = /U\+(10[0-9A-F]{4}|[0-9A-F]{4,5})\b/.exec(detail) ?? [];
  if (code === undefined || !/[\p{C}\p{Z}]/u.test(String.fromCodePoint(Number.parseInt(code, 16)))) return '';
  return '; a spreadsheet does not show this character: type the cell again';
}

/** `row 2, cell E2 "active": must be …`, without what is in the cell. */
export function describeMistake(row: number, header: TableHeader, { pointer, detail }: Violation): string {
  const told = advice.get(detail) ?? detail + adviseInvisible(detail);
  const at = findCell(header, pointer);
  const path = pointer.slice(1).replaceAll('/', '.');
  if (at < 0) return `row ${row}: ${path}${path === '' ? '' : ' '}${told}`;
  const item = Number(pointer.slice(header.columns[at]?.pointer.length).slice(1) || Number.NaN);
  const value = Number.isNaN(item) ? '' : `, value ${item + 1}`;
  const place = describeCell({ line: row, column: at + 1 });
  return `${place} ${showHeading(header.headings[at] ?? '')}${value}: ${told}`;
}
