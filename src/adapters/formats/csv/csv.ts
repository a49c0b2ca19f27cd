/**
 * CSV (RFC 4180): a header of column names, then one row per user. An empty cell keeps the value or, with `emptyRemoves`, removes it.
 * Printed with CR LF.
 *
 * Reading (`reader.ts`): `text/recognize-encoding.ts` recognizes the encoding; `row-splitter.ts` finds the rows; `header.ts` takes the delimiter and the
 * columns from the first (`columns.ts`, by name or label `column-names.ts`); `row-cells.ts` turns the cells of each other row into a patch of
 * a user, each cell by `cells.ts`. `row-end.ts` checks the number of cells; `places.ts` explains mistakes.
 * Printing: `column-collector.ts` finds the columns that the users need, if none are chosen; `row-cells.ts` prints the cells, and this file
 * the row.
 */
import type { TObject } from 'typebox';
import type {
  FileCodec,
  FileFormat,
  FileFront,
  FilePrinter,
  FilePrintOptions,
  FileRow,
  RejectPrinter,
  TableForm,
} from '../port/file-format.ts';
import { rejectedName } from '../port/file-rows.ts';
import { describeCell, describeMistake } from '../port/mistakes.ts';
import { protectCell, unprotectCell } from './cells.ts';
import { collectColumns } from './column-collector.ts';
import { findColumns } from './column-names.ts';
import { type Column, namedColumns } from './columns.ts';
import { readTable } from './reader.ts';
import { printCells } from './row-cells.ts';
import { printRow, quoteCell, splitCells } from './row-splitter.ts';

const byteOrderMark = '\uFEFF';

/** @throws Error for unknown columns, and for none: the columns needed depend on all users */
function createPrinter<T>(
  schema: TObject,
  { columns: paths, names, spreadsheet = false, delimiter = ',', bom = spreadsheet }: FilePrintOptions,
): FilePrinter<T> {
  if (paths === undefined || paths.length === 0)
    throw new Error('a table has columns: collectColumns finds those that are needed');
  const columns = findColumns(schema, paths) as readonly Column[];
  const toCells = (user: T): readonly string[] => {
    const cells = printCells(columns, user, names);
    return spreadsheet ? cells.map(protectCell) : cells;
  };
  return {
    // Without a byte order mark, spreadsheets assume an encoding such as windows-1252.
    open: `${bom ? byteOrderMark : ''}${printRow(paths, delimiter)}`,
    between: '',
    close: '',
    row: (user) => printRow(toCells(user), delimiter),
  };
}

/** The form of a table without a header, which has no rows. */
const plain: TableForm = {
  delimiter: ',',
  encoding: 'utf-8',
  hasMark: false,
  hasReasons: false,
  names: [],
  headings: new Map(),
  words: new Set(),
  dates: new Map(),
  apostrophes: { count: 0 },
};

/** Adds the reasons as the last column. */
function createRejectPrinter(
  { text: header, table = plain }: FileFront,
  { spreadsheet = false }: Pick<FilePrintOptions, 'spreadsheet'>,
): RejectPrinter {
  const { delimiter, encoding, hasMark, hasReasons } = table;
  // One apostrophe, also if the file has it already.
  const protect = (cell: string): string => protectCell(unprotectCell(cell));
  /** For a piece of an unreadable row, whose quotes may not enclose cells. */
  const protectPiece = (piece: string): string =>
    piece.startsWith('"') ? `"${protect(piece.slice(1))}` : protect(piece);
  const rowOf = ({ text, value }: FileRow): string => {
    if (!spreadsheet) return text;
    if (value === undefined) return text.split(delimiter).map(protectPiece).join(delimiter);
    return printRow(splitCells(text, delimiter).map(protect), delimiter).slice(0, -2);
  };
  // The file of rejects is in UTF-8, which spreadsheets recognize by its mark.
  const mark = hasMark || encoding !== 'utf-8' ? byteOrderMark : '';
  return {
    open: `${mark}${header}${hasReasons ? '' : `${delimiter}${rejectedName}`}\r\n`,
    between: '',
    close: '',
    row: (row, violations) => {
      const reasons = violations.map((violation) => describeMistake(row, violation));
      return `${rowOf(row)}${delimiter}${quoteCell(reasons.join('; '))}\r\n`;
    },
  };
}

const codec = <T>(schema: TObject): FileCodec<T> => ({
  read: (chunks, options) => readTable(schema, chunks, options),
  printer: (options = {}) => createPrinter(schema, options),
  rejectPrinter: (front = { text: '' }, options = {}) => createRejectPrinter(front, options),
  namedColumns: () => namedColumns(schema),
  describePosition: describeCell,
  collectColumns: () => collectColumns(schema),
});

export const csv: FileFormat = { name: 'csv', endings: ['.csv'], hasColumns: true, codec };
