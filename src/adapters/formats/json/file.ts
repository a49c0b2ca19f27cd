/** JSON user files: a list in the format of `GET /users`, read and printed item by item. */

import type { TObject } from 'typebox';
import type { FileCodec, FileFormat, FileReadOptions, FileRow } from '../port/file-format.ts';
import { batchRows, describeRejection, isRejection } from '../port/file-rows.ts';
import type { Naming, Parsed } from '../port/format.ts';
import { decodeFile } from '../text/file-text.ts';
import { type Position, positionAt, toWholePosition, UnreadableError } from '../text/positions.ts';
import { findPlace } from './diagnostics.ts';
import { parseDocument } from './json.ts';
import { ItemFinder } from './list-scanner.ts';

/** @throws UnreadableError with the position in the file */
function readItem(schema: TObject, text: string, position: Position): Parsed {
  try {
    return parseDocument(schema, text);
  } catch (error) {
    if (!(error instanceof UnreadableError) || error.position === undefined) throw error;
    throw new UnreadableError(error.message, toWholePosition(position, error.position));
  }
}

function* readItems(schema: TObject, finder: ItemFinder, piece: string): Generator<FileRow> {
  for (const { text, position } of finder.find(piece)) {
    const { value, violations } = readItem(schema, text, position);
    if (isRejection(value)) continue;
    const locate = (pointer: string) => toWholePosition(position, positionAt(text, findPlace(text, pointer)));
    yield { value, violations, position, text: text.trimEnd(), locate };
  }
}

async function* readList(
  schema: TObject,
  { many }: Naming,
  chunks: AsyncIterable<Uint8Array>,
  { encoding, maxRowLength }: FileReadOptions,
): AsyncGenerator<Iterable<FileRow>> {
  const finder = new ItemFinder(many, maxRowLength);
  for await (const piece of decodeFile(chunks, encoding)) yield readItems(schema, finder, piece);
  finder.end();
}

function codec<T>(schema: TObject, naming: Naming): FileCodec<T> {
  // One line per user, for editors and line-based tools.
  const list = { open: `{${JSON.stringify(naming.many)}:[\n`, between: ',\n', close: '\n]}\n' };
  return {
    read: (chunks, options) => batchRows(readList(schema, naming, chunks, options)),
    printer: () => ({ ...list, row: (value) => JSON.stringify(value), rowOfJson: (text) => text }),
    rejectPrinter: () => ({
      ...list,
      row: (row, violations) =>
        `${JSON.stringify(describeRejection(row, violations))}${list.between}${row.text}`,
    }),
  };
}

export const jsonFile: FileFormat = { name: 'json', endings: ['.json'], hasColumns: false, codec };
