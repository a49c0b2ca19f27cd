/**
 * Recognizes the encoding of a table. Spreadsheets write UTF-8 and UTF-16, often without a byte order mark, and the code page of the
 * country, which nothing in the file names. Code pages have other letters in the same places, so a wrong guess would spoil names unseen: only
 * windows-1252 is recognized, and only where the text is German or French beyond doubt. For others a person is shown words in the likely
 * code pages.
 */
import { foreignCharacter } from '../../../domain/validation/schema-validator.ts';
import { createDecoder, type Encoding } from './decoding.ts';

/** How much of a file's beginning is examined, in bytes. */
export const sampleLength = 64 * 1024;

/** In windows-1252: letters and signs of Western Europe, except those in whose places the Central European code page has frequent letters. */
const western = /^[\p{ASCII}À-ÂÄ-ÏÑ-ÔÖØ-Üß-âä-ïñ-ôöø-üœŒ€’–—…]*$/u;

/** Most letters beyond ASCII in German and French. Code pages of other scripts, of DOS and of the Mac have something else in most of their places. */
const frequent = /[ÄÖÜßäöüé]/g;
const beyondAscii = /\P{ASCII}/gu;

const count = (text: string, characters: RegExp): number => text.match(characters)?.length ?? 0;

/** @param sample as of `recognizeEncoding` @returns undefined for bytes that are not in the encoding */
function decode(sample: Buffer, encoding: Encoding): string | undefined {
  try {
    const text = createDecoder(encoding)(sample, sample.length === sampleLength);
    return foreignCharacter.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** True for a text in windows-1252; false where it may be in another code page. */
export function isWestern(bytes: Buffer): boolean {
  const text = decode(bytes, 'windows-1252');
  return text !== undefined && western.test(text) && 2 * count(text, frequent) >= count(text, beyondAscii);
}

/** @param sample the beginning of the file, or all of it if it is shorter than `sampleLength` @returns `utf-8` for an unknown encoding, too: reading it then tells the place */
export function recognizeEncoding(sample: Buffer): Encoding {
  const [first, second, third, fourth] = sample;
  // ASCII letters in UTF-16.
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return 'utf-16be';
  return decode(sample, 'utf-8') === undefined && isWestern(sample) ? 'windows-1252' : 'utf-8';
}

const central = /^[A-Za-ząćęłńóśźżčďěňřšťůžľĺŕôäőűáéíúýöüđßăâîşţç]+$/i;
const westernWord = /^[A-Za-zà-öø-ÿßœšž]+$/i;

/** How words look in the code pages that spreadsheets use, the most frequent first. If several give the same text, the first is shown. */
const likely: readonly (readonly [encoding: Encoding, word: RegExp])[] = [
  ['windows-1252', westernWord],
  ['windows-1250', central],
  ['windows-1251', /^[\u0400-\u045F\u0490\u0491]+$/],
  ['shift_jis', /^[\u3040-\u30FF\u4E00-\u9FFF々ー]+$/],
  ['gbk', /^[\u4E00-\u9FFF]+$/],
  ['windows-1254', /^[A-Za-zığşçöüâîû]+$/i],
  ['windows-1253', /^[\u0370-\u03FF]+$/],
  ['iso-8859-2', central],
  ['windows-1257', /^[A-Za-ząčęėįšųūžāēģīķļņõäöü]+$/i],
  ['macintosh', westernWord],
];

/** An upper-case letter within a word comes from another encoding. */
const isOddCase = (word: string): boolean => /\p{Ll}\p{Lu}/u.test(word);

/** Characters of any language. */
const signs = /[€–—“”„‚‘’…«»\xA0]/g;

const lengthsOf = (words: readonly string[]): number =>
  words.reduce((sum, word) => sum + count(word, beyondAscii), 0);

/** True for a text in UTF-8 except for a few bytes, as when a line was pasted from another file. */
export function isMostlyUtf8(sample: Buffer): boolean {
  const text = sample.toString();
  const wrong = count(text, /\uFFFD/g);
  return count(text, beyondAscii) > 2 * wrong;
}

/** The share of the characters beyond ASCII that stand in plausible words, from 0 to 1. */
function likelihood(text: string, word: RegExp): number {
  const words = (text.match(/[\p{L}\p{M}]+/gu) ?? []).filter((one) => /\P{ASCII}/u.test(one));
  const right = words.filter((one) => word.test(one) && !isOddCase(one));
  return lengthsOf(right) / Math.max(1, count(text, beyondAscii) - count(text, signs));
}

const isLast = ({ encoding }: { readonly encoding: Encoding }): number => Number(encoding === 'windows-1252');

const maxLines = 2;
const maxLength = 40;

/** The first lines with letters beyond ASCII. */
const firstLines = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .filter((line) => /\P{ASCII}/u.test(line))
    .slice(0, maxLines)
    .map((line) => [...line.replaceAll('\t', ' ')].slice(0, maxLength).join(''))
    .join(' / ');

/** Shows the first lines in the likeliest encodings, for a person to see which is right; empty for lines without letters beyond ASCII. */
export function showInEncodings(sample: Buffer): string {
  const found = new Map<string, { readonly encoding: Encoding; readonly score: number }>();
  for (const [encoding, word] of likely) {
    const text = decode(sample, encoding);
    const lines = text === undefined ? '' : firstLines(text);
    const score = likelihood(text ?? '', word);
    if (lines !== '' && (found.get(lines)?.score ?? -1) < score) found.set(lines, { encoding, score });
  }
  return (
    [...found]
      // Much text of other countries also looks right in windows-1252.
      .sort(([, one], [, other]) => other.score - one.score || isLast(one) - isLast(other))
      .slice(0, 3)
      .map(([lines, { encoding }]) => `${encoding} "${lines}"`)
      .join(', ')
  );
}
