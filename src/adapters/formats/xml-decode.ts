/** From bytes to the text of an XML document: by the byte order mark, else `charset`, else the declaration (RFC 7303 §3.2). */
import iconv from 'iconv-lite';
import { UnreadableError } from './format.ts';

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'us-ascii' | 'iso-8859-1' | 'windows-1252';

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
  // However long it is: no `>` stands in it.
  const declared = declaration.exec(bytes.toString('latin1', 0, bytes.indexOf('>')))?.[1];
  return declared === undefined ? 'utf-8' : named(declared, bytes);
}

/** @throws UnreadableError when the encoding isn't known or the bytes aren't in it */
export function decode(bytes: Buffer, charset: string | undefined): string {
  const encoding = encodingOf(bytes, charset);
  const refused = new UnreadableError(`the bytes are not in the encoding they claim, ${encoding}`);
  if (encoding === 'iso-8859-1') return bytes.toString('latin1');
  if (encoding === 'us-ascii') {
    if (bytes.some((byte) => byte > 0x7f)) throw refused;
    return bytes.toString('latin1');
  }
  if (encoding === 'windows-1252') {
    const text = iconv.decode(bytes, encoding);
    // iconv-lite puts U+FFFD for the five bytes that windows-1252 leaves out.
    if (text.includes('\uFFFD')) throw refused;
    return text;
  }
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw refused;
  }
}
