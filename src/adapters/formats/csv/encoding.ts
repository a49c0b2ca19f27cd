/**
 * Recognizes the encoding of a table. Spreadsheets write UTF-8 and UTF-16, often without a byte order mark, and the code page of the
 * country, which nothing in the file names. Code pages have other letters in the same places, so a wrong guess would spoil names unseen: only
 * windows-1252 is recognized, and only where the text is German or French beyond doubt.
 */
import { createDecoder, type Encoding } from '../core/decoding.ts';
import { readWestern, sampleLength } from '../core/file-text.ts';

/** Most letters beyond ASCII in German and French. Code pages of other scripts, of DOS and of the Mac have something else in most of their places. */
const frequent = /[ÄÖÜßäöüé]/g;
const beyondAscii = /\P{ASCII}/gu;

const count = (text: string, characters: RegExp): number => text.match(characters)?.length ?? 0;

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
  const text = isUtf8(sample) ? undefined : readWestern(sample);
  if (text === undefined) return 'utf-8';
  return 2 * count(text, frequent) >= count(text, beyondAscii) ? 'windows-1252' : 'utf-8';
}
