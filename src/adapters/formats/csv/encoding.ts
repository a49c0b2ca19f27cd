/**
 * Recognizes the encoding of a table. Spreadsheets write UTF-8 and UTF-16, often without a byte order mark, and the code page of the
 * country, which nothing in the file names. Code pages have other letters in the same places, so a wrong guess would spoil names unseen: only
 * windows-1252 is recognized, and only where the text is German or French beyond doubt.
 */
import { createDecoder, type Encoding } from '../core/decoding.ts';
import { isWestern, sampleLength } from '../core/file-text.ts';

function isUtf8(sample: Buffer): boolean {
  try {
    createDecoder('utf-8')(sample, sample.length === sampleLength);
    return true;
  } catch {
    return false;
  }
}

/** @param sample as for `Recognize` @returns `utf-8` for an unknown encoding, too: reading it then tells the place */
export function recognizeEncoding(sample: Buffer): Encoding {
  const [first, second, third, fourth] = sample;
  // ASCII letters in UTF-16.
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  return !isUtf8(sample) && isWestern(sample) ? 'windows-1252' : 'utf-8';
}
