/** Decodes a file's text. Unlike for a request, no header field names its encoding. */
import { decodeStream } from './decoding.ts';
import type { FileEncoding } from './file-format.ts';
import { peek } from './peek.ts';

/** Byte order marks by encoding. */
const marks: readonly (readonly [FileEncoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
const longestMark = 3;

const findMark = (bytes: Buffer): FileEncoding | undefined =>
  marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];

/**
 * Yields pieces without the byte order mark, which overrides `encoding`.
 * @throws UnreadableError with the position of the first invalid byte, after yielding the text before it
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
