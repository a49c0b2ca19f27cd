/** Decodes a file's text. Unlike for a request, no header field names its encoding. */
import { decodeStream, detectMark } from './decoding.ts';
import type { FileEncoding } from './file-format.ts';
import { peek } from './peek.ts';

/** The length of the longest byte order mark. */
const longestMark = 3;

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
    yield* decodeStream(all, detectMark(first) ?? encoding);
  } finally {
    await rest.return?.();
  }
}
