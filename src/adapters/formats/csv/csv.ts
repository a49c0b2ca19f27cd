/**
 * CSV (RFC 4180): a header of column names, then one row per user. An empty cell keeps the value or, with `emptyRemoves`, removes it.
 * Printed with commas and CR LF; also read with semicolons or tabs, detected from the header.
 */
import type { TObject } from 'typebox';
import type {
  FileCodec,
  FileFormat,
  FilePrinter,
  FilePrintOptions,
  RejectPrinter,
} from '../core/file-format.ts';
import { describeReasons, rejectedName } from '../core/reject-reasons.ts';
import { protectCell } from './cells.ts';
import { collectColumns } from './column-collector.ts';
import { findColumns } from './column-names.ts';
import type { Column } from './columns.ts';
import { detectDelimiter } from './header.ts';
import { readTable } from './reader.ts';
import { printCells } from './row-cells.ts';
import type { Delimiter } from './row-splitter.ts';

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
function createRejectPrinter(schema: TObject, header: string): RejectPrinter {
  const delimiter = detectDelimiter(schema, header);
  const append = (text: string, cell: string): string => `${text}${delimiter}${printRow([cell], delimiter)}`;
  const hasReasons = new RegExp(`(?:^|${delimiter})"?\\${rejectedName}"?$`).test(header);
  return {
    open: hasReasons ? `${header}\r\n` : append(header, rejectedName),
    between: '',
    close: '',
    row: (row, violations) => append(row.text, JSON.stringify(describeReasons(row, violations))),
  };
}

const codec = <T>(schema: TObject): FileCodec<T> => ({
  read: (chunks, options) => readTable(schema, chunks, options),
  printer: (options = {}) => createPrinter(schema, options),
  rejectPrinter: (header = '') => createRejectPrinter(schema, header),
  collectColumns: () => collectColumns(schema),
});

export const csv: FileFormat = {
  name: 'csv',
  endings: ['.csv'],
  rows: 'patch',
  hasColumns: true,
  codec,
};
