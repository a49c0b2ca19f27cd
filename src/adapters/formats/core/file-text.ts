/** Decodes the text of a file, whose encoding nothing outside it tells. */
import { decodeStream } from './decoding.ts';
import type { FileEncoding } from './file-format.ts';
import { peek } from './peek.ts';

/** The encodings with a mark, and the mark's bytes. */
const marks: readonly (readonly [FileEncoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const longestMark = 3;

const findMark = (bytes: Buffer): FileEncoding | undefined =>
  marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];

/**
 * In pieces, without the byte order mark, which goes before `encoding`. Left out, it is UTF-8.
 * @throws UnreadableError with the position of the first byte outside the encoding, after yielding the text before it
 */
export async function* decodeFile(
  chunks: AsyncIterable<Uint8Array>,
  encoding: FileEncoding = 'utf-8',
): AsyncGenerator<string> {
  const rest = chunks[Symbol.asyncIterator]();
  try {
    const { first, chunks: all } = await peek(rest, longestMark);
    yield* decodeStream(all, findMark(first) ?? encoding);
  } finally {
    await rest.return?.();
  }
}
