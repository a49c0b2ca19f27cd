/** The text before a table's rows: an optional line that names the delimiter, and the header with the columns. */
import type { TObject } from 'typebox';
import { documentStart, type Position, UnreadableError } from '../core/format.ts';
import { positionAt, toWholePosition } from '../core/positions.ts';
import { rejectedName } from '../core/reject-reasons.ts';
import { ColumnError, findColumns } from './column-names.ts';
import { type Column, findColumn, maxColumns } from './columns.ts';
import { type Delimiter, delimiters, type Frame, FrameFinder, splitCells } from './row-splitter.ts';

export interface Header {
  readonly delimiter: Delimiter;
  /** Undefined for a skipped column: the reasons in a reject file. */
  readonly columns: readonly (Column | undefined)[];
  /** The last column has these reasons. */
  readonly hasReasons: boolean;
}

/** The position of a cell in a valid row. */
export function locateCell(
  { text, position }: Pick<Frame, 'text' | 'position'>,
  delimiter: Delimiter,
  cell: number,
): Position {
  let at = 0;
  let isQuoted = false;
  for (let before = 0; before < cell && at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === delimiter && !isQuoted) before += 1;
  }
  return toWholePosition(position, positionAt(text, at));
}

/** Positions are relative to the row. @throws UnreadableError for an unclosed quote */
function frameRow(text: string, delimiter: Delimiter): Frame {
  const finder = new FrameFinder(text.length, delimiter);
  const [frame = finder.end()] = finder.find(text);
  return frame ?? { text, position: documentStart, cells: 1 };
}

function readNames({ text, cells, fault }: Frame, delimiter: Delimiter): readonly string[] {
  if (fault !== undefined) throw new UnreadableError(fault.detail, fault.position);
  if (cells > maxColumns + 1)
    throw new UnreadableError(`there are more than ${maxColumns} columns`, documentStart);
  return splitCells(text, delimiter);
}

/** Excel's line above the header: `sep=;`. */
const separatorLine = /^"?sep=(.*?)"?$/is;
const lineAndHeader = /^"?sep=(.)"?\r\n/i;

const findDelimiter = (text: string | undefined): Delimiter | undefined =>
  delimiters.find((delimiter) => delimiter === text);

/** @returns the delimiter; undefined for any other row @throws UnreadableError for a delimiter that isn't in `delimiters` */
export function readSeparatorLine({ text, position }: Frame): Delimiter | undefined {
  const named = separatorLine.exec(text)?.[1];
  if (named === undefined) return undefined;
  const delimiter = findDelimiter(named);
  if (delimiter !== undefined) return delimiter;
  const detail = 'sep= names a delimiter that is none of comma, semicolon and tab';
  throw new UnreadableError(detail, toWholePosition(position, positionAt(text, text.indexOf('=') + 1)));
}

/** For `detectDelimiter` and for reject files. */
export const joinHeader = (line: string, header: string): string => `${line}\r\n${header}`;

/**
 * The delimiter that the line above the header names. Otherwise the only delimiter that makes at least one known column of the header; the
 * comma if several do, or none.
 */
export function detectDelimiter(schema: TObject, header: string): Delimiter {
  const named = findDelimiter(lineAndHeader.exec(header)?.[1]);
  if (named !== undefined) return named;
  const fitting = delimiters.filter((delimiter) => {
    try {
      const names = readNames(frameRow(header, delimiter), delimiter);
      return names.some((name) => findColumn(schema, name) !== undefined);
    } catch (error) {
      if (error instanceof UnreadableError) return false;
      throw error;
    }
  });
  return fitting.length === 1 ? (fitting[0] ?? ',') : ',';
}

/** @param delimiter the one that the line above names, if any @throws UnreadableError for unknown, duplicate and too many columns */
export function readHeader(
  schema: TObject,
  { text, position }: Frame,
  delimiter: Delimiter = detectDelimiter(schema, text),
): Header {
  try {
    const names = readNames(frameRow(text, delimiter), delimiter);
    const columns = findColumns(schema, names, rejectedName);
    return { delimiter, columns, hasReasons: names.at(-1) === rejectedName };
  } catch (error) {
    if (error instanceof ColumnError)
      throw new UnreadableError(error.message, locateCell({ text, position }, delimiter, error.index));
    if (!(error instanceof UnreadableError)) throw error;
    throw new UnreadableError(error.message, toWholePosition(position, error.position ?? documentStart));
  }
}
