/** The text before a table's rows: an optional line that names the delimiter, and the header with the columns. */
import type { TObject } from 'typebox';
import { type Delimiter, delimiters } from '../core/file-format.ts';
import { UnreadableError } from '../core/format.ts';
import { showHeading } from '../core/mistakes.ts';
import { rejectedName } from '../core/reject-reasons.ts';
import { ColumnError, findColumns, headingRules, type NameRules } from './column-names.ts';
import { maxColumns } from './columns.ts';
import type { TableHeader } from './places.ts';
import { type Frame, FrameFinder, splitCells } from './row-splitter.ts';

export interface Header extends TableHeader {
  readonly delimiter: Delimiter;
  /** False in a table of one column, where any delimiter outside quotes may be meant for one. */
  readonly isDelimiterSure: boolean;
  /** The last column has the reasons of rejects. */
  readonly hasReasons: boolean;
}

/** Excel's line above the header: `sep=;`. */
const separatorLine = /^"?sep=(.*?)"?$/is;

/** @returns the delimiter; undefined for any other row @throws UnreadableError for a delimiter that isn't in `delimiters` */
export function readSeparatorLine({ text, position }: Frame): Delimiter | undefined {
  const named = separatorLine.exec(text)?.[1];
  if (named === undefined) return undefined;
  const delimiter = Object.values(delimiters).find((one) => one === named);
  if (delimiter !== undefined) return delimiter;
  throw new UnreadableError('sep= names a delimiter that is none of comma, semicolon and tab', position);
}

/** Counts the cells by one delimiter, within the row. @throws UnreadableError for an unclosed quote */
export function frameRow({ text, position }: Pick<Frame, 'text' | 'position'>, delimiter: Delimiter): Frame {
  const finder = new FrameFinder(text.length, position.line);
  finder.useDelimiter(delimiter);
  const [frame = finder.end()] = finder.find(text);
  return frame ?? { text, position, cells: 1 };
}

function readNames(header: Frame, delimiter: Delimiter): readonly string[] {
  const { text, cells, fault, position } = frameRow(header, delimiter);
  if (fault !== undefined) throw new UnreadableError(fault.detail, fault.position);
  if (cells > maxColumns + 1)
    throw new UnreadableError(`there are more than ${maxColumns} columns`, position);
  return splitCells(text, delimiter).map((name) => name.trim());
}

/** The delimiters that make several cells of the header, with the names that they make. */
const splitHeader = (header: Frame): readonly (readonly [Delimiter, readonly string[]])[] =>
  Object.values(delimiters).flatMap((delimiter) => {
    try {
      const names = readNames(header, delimiter);
      return names.length > 1 ? [[delimiter, names] as const] : [];
    } catch (error) {
      if (error instanceof UnreadableError) return [];
      throw error;
    }
  });

/**
 * The only delimiter in the header; of several the only one that makes known columns of it, or else the only one that makes nothing else.
 * The comma where there is none. @throws UnreadableError where it could be several
 */
function detectDelimiter(header: Frame, { find, isSkipped }: NameRules): Delimiter {
  const isKnown = (name: string): boolean => isSkipped(name) || find(name) !== undefined;
  const split = splitHeader(header);
  if (split.length < 2) return split[0]?.[0] ?? ',';
  const partly = split.filter(([, names]) => names.some(isKnown));
  const [fit, ...others] = partly.length === 1 ? partly : partly.filter(([, names]) => names.every(isKnown));
  if (fit !== undefined && others.length === 0) return fit[0];
  const detail =
    'the header has several of comma, semicolon and tab: name the one between its headings with --delimiter';
  throw new UnreadableError(detail, header.position);
}

/**
 * @param named the delimiter, if it is known @param map headings whose column is given @param isLenient as of `NameRules`
 * @throws UnreadableError for unknown, duplicate and too many columns, and for a heading in `map` that isn't there
 */
export function readHeader(
  schema: TObject,
  header: Frame,
  named: Delimiter | undefined,
  map: ReadonlyMap<string, string>,
  isLenient = false,
): Header {
  const rules = headingRules(schema, map, isLenient);
  const delimiter = named ?? detectDelimiter(header, rules);
  const headings = readNames(header, delimiter);
  const absent = [...map.keys()].find((heading) => !headings.includes(heading));
  if (absent !== undefined)
    throw new UnreadableError(
      `--map names ${showHeading(absent)}, which is no heading here`,
      header.position,
    );
  try {
    const columns = findColumns(schema, headings, rules);
    const hasReasons = headings.at(-1) === rejectedName;
    const isDelimiterSure = named !== undefined || headings.length > (hasReasons ? 2 : 1);
    return { delimiter, isDelimiterSure, headings, columns, hasReasons };
  } catch (error) {
    if (!(error instanceof ColumnError)) throw error;
    throw new UnreadableError(error.message, { line: header.position.line, column: 1 + error.index });
  }
}
