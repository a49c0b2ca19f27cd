/**
 * CSV (RFC 4180): a header of column names, then one row per user. An empty cell keeps the value or, with `emptyRemoves`, removes it.
 * Printed with commas and CR LF; also read with semicolons or tabs, detected from the header.
 *
 * Reading (`reader.ts`): `row-splitter.ts` finds the rows; `header.ts` takes the delimiter and the columns from the first (`columns.ts`, by
 * name `column-names.ts`); `row-cells.ts` turns the cells of each other row into a patch of a user, each cell by `cells.ts`.
 * Printing: `column-collector.ts` finds the columns that the users need, if none are chosen; `row-cells.ts` prints the cells, and this file
 * the row.
 */
import type { TObject } from 'typebox';
import type {
  FileCodec,
  FileFormat,
  FilePrinter,
  FilePrintOptions,
  FileRow,
  RejectPrinter,
} from '../core/file-format.ts';
import { describeReasons, rejectedName } from '../core/reject-reasons.ts';
import { protectCell, unprotectCell } from './cells.ts';
import { collectColumns } from './column-collector.ts';
import { findColumns } from './column-names.ts';
import type { Column } from './columns.ts';
import { detectDelimiter } from './header.ts';
import { readTable } from './reader.ts';
import { printCells } from './row-cells.ts';
import { type Delimiter, splitCells } from './row-splitter.ts';

/** By delimiter: cells that need quotes. Readers also end a line at a lone CR or LF. */
const special = { ',': /[,"\r\n]/, ';': /[;"\r\n]/, '\t': /[\t"\r\n]/ };

function printRow(cells: readonly string[], delimiter: Delimiter = ','): string {
  let row = '';
  for (const cell of cells)
    row += (special[delimiter].test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell) + delimiter;
  return `${row.slice(0, -1)}\r\n`;
}

/** @throws Error for unknown columns, and for none: the columns needed depend on all users */
function createPrinter<T>(
  schema: TObject,
  { columns: paths, spreadsheet = false }: FilePrintOptions,
): FilePrinter<T> {
  if (paths === undefined || paths.length === 0)
    throw new Error('a table has columns: collectColumns finds those that are needed');
  const columns = findColumns(schema, paths) as readonly Column[];
  const toCells = (user: T): readonly string[] => {
    const cells = printCells(columns, user);
    return spreadsheet ? cells.map(protectCell) : cells;
  };
  return {
    // Without a byte order mark, spreadsheets assume an encoding such as windows-1252.
    open: `${spreadsheet ? '\uFEFF' : ''}${printRow(paths)}`,
    between: '',
    close: '',
    row: (user) => printRow(toCells(user)),
  };
}

/** Adds the reasons as the last column. */
function createRejectPrinter(
  schema: TObject,
  header: string,
  { spreadsheet = false }: Pick<FilePrintOptions, 'spreadsheet'>,
): RejectPrinter {
  const delimiter = detectDelimiter(schema, header);
  // Once, also where the file has the apostrophe.
  const protect = (cell: string): string => protectCell(unprotectCell(cell));
  /** Of an unreadable row, whose quotes may not be those of cells. */
  const protectPiece = (piece: string): string =>
    piece.startsWith('"') ? `"${protect(piece.slice(1))}` : protect(piece);
  const rowOf = ({ text, value }: FileRow): string => {
    if (!spreadsheet) return text;
    if (value === undefined) return text.split(delimiter).map(protectPiece).join(delimiter);
    return printRow(splitCells(text, delimiter).map(protect), delimiter).slice(0, -2);
  };
  const append = (text: string, cell: string): string => `${text}${delimiter}${printRow([cell], delimiter)}`;
  const hasReasons = new RegExp(`(?:^|${delimiter})"?\\${rejectedName}"?$`).test(header);
  return {
    open: hasReasons ? `${header}\r\n` : append(header, rejectedName),
    between: '',
    close: '',
    row: (row, violations) => append(rowOf(row), JSON.stringify(describeReasons(row, violations))),
  };
}

const codec = <T>(schema: TObject): FileCodec<T> => ({
  read: (chunks, options) => readTable(schema, chunks, options),
  printer: (options = {}) => createPrinter(schema, options),
  rejectPrinter: (header = '', options = {}) => createRejectPrinter(schema, header, options),
  collectColumns: () => collectColumns(schema),
});

export const csv: FileFormat = {
  name: 'csv',
  endings: ['.csv'],
  rows: 'patch',
  hasColumns: true,
  codec,
};
