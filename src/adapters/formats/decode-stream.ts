/** From bytes that come in chunks to text, as strictly as a whole document is decoded: what isn't in the encoding is told with its place. */
import iconv from 'iconv-lite';
import { UnreadableError } from './format.ts';
import { Place } from './place.ts';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'us-ascii' | 'iso-8859-1' | 'windows-1252';

/** How many bytes are decoded at a time, however large the chunks are that they come in. */
const pieceBytes = 64 * 1024;

/** Decodes what follows on what it was given before. @throws for what isn't in the encoding; unless there is `more`, for half a character */
type Decode = (bytes: Uint8Array, more: boolean) => string;

function decodeWindows1252(bytes: Uint8Array): string {
  const text = iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), 'windows-1252');
  // iconv-lite puts U+FFFD for the five bytes that windows-1252 leaves out.
  if (text.includes('\uFFFD')) throw new RangeError('not in windows-1252');
  return text;
}

const decodeLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

function decodeAscii(bytes: Uint8Array): string {
  if (bytes.some((byte) => byte > 0x7f)) throw new RangeError('not in US-ASCII');
  return decodeLatin1(bytes);
}

/** A byte order mark stays where it is. */
export function createDecoder(encoding: Encoding): Decode {
  if (encoding === 'iso-8859-1') return decodeLatin1;
  if (encoding === 'us-ascii') return decodeAscii;
  if (encoding === 'windows-1252') return decodeWindows1252;
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  return (bytes, more) => decoder.decode(bytes, { stream: more });
}

function countBytes(text: string, encoding: Encoding): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  return encoding.startsWith('utf-16') ? 2 * text.length : text.length;
}

/** The longest beginning that is in the encoding, but for a character that isn't whole. */
function decodeSoundPart(bytes: Buffer, encoding: Encoding): string {
  let [text, sound, beyond] = ['', 0, bytes.length + 1];
  while (beyond - sound > 1) {
    const middle = (sound + beyond) >> 1;
    try {
      text = createDecoder(encoding)(bytes.subarray(0, middle), true);
      sound = middle;
    } catch {
      beyond = middle;
    }
  }
  return text;
}

/** Decodes pieces, and knows the place of what it can't. */
class PieceDecoder {
  readonly #encoding: Encoding;
  readonly #decode: Decode;
  readonly #place = new Place();
  #isFirst = true;
  /** The bytes of a character that has begun. */
  #begun: Buffer = Buffer.alloc(0);

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
    this.#decode = createDecoder(encoding);
  }

  /** Of bytes that aren't `isSound` the text is what stands before the first that is wrong. */
  decode(piece: Buffer, more: boolean): { text: string; isSound: boolean } {
    const bytes = this.#begun.length === 0 ? piece : Buffer.concat([this.#begun, piece]);
    let decoded: string;
    let isSound = true;
    try {
      decoded = this.#decode(piece, more);
    } catch {
      decoded = decodeSoundPart(bytes, this.#encoding);
      isSound = false;
    }
    this.#begun = bytes.subarray(countBytes(decoded, this.#encoding));
    const text = this.#stripMark(decoded);
    this.#place.advance(text);
    return { text, isSound };
  }

  refusal(): UnreadableError {
    const detail = `the bytes are not in the encoding they claim, ${this.#encoding}`;
    return new UnreadableError(detail, this.#place.position);
  }

  #stripMark(text: string): string {
    if (!this.#isFirst || text === '') return text;
    this.#isFirst = false;
    return stripMark(text, this.#encoding);
  }
}

/** Without the byte order mark of the encoding; what looks like one in another is text. */
export const stripMark = (text: string, encoding: Encoding): string =>
  encoding.startsWith('utf') && text.startsWith('\uFEFF') ? text.slice(1) : text;

/**
 * In pieces of no more than pieceBytes, without a byte order mark.
 * @throws UnreadableError with the place of the first byte that isn't in the encoding, after what stands before it
 */
export async function* decodeStream(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new PieceDecoder(encoding);
  for await (const piece of splitChunks(chunks)) {
    const { text, isSound } = decoder.decode(piece, true);
    yield text;
    if (!isSound) throw decoder.refusal();
  }
  if (!decoder.decode(Buffer.alloc(0), false).isSound) throw decoder.refusal();
}

async function* splitChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, length } of chunks)
    for (let from = 0; from < length; from += pieceBytes)
      yield Buffer.from(buffer, byteOffset + from, Math.min(pieceBytes, length - from));
}
