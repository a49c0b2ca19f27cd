/** The text before a table's rows: an optional line that names the delimiter, and the header with the columns. */

import type { TObject } from 'typebox';
import { type Delimiter, delimiters, type FileReadOptions } from '../port/file-format.ts';
import { rejectedName } from '../port/file-rows.ts';
import { showHeading } from '../port/mistakes.ts';
import { UnreadableError } from '../text/positions.ts';
import { ColumnError, findColumns, headingRules, type NameRules } from './column-names.ts';
import { maxColumns } from './columns.ts';
import { type ClaimedTypes, claimTypes } from './list-items.ts';
import type { TableHeader } from './places.ts';
import { type RawRow, RowFinder, splitCells } from './row-splitter.ts';

export interface HeaderRow extends TableHeader {
  readonly delimiter: Delimiter;
  /** False in a table of one column, where any delimiter outside quotes may be meant for one. */
  readonly isDelimiterSure: boolean;
  /** The last column has the reasons of rejects. */
  readonly hasReasons: boolean;
  /** The number of cells in the file's header. Empty ones at its end have no heading here. */
  readonly width: number;
  readonly claimed: ClaimedTypes;
}

/**
 * True for rows that programs write above the headings: PowerShell the type of its objects, Entra ID the version of its template, spreadsheets
 * empty rows.
 */
export const isAbove = ({ text, cells }: RawRow): boolean =>
  cells <= maxColumns && (/^(?:"?#TYPE |"?version:)/i.test(text) || /^(?:[\s,;]|"")*$/.test(text));

/** The first line of a template of Entra ID's bulk operations. */
export const isTemplateVersion = ({ text }: RawRow): boolean => /^"?version:/i.test(text);

/** Excel's line above the header: `sep=;`. */
const separatorLine = /^"?sep=(.*?)"?$/is;

/** @returns the delimiter; undefined for any other row @throws UnreadableError for a delimiter that isn't in `delimiters` */
export function readSeparatorLine({ text, position }: RawRow): Delimiter | undefined {
  const named = separatorLine.exec(text)?.[1];
  if (named === undefined) return undefined;
  const delimiter = Object.values(delimiters).find((one) => one === named);
  if (delimiter !== undefined) return delimiter;
  throw new UnreadableError('sep= must name a comma, a semicolon or a tab', position);
}

/** Counts the cells by one delimiter, within the row. @throws UnreadableError for an unclosed quote */
export function measureRow(
  { text, position }: Pick<RawRow, 'text' | 'position'>,
  delimiter: Delimiter,
): RawRow {
  const finder = new RowFinder(text.length, position.line);
  finder.useDelimiter(delimiter);
  const [frame = finder.end()] = finder.find(text);
  return frame ?? { text, position, cells: 1 };
}

function readNames(header: RawRow, delimiter: Delimiter): readonly string[] {
  const { text, cells, fault, position } = measureRow(header, delimiter);
  if (fault !== undefined) throw new UnreadableError(fault.detail, fault.position);
  if (cells > maxColumns + 1)
    throw new UnreadableError(`there are more than ${maxColumns} columns`, position);
  return splitCells(text, delimiter).map((name) => name.trim());
}

/** The delimiters that make several cells of the header, with the names that they make. */
const splitHeader = (header: RawRow): readonly (readonly [Delimiter, readonly string[]])[] =>
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
 * The delimiter of the header. If the header contains several: the only one that yields known columns, or else the only one that yields nothing but
 * known columns. Without any: the comma. @throws UnreadableError if it could be several
 */
function detectDelimiter(header: RawRow, { find, isSkipped }: NameRules): Delimiter {
  const isKnown = (name: string): boolean => isSkipped(name) || find(name) !== undefined;
  const split = splitHeader(header).map(
    ([delimiter, names]) => [delimiter, names.filter((name) => name !== '')] as const,
  );
  if (split.length < 2) return split[0]?.[0] ?? ',';
  const partly = split.filter(([, names]) => names.some(isKnown));
  const [fit, ...others] = partly.length === 1 ? partly : partly.filter(([, names]) => names.every(isKnown));
  if (fit !== undefined && others.length === 0) return fit[0];
  const detail =
    'the header has several of comma, semicolon and tab: name the one between its headings with --delimiter';
  throw new UnreadableError(detail, header.position);
}

/** Spreadsheets also write columns that were used before and are empty now. The reasons of rejects stand after them. */
function dropEmptyEnd(names: readonly string[]): readonly string[] {
  const reasons = names.at(-1) === rejectedName ? [rejectedName] : [];
  const last = names.slice(0, names.length - reasons.length).findLastIndex((name) => name !== '');
  return [...names.slice(0, last + 1), ...reasons];
}

/**
 * @param named the delimiter, if it is known
 * @throws UnreadableError for unknown, duplicate and too many columns, and for a heading in `headings` that isn't there
 */
export function readHeader(
  schema: TObject,
  header: RawRow,
  named: Delimiter | undefined,
  { headings: map = new Map(), unknown = 'refused' }: Pick<FileReadOptions, 'headings' | 'unknown'>,
): HeaderRow {
  const delimiter = named ?? detectDelimiter(header, headingRules(schema, map));
  const names = readNames(header, delimiter);
  const headings = dropEmptyEnd(names);
  const absent = [...map.keys()].find((heading) => !headings.includes(heading));
  if (absent !== undefined)
    throw new UnreadableError(
      `--map names ${showHeading(absent)}, which is no heading here`,
      header.position,
    );
  try {
    const columns = findColumns(schema, headings, headingRules(schema, map, { unknown, headings }));
    const hasReasons = headings.at(-1) === rejectedName;
    const width = names.length;
    const isDelimiterSure = named !== undefined || width > (hasReasons ? 2 : 1);
    return { delimiter, isDelimiterSure, headings, columns, hasReasons, width, claimed: claimTypes(columns) };
  } catch (error) {
    if (!(error instanceof ColumnError)) throw error;
    throw new UnreadableError(error.message, { line: header.position.line, column: 1 + error.index });
  }
}
