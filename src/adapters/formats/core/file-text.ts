/** Decodes a file's text. Unlike for a request, no header field names its encoding. */
import { foreignCharacter } from '../../../domain/base/schema-validator.ts';
import { createDecoder, decodeStream, detectMark, type Encoding, EncodingError } from './decoding.ts';
import type { FileEncoding } from './file-format.ts';
import { UnreadableError } from './format.ts';
import { peek } from './peek.ts';

/** The length of the longest byte order mark. */
const longestMark = 3;
/** In bytes: what `Recognize` gets to see. */
export const sampleLength = 64 * 1024;

/**
 * @param sample the begin of the file, or all of it if it is shorter than `sampleLength`
 * @param mark the encoding of its byte order mark, which is then the result
 */
export type Recognize = (sample: Buffer, mark: Encoding | undefined) => Encoding;

/** In windows-1252: letters and signs of Western Europe, except those in whose places the Central European code page has frequent letters. */
const western = /^[\p{ASCII}À-ÂÄ-ÏÑ-ÔÖØ-Üß-âä-ïñ-ôöø-üœŒ€’–—…]*$/u;

/** Most letters beyond ASCII in German and French. Code pages of other scripts, of DOS and of the Mac have something else in most of their places. */
const frequent = /[ÄÖÜßäöüé]/g;
const beyondAscii = /\P{ASCII}/gu;

const count = (text: string, characters: RegExp): number => text.match(characters)?.length ?? 0;

/** True for a text in windows-1252; false where it may be in another code page. */
export function isWestern(bytes: Buffer): boolean {
  try {
    const text = createDecoder('windows-1252')(bytes, false);
    if (!western.test(text) || foreignCharacter.test(text)) return false;
    return 2 * count(text, frequent) >= count(text, beyondAscii);
  } catch {
    return false;
  }
}

/** @param sample of the file, as far as it was looked at */
function describe({ encoding, byte }: EncodingError, isMarked: boolean, sample: Buffer): string {
  const detail = `the file is not ${encoding.startsWith('utf') ? encoding.toUpperCase() : encoding}`;
  if (isMarked) return `${detail}, although its byte order mark says so`;
  if (encoding === 'windows-1252') return `${detail}: save it in UTF-8`;
  if (isWestern(sample) && isWestern(Buffer.of(byte)))
    return `${detail}; it looks like windows-1252: --encoding windows-1252`;
  return `${detail}: save it in UTF-8, or name its encoding, in Western Europe --encoding windows-1252`;
}

/**
 * Yields pieces without the byte order mark, which overrides `encoding`.
 * @throws UnreadableError with the position of the first invalid byte, after yielding the text before it
 */
export async function* decodeFile(
  chunks: AsyncIterable<Uint8Array>,
  encoding: FileEncoding | Recognize = 'utf-8',
): AsyncGenerator<string> {
  const rest = chunks[Symbol.asyncIterator]();
  const isNamed = typeof encoding === 'string';
  let [mark, sample]: [Encoding | undefined, Buffer] = [undefined, Buffer.alloc(0)];
  try {
    const { first, chunks: all } = await peek(rest, isNamed ? longestMark : sampleLength);
    mark = detectMark(first);
    if (!isNamed) sample = first.subarray(0, sampleLength);
    yield* decodeStream(all, isNamed ? (mark ?? encoding) : encoding(sample, mark));
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    throw new UnreadableError(describe(error, mark !== undefined, sample), error.position);
  } finally {
    await rest.return?.();
  }
}
