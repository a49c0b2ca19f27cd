/**
 * Tables (RFC 4180): a row for each user, under a header that names the columns. A cell that is empty says nothing of the user, or takes
 * away what is there. Printed with commas and CR LF; read with semicolons or tabs too, as the header has them.
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

/** By delimiter, cells that need quotes. A CR or LF alone is a line end to readers too. */
const special = { ',': /[,"\r\n]/, ';': /[;"\r\n]/, '\t': /[\t"\r\n]/ };

function printRow(cells: readonly string[], delimiter: Delimiter = ','): string {
  let row = '';
  for (const cell of cells)
    row += (special[delimiter].test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell) + delimiter;
  return `${row.slice(0, -1)}\r\n`;
}

/** @throws Error for columns that the schema doesn't have, and when none are given: users are as wide as they are many */
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
    // Without the mark, spreadsheets take the text for windows-1252 or the like.
    open: `${spreadsheet ? '\uFEFF' : ''}${printRow(paths)}`,
    between: '',
    close: '',
    row: (user) => printRow(toCells(user)),
  };
}

/** The reasons are the last column. */
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
