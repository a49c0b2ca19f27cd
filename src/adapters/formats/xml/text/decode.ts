/**
 * Decodes an XML document by its byte order mark, else `charset`, else its declaration (RFC 7303 §3.2).
 *
 * The other files of this folder have the rules of XML's text that the readers share: references and simple values.
 */

import { createDecoder, detectMark, type Encoding, stripMark } from '../../text/decoding.ts';
import { decodeFile } from '../../text/file-text.ts';
import { documentStart, UnreadableError } from '../../text/positions.ts';

const encodings = new Map<string, Encoding | 'utf-16'>(
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

const declaration = /^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/;

/** UTF-16 without a mark, by the `<` that every document begins with. */
function detectUtf16(bytes: Buffer): Encoding | undefined {
  if (bytes[0] === 0x3c && bytes[1] === 0) return 'utf-16le';
  return bytes[0] === 0 && bytes[1] === 0x3c ? 'utf-16be' : undefined;
}

/** Every document in UTF-16 begins with `<` or white space, and so has a zero byte there. */
const isWide = ([first, second]: Buffer): boolean => first === 0 || second === 0;

type Source = 'the charset of Content-Type' | 'the XML declaration';

function findEncoding(name: string, bytes: Buffer, source: Source): Encoding {
  const encoding = encodings.get(name.toLowerCase());
  if (encoding === undefined)
    throw new UnreadableError(
      'the encoding is not supported: there are UTF-8, UTF-16, US-ASCII, ISO-8859-1 and windows-1252',
    );
  if (encoding.startsWith('utf-16') && bytes.length > 1 && !isWide(bytes))
    throw new UnreadableError(
      `${source} says ${encoding}, but the document is not in UTF-16: name the encoding in which it is sent, such as UTF-8`,
    );
  return encoding === 'utf-16' ? (detectUtf16(bytes) ?? 'utf-16be') : encoding;
}

/** @returns `undeclared`: UTF-8, since nothing names another */
function detectEncoding(bytes: Buffer, charset: string | undefined): Encoding | 'undeclared' {
  const marked = detectMark(bytes);
  if (marked !== undefined) return marked;
  if (charset !== undefined) return findEncoding(charset, bytes, 'the charset of Content-Type');
  const wide = detectUtf16(bytes);
  if (wide !== undefined) return wide;
  // A declaration of any length has no `>` before its end.
  const declared = declaration.exec(bytes.toString('latin1', 0, bytes.indexOf('>')))?.[1];
  return declared === undefined ? 'undeclared' : findEncoding(declared, bytes, 'the XML declaration');
}

const encodingOf = (detected: Encoding | 'undeclared'): Encoding =>
  detected === 'undeclared' ? 'utf-8' : detected;

const undeclared =
  'the bytes are not UTF-8, and nothing names another encoding: send UTF-8, or name it in the XML declaration (<?xml version="1.0" encoding="windows-1252"?>)';

/** @throws UnreadableError for an unknown encoding or for bytes outside it */
export function decodeXml(bytes: Buffer, charset: string | undefined): string {
  const detected = detectEncoding(bytes, charset);
  const encoding = encodingOf(detected);
  let text: string;
  try {
    text = createDecoder(encoding)(bytes, false);
  } catch {
    throw new UnreadableError(
      detected === 'undeclared' ? undeclared : `the bytes are not in the encoding they claim, ${encoding}`,
    );
  }
  return stripMark(text, encoding);
}

/** As `decodeXml`, for a document that arrives in chunks. @throws UnreadableError with the position */
export async function* decodeXmlStream(
  chunks: AsyncIterable<Uint8Array>,
  charset: string | undefined,
): AsyncGenerator<string> {
  let detected: Encoding | 'undeclared' = 'undeclared';
  const recognize = (sample: Buffer): Encoding => {
    detected = detectStreamEncoding(sample, charset);
    return encodingOf(detected);
  };
  yield* decodeFile(chunks, recognize, ({ message }) => (detected === 'undeclared' ? undeclared : message));
}

/** A stream's errors all have a position. */
function detectStreamEncoding(first: Buffer, charset: string | undefined): Encoding | 'undeclared' {
  try {
    return detectEncoding(first, charset);
  } catch (error) {
    throw error instanceof UnreadableError ? new UnreadableError(error.message, documentStart) : error;
  }
}
