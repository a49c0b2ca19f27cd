/** What people are told of the mistakes in a row, with their places. */
import { describeCount } from '../../../domain/base/describe-count.ts';
import type { Violation } from '../../../domain/base/errors.ts';
import type { FileCodec, FileRow } from './file-format.ts';
import { type Position, UnreadableError } from './format.ts';

/** Of one row's mistakes. */
const maxLines = 10;

export const describePosition = ({ line, column }: Position): string => `line ${line}, column ${column}`;

/** Names a row for messages about another: `row 2`. */
export const nameRow = (codec: FileCodec<unknown>, { position }: FileRow): string =>
  codec.describePosition ? `row ${position.line}` : describePosition(position);

function describeMistake(row: FileRow, violation: Violation): string {
  const { pointer, detail } = violation;
  const place = describePosition(row.locate?.(pointer) ?? row.position);
  return row.describe?.(violation) ?? [place, pointer, detail].filter((part) => part !== '').join(': ');
}

/** A line for each of the first ones. Never quotes the row, but for names in it. */
export function describeMistakes(row: FileRow, violations: readonly Violation[]): readonly string[] {
  const lines = violations.slice(0, maxLines).map((violation) => describeMistake(row, violation));
  const more = violations.length - maxLines;
  const detail = describeCount(more, 'more mistake', 'more mistakes');
  return more > 0 ? [...lines, describeMistake(row, { pointer: '', detail })] : lines;
}

/** Adds the file's name and the place to an error of the file; any other stays as it is. */
export function withPlace(error: unknown, file: string, codec: FileCodec<unknown>): unknown {
  if (!(error instanceof UnreadableError)) return error;
  const describe = codec.describePosition ?? describePosition;
  const place = error.position === undefined ? [] : [describe(error.position)];
  return new Error([file, ...place, error.message].join(': '), { cause: error });
}
