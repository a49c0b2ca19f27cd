/** From bytes to the text of an XML document: by the byte order mark, else `charset`, else the declaration (RFC 7303 §3.2). */
import { createDecoder, decodeStream, type Encoding, stripMark } from './decode-stream.ts';
import { UnreadableError } from './format.ts';

const names = new Map<string, Encoding | 'utf-16'>(
  Object.entries({
    'utf-8': 'utf-8',
    utf8: 'utf-8',
    'utf-16': 'utf-16',
    'utf-16le': 'utf-16le',
    'utf-16be': 'utf-16be',
    'us-ascii': 'us-ascii',
    ascii: 'us-ascii',
    'iso-8859-1': 'iso-8859-1',
    iso_8859_1: 'iso-8859-1',
    latin1: 'iso-8859-1',
    'windows-1252': 'windows-1252',
    cp1252: 'windows-1252',
  } as const),
);

/** As many bytes as a declaration is looked for in. */
const sniffed = 256;
const declaration = /^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/;

/** What the first bytes give away: a mark, or UTF-16 by the `<` that every document begins with. */
function byMark(bytes: Buffer): Encoding | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

function byBracket(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  return bytes[0] === 0 && bytes[1] === 0x3c ? 'utf-16be' : undefined;
}

function named(name: string, bytes: Buffer): Encoding {
  const encoding = names.get(name.toLowerCase());
  if (encoding === undefined) {
    throw new UnreadableError(
      'the encoding is not supported: there are UTF-8, UTF-16, US-ASCII, ISO-8859-1 and windows-1252',
    );
  }
  return encoding === 'utf-16' ? (byBracket(bytes) ?? 'utf-16be') : encoding;
}

function encodingOf(bytes: Buffer, charset: string | undefined): Encoding {
  const marked = byMark(bytes);
  if (marked !== undefined) return marked;
  if (charset !== undefined) return named(charset, bytes);
  const wide = byBracket(bytes);
  if (wide !== undefined) return wide;
  const declared = declaration.exec(bytes.subarray(0, sniffed).toString('latin1'))?.[1];
  return declared === undefined ? 'utf-8' : named(declared, bytes);
}

/** @throws UnreadableError when the encoding isn't known or the bytes aren't in it */
export function decode(bytes: Buffer, charset: string | undefined): string {
  const encoding = encodingOf(bytes, charset);
  let text: string;
  try {
    text = createDecoder(encoding)(bytes, false);
  } catch {
    throw new UnreadableError(`the bytes are not in the encoding they claim, ${encoding}`);
  }
  return stripMark(text, encoding);
}

/** The same of a document that comes in chunks. @throws UnreadableError with its place */
export async function* decodeXmlStream(
  chunks: AsyncIterable<Uint8Array>,
  charset: string | undefined,
): AsyncGenerator<string> {
  const rest = chunks[Symbol.asyncIterator]();
  try {
    let first = Buffer.alloc(0);
    let next = await rest.next();
    for (; !next.done; next = await rest.next()) {
      first = Buffer.concat([first, next.value]);
      if (first.length >= sniffed) break;
    }
    yield* decodeStream(prepend(first, rest), detectEncoding(first, charset));
  } finally {
    await rest.return?.();
  }
}

async function* prepend(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function detectEncoding(first: Buffer, charset: string | undefined): Encoding {
  try {
    return encodingOf(first, charset);
  } catch (error) {
    throw error instanceof UnreadableError
      ? new UnreadableError(error.message, { line: 1, column: 1 })
      : error;
  }
}
