/** Describes the mistakes in a row, with their places, for people. */

import { describeCount } from '../../../domain/validation/describe-count.ts';
import type { Violation } from '../../../domain/validation/errors.ts';
import { type Position, UnreadableError } from '../text/positions.ts';
import type { CellMistake, FileCodec, FileRow } from './file-format.ts';

/** The number of lines for one row. */
const maxLines = 10;

/** In UTF-16 code units. Longer names are truncated. */
const maxNameShown = 64;

const describePosition = ({ line, column }: Position): string => `line ${line}, column ${column}`;

/** Quotes a heading for a terminal and a log, without control characters. */
export function showHeading(name: string): string {
  const shown = name.length > maxNameShown ? `${name.slice(0, maxNameShown)}…` : name;
  return `"${shown.replace(/\p{C}/gu, '\uFFFD')}"`;
}

/** `A` to `Z`, `AA` and so on. @param column from 1 on */
export function lettersOf(column: number): string {
  const rest = column - 1;
  return (rest < 26 ? '' : lettersOf(Math.floor(rest / 26))) + String.fromCharCode(65 + (rest % 26));
}

/** Names a cell as a spreadsheet does. @param position the row and the column, from 1 on */
export const describeCell = ({ line, column }: Position): string =>
  `row ${line}, cell ${lettersOf(column)}${line}`;

/** `row 2, cell E2 "active": must be …` */
function describeCellMistake({ row, cell, value, path, detail }: CellMistake): string {
  if (cell === undefined) return `row ${row}: ${path}${path === '' ? '' : ' '}${detail}`;
  const heading = cell.heading === '' ? '' : ` ${showHeading(cell.heading)}`;
  const item = value === undefined ? '' : `, value ${value}`;
  return `${describeCell({ line: row, column: cell.column })}${heading}${item}: ${detail}`;
}

/** Names a row for messages about another: `row 2`. */
export const nameRow = (codec: FileCodec<unknown>, { position }: FileRow): string =>
  codec.describePosition ? `row ${position.line}` : describePosition(position);

/** Describes a mistake with its place. */
export function describeMistake(row: FileRow, violation: Violation): string {
  const { pointer, detail } = violation;
  const inTable = row.explain?.(violation);
  if (inTable !== undefined) return describeCellMistake(inTable);
  const place = describePosition(row.locate?.(pointer) ?? row.position);
  return [place, pointer, detail].filter((part) => part !== '').join(': ');
}

/** A line for each of the first mistakes. Quotes nothing of the row but names. */
export function describeMistakes(row: FileRow, violations: readonly Violation[]): readonly string[] {
  const lines = violations.slice(0, maxLines).map((violation) => describeMistake(row, violation));
  const more = violations.length - maxLines;
  const detail = describeCount(more, 'more mistake', 'more mistakes');
  return more > 0 ? [...lines, describeMistake(row, { pointer: '', detail })] : lines;
}

/** Adds the file's name and the place to an error of the file; returns other errors unchanged. */
export function withPlace(error: unknown, file: string, codec: FileCodec<unknown>): unknown {
  if (!(error instanceof UnreadableError)) return error;
  const describe = codec.describePosition ?? describePosition;
  const place = error.position === undefined ? [] : [describe(error.position)];
  return new Error([file, ...place, error.message].join(': '), { cause: error });
}
