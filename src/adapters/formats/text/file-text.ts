/** Decodes a file's text. Unlike a request, a file has no header field that names its encoding. XML has its own rules: `xml/text/decode.ts`. */

import { decodeStream, detectMark, type Encoding, EncodingError } from './decoding.ts';
import { UnreadableError } from './positions.ts';
import { isMostlyUtf8, isWestern, sampleLength, showInEncodings } from './recognize-encoding.ts';

interface Peeked {
  /** At least as long as requested, unless the stream is shorter. */
  readonly first: Buffer;
  /** The whole stream, including `first`. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

/**
 * Reads the first bytes of a stream without consuming them. `chunks` rethrows the stream's error after the bytes before it.
 * @param rest closed by the caller
 */
export async function peek(rest: AsyncIterator<Uint8Array>, length: number): Promise<Peeked> {
  const pieces: Uint8Array[] = [];
  let failure: { readonly reason: unknown } | undefined;
  try {
    for (let missing = length; missing > 0; ) {
      const next = await rest.next();
      if (next.done) break;
      pieces.push(next.value);
      missing -= next.value.length;
    }
  } catch (reason) {
    failure = { reason };
  }
  const first = Buffer.concat(pieces);
  async function* chunks(): Peeked['chunks'] {
    yield first;
    if (failure !== undefined) throw failure.reason;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return { first, chunks: chunks() };
}

/** The length of the longest byte order mark. */
const longestMark = 3;

/**
 * @param sample the beginning of the file, or all of it if it is shorter than `sampleLength`
 * @param mark the encoding of its byte order mark, which is then the result
 */
type Recognize = (sample: Buffer, mark: Encoding | undefined) => Encoding;

/** Says what is wrong with bytes outside the encoding. @param sample of `Recognize` */
type Explain = (error: EncodingError, isMarked: boolean, sample: Buffer) => string;

/** @param sample the beginning of the file */
function explainInFile({ encoding, byte }: EncodingError, isMarked: boolean, sample: Buffer): string {
  const detail = `the file is not ${encoding.startsWith('utf') ? encoding.toUpperCase() : encoding}`;
  if (isMarked) return `${detail}, although its byte order mark says so`;
  if (encoding === 'windows-1252') return `${detail}: save it in UTF-8`;
  if (encoding === 'utf-8' && isMostlyUtf8(sample))
    return `${detail} here, but it is elsewhere: correct this cell, and save the file in UTF-8`;
  if (isWestern(sample) && isWestern(Buffer.of(byte)))
    return `${detail}; it looks like windows-1252: --encoding windows-1252`;
  const shown = showInEncodings(sample);
  if (shown === '') return `${detail}: save it in UTF-8, or name its encoding with --encoding`;
  return `${detail}: save it in UTF-8, or name the encoding with --encoding in which this is right: ${shown}`;
}

/**
 * Yields pieces without the byte order mark, which overrides `encoding`.
 * @throws UnreadableError with the position of the first invalid byte, after yielding the text before it
 */
export async function* decodeFile(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding | Recognize = 'utf-8',
  explain: Explain = explainInFile,
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
    throw new UnreadableError(explain(error, mark !== undefined, sample), error.position);
  } finally {
    await rest.return?.();
  }
}
