/** Whether a row has a cell for each heading. Empty cells at its end count for nothing. */
import { describeCount } from '../../../domain/validation/describe-count.ts';
import type { FileRow } from '../port/file-format.ts';
import type { Header } from './header.ts';
import { type Frame, splitCells } from './row-splitter.ts';

/** Spreadsheets write rows like this after a user empties them. */
export const isBlankRow = ({ text, fault }: Frame, { delimiter }: Header): boolean =>
  fault === undefined &&
  /^[\s,;"]*$/.test(text) &&
  splitCells(text, delimiter).every((cell) => cell.trim() === '');

export const countUserCells = ({ columns, hasReasons }: Header): number =>
  columns.length - (hasReasons ? 1 : 0);

/** Spreadsheets write empty cells beyond the last heading. */
export function isComplete({ text, cells, fault }: Frame, header: Header): boolean {
  const more = cells - countUserCells(header);
  if (fault !== undefined || more <= 0) return fault === undefined && more === 0;
  const split = splitCells(text, header.delimiter);
  return split.length === cells && split.slice(-more).every((cell) => cell.trim() === '');
}

export const describeCells = ({ cells }: Pick<Frame, 'cells'>, header: Header): string =>
  `the row has ${describeCount(cells, 'cell', 'cells')}, the header ${countUserCells(header)}`;

function describeMissing(frame: Frame, header: Header): string {
  const described = describeCells(frame, header);
  if (frame.cells < countUserCells(header))
    return `${described}: cells are missing (if a spreadsheet left out empty ones, move a column without empty cells to the end)`;
  const bare = header.width > header.headings.length ? ', and a column with a filled cell a heading' : '';
  return `${described}: a cell with a separator in it needs quotes${bare}`;
}

export function refuseRow(frame: Frame, header: Header): FileRow {
  const { text, position, cells, fault } = frame;
  const missing = fault === undefined ? header.width - (header.hasReasons ? 1 : 0) - cells : 0;
  const detail = fault?.detail ?? describeMissing(frame, header);
  return {
    value: undefined,
    violations: [{ pointer: '', detail }],
    // The reason then stands below its heading.
    text: text + header.delimiter.repeat(Math.max(0, missing)),
    position,
    explain: (violation) => ({
      row: position.line,
      ...(fault === undefined ? {} : { cell: { column: fault.position.column, heading: '' } }),
      ...{ path: '', detail: violation.detail },
    }),
  };
}
