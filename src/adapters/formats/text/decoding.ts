/** Decodes text that arrives in chunks, as strictly as a whole document. Errors give the position of the first invalid byte. */
import { type Position, PositionTracker, UnreadableError } from './positions.ts';

/** The code pages of countries. Nothing in a file says which one it uses. The last four have characters of two bytes. */
export const codePages = [
  ...(['windows-1250', 'windows-1251', 'windows-1253', 'windows-1254', 'windows-1257'] as const),
  ...(['iso-8859-2', 'iso-8859-15', 'macintosh', 'shift_jis', 'gbk', 'big5', 'euc-kr'] as const),
];

export type Encoding =
  | ('utf-8' | 'utf-16le' | 'utf-16be' | 'us-ascii' | 'iso-8859-1' | 'windows-1252')
  | (typeof codePages)[number];

/** The maximum number of bytes decoded at a time, whatever the chunk size. */
const pieceBytes = 64 * 1024;

/**
 * Continues where the last call ended.
 * @throws RangeError or TypeError for bytes outside the encoding and, unless there is `more`, for an incomplete character
 */
type Decode = (bytes: Uint8Array, more: boolean) => string;

/** The characters of windows-1252 from 0x80 on, where ISO 8859-1 has control characters. Five bytes have none. */
const beyondLatin1 =
  '\u20AC\0\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\0\u017D\0' +
  '\0\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\0\u017E\u0178';

const decodeLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

/** Node 22.14's TextDecoder reads these bytes as Latin-1. */
const decodeWindows1252 = (bytes: Uint8Array): string =>
  decodeLatin1(bytes).replace(/[\x80-\x9F]/g, (control) => {
    const character = beyondLatin1[control.charCodeAt(0) - 0x80] ?? '\0';
    if (character === '\0') throw new RangeError('not in windows-1252');
    return character;
  });

function decodeAscii(bytes: Uint8Array): string {
  if (bytes.some((byte) => byte > 0x7f)) throw new RangeError('not in US-ASCII');
  return decodeLatin1(bytes);
}

/** Decoders keep a byte order mark. */
export function createDecoder(encoding: Encoding): Decode {
  if (encoding === 'iso-8859-1') return decodeLatin1;
  if (encoding === 'us-ascii') return decodeAscii;
  if (encoding === 'windows-1252') return decodeWindows1252;
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  if (encoding.startsWith('utf')) return (bytes, more) => decoder.decode(bytes, { stream: more });
  return (bytes, more) => {
    const text = decoder.decode(bytes, { stream: more });
    // The code page doesn't define these bytes.
    if (/[\x80-\x9F]/.test(text)) throw new RangeError(`not in ${encoding}`);
    return text;
  };
}

/** The number of bytes that the text was decoded from. The others are the beginning of a character. */
function countBytes(text: string, encoding: Encoding, bytes: Buffer): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  if (encoding.startsWith('utf-16')) return 2 * text.length;
  const isWhole = (length: number): boolean => {
    try {
      return createDecoder(encoding)(bytes.subarray(0, length), false).length === text.length;
    } catch {
      return false;
    }
  };
  return (codePages as readonly string[]).slice(-4).includes(encoding)
    ? ([0, 1, 2, 3].map((less) => bytes.length - less).find(isWhole) ?? text.length)
    : text.length;
}

/** Decodes the longest valid prefix, found by bisection, without an incomplete character at its end. */
export function decodeSoundPart(bytes: Buffer, encoding: Encoding): string {
  let [text, sound, unsound] = ['', 0, bytes.length + 1];
  while (unsound - sound > 1) {
    const middle = (sound + unsound) >> 1;
    try {
      text = createDecoder(encoding)(bytes.subarray(0, middle), true);
      sound = middle;
    } catch {
      unsound = middle;
    }
  }
  return text;
}

/** Bytes that aren't in the encoding. */
export class EncodingError extends UnreadableError {
  readonly encoding: Encoding;
  /** The first invalid byte. */
  readonly byte: number;

  constructor(encoding: Encoding, byte: number, position: Position) {
    super(`the bytes are not in the encoding they claim, ${encoding}`, position);
    [this.encoding, this.byte] = [encoding, byte];
  }
}

/** Decodes piece by piece and counts lines and columns. */
class PieceDecoder {
  readonly #encoding: Encoding;
  readonly #decode: Decode;
  readonly #tracker = new PositionTracker();
  #isFirst = true;
  /** The first bytes of a character that continues in the next piece. */
  #incomplete: Buffer = Buffer.alloc(0);

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
    this.#decode = createDecoder(encoding);
  }

  /** If `isSound` is false, the text ends before the first invalid byte. */
  decode(piece: Buffer, more: boolean): { text: string; isSound: boolean } {
    const bytes = this.#incomplete.length === 0 ? piece : Buffer.concat([this.#incomplete, piece]);
    let decoded: string;
    let isSound = true;
    try {
      decoded = this.#decode(piece, more);
    } catch {
      decoded = decodeSoundPart(bytes, this.#encoding);
      isSound = false;
    }
    this.#incomplete = bytes.subarray(countBytes(decoded, this.#encoding, bytes));
    const text = this.#stripMark(decoded);
    this.#tracker.advance(text);
    return { text, isSound };
  }

  createError(detail: string): UnreadableError {
    return new UnreadableError(detail, this.#tracker.position);
  }

  createEncodingError(): EncodingError {
    return new EncodingError(this.#encoding, this.#incomplete[0] ?? 0, this.#tracker.position);
  }

  #stripMark(text: string): string {
    if (!this.#isFirst || text === '') return text;
    this.#isFirst = false;
    return stripMark(text, this.#encoding);
  }
}

/** The encoding of the byte order mark, if the text begins with one. */
export function detectMark(bytes: Buffer): Encoding | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

/** Removes a byte order mark. In encodings without such a mark, U+FEFF is text and stays. */
export const stripMark = (text: string, encoding: Encoding): string =>
  encoding.startsWith('utf') && text.startsWith('\uFEFF') ? text.slice(1) : text;

/**
 * Yields text for at most `pieceBytes` bytes at a time, without the byte order mark.
 * @param chunks may throw UnreadableError without a position, for example for a truncated gzip: it gets the position of the text's end
 * @throws UnreadableError with the position of the first invalid byte, after yielding the text before it
 */
export async function* decodeStream(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<string> {
  const decoder = new PieceDecoder(encoding);
  try {
    for await (const piece of splitChunks(chunks)) {
      const { text, isSound } = decoder.decode(piece, true);
      yield text;
      if (!isSound) throw decoder.createEncodingError();
    }
  } catch (error) {
    const isPlaceless = error instanceof UnreadableError && error.position === undefined;
    throw isPlaceless ? decoder.createError(error.message) : error;
  }
  if (!decoder.decode(Buffer.alloc(0), false).isSound)
    throw decoder.createError(`the text ends within a character of ${encoding}`);
}

async function* splitChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, length } of chunks)
    for (let from = 0; from < length; from += pieceBytes)
      yield Buffer.from(buffer, byteOffset + from, Math.min(pieceBytes, length - from));
}
