/**
 * The end of a row: whether it has a cell for each heading (empty cells at its end are ignored), and its last cell in a file of rejects, which
 * has the reasons.
 */
import { describeCount } from '../../../domain/validation/describe-count.ts';
import type { FileRow } from '../port/file-format.ts';
import type { HeaderRow } from './header.ts';
import { quoteCell, type RawRow, splitCells } from './row-splitter.ts';

/** Spreadsheets write rows like this after a user empties them. */
export const isBlankRow = ({ text, fault }: RawRow, { delimiter }: HeaderRow): boolean =>
  fault === undefined &&
  /^[\s,;"]*$/.test(text) &&
  splitCells(text, delimiter).every((cell) => cell.trim() === '');

export const countUserCells = ({ columns, hasReasons }: HeaderRow): number =>
  columns.length - (hasReasons ? 1 : 0);

/** Spreadsheets also write empty cells beyond the last heading. */
export function isComplete({ text, cells, fault }: RawRow, header: HeaderRow): boolean {
  const more = cells - countUserCells(header);
  if (fault !== undefined || more <= 0) return fault === undefined && more === 0;
  const split = splitCells(text, header.delimiter);
  return split.length === cells && split.slice(-more).every((cell) => cell.trim() === '');
}

export const describeCells = ({ cells }: Pick<RawRow, 'cells'>, header: HeaderRow): string =>
  `the row has ${describeCount(cells, 'cell', 'cells')}, the header ${countUserCells(header)}`;

function describeMissing(frame: RawRow, header: HeaderRow): string {
  const described = describeCells(frame, header);
  if (frame.cells < countUserCells(header))
    return `${described}: cells are missing (if a spreadsheet left out empty ones, move a column without empty cells to the end)`;
  const bare = header.width > header.headings.length ? ', and a column with a filled cell a heading' : '';
  return `${described}: a cell with a separator in it needs quotes${bare}`;
}

export function refuseRow(frame: RawRow, header: HeaderRow): FileRow {
  const { text, position, cells, fault } = frame;
  const missing = fault === undefined ? header.width - (header.hasReasons ? 1 : 0) - cells : 0;
  const detail = fault?.detail ?? describeMissing(frame, header);
  return {
    value: undefined,
    violations: [{ pointer: '', detail }],
    // So that the reason stands below its heading.
    text: text + header.delimiter.repeat(Math.max(0, missing)),
    position,
    explain: (violation) => ({
      row: position.line,
      ...(fault === undefined ? {} : { cell: { column: fault.position.column, heading: '' } }),
      ...{ path: '', detail: violation.detail },
    }),
  };
}

/** The reasons as this program writes them, from their delimiter on. */
const written = /^."row [0-9]+[:,] [^"]*(?:""[^"]*)*"$/s;

/** The reason of a row with too few cells, to which the file of rejects adds empty ones. */
const short = /row [0-9]+: the row has ([0-9]+) cells?, the header [0-9]+: cells are missing/;

/** The row before its reasons, without the empty cells that were added. */
function cutAt(frame: RawRow, at: number, { delimiter }: HeaderRow): RawRow {
  const [text, cells] = [frame.text.slice(0, at), frame.cells - 1];
  const [, given = cells] = short.exec(frame.text.slice(at)) ?? [];
  const added = Math.max(0, cells - Number(given));
  if (!text.endsWith(delimiter.repeat(added))) return { ...frame, text, cells };
  return { ...frame, text: text.slice(0, text.length - added), cells: cells - added };
}

/** A row without its reasons, which a person may also have changed, emptied or deleted. */
export function takeOffReasons(frame: RawRow, header: HeaderRow): RawRow {
  const { hasReasons, delimiter, width } = header;
  const { text, cells, fault } = frame;
  if (!hasReasons) return frame;
  const at = text.lastIndexOf(`${delimiter}"row `);
  if (at >= 0 && written.test(text.slice(at))) return cutAt(frame, at, header);
  if (fault !== undefined || cells < width) return frame;
  const last = splitCells(text, delimiter).at(-1) ?? '';
  // After empty cells beyond the header, the last cell is a reason that was emptied.
  if (cells > width && last !== '') return frame;
  const { length } = text.endsWith('"') ? quoteCell(last) : last;
  return cutAt(frame, text.length - 1 - length, header);
}
