/** Splits texts into words, and marks the words in a search text. */
import { fold, isUnspaced, isWordCharacter } from '../unicode/folding.ts';

// Control characters, which no folded text has: each run begins with the first, each other word within it with the second.
export const runMark = '\n';
export const wordMark = '\x1f';
/** Precede a phone number's digits, and the same digits in reverse, for searches by the last digits. */
export const phoneMark = '\x1d';
export const phoneEndMark = '\x1e';
export const shortestPhoneEnd = 4;
/**
 * The run of a user with more text than a search text holds. It begins like a phone number, since stores keep that character in their
 * indexes; no number continues so.
 */
export const cutOffRun = `${phoneMark}-`;

/** The first code point of `isUnspaced`: most texts have none from it on. */
const firstUnspaced = 0xe00;
const isFree = (point: number): boolean => point >= firstUnspaced && isUnspaced(point);

/** Vowels and final consonants of Hangul, into which folding takes syllables apart. */
const continuesSyllable = (point: number): boolean =>
  (point >= 0x1160 && point <= 0x11ff) || (point >= 0xd7b0 && point <= 0xd7fb);

/** In folded texts: whether the character begins a word anywhere in a run. */
export const beginsAnywhere = (point: number): boolean => isFree(point) && !continuesSyllable(point);

export const whiteSpace = /\s+/u;

const isAsciiWord = (unit: number): boolean =>
  (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || (unit >= 0x41 && unit <= 0x5a);

/** As `markWords`, several times quicker: every write marks some twenty runs, most of them ASCII. Undefined for other runs. */
function markAsciiWords(run: string): string | undefined {
  let marked = '';
  let from = 0;
  let isInWord = false;
  for (let at = 0; at < run.length; at += 1) {
    const unit = run.charCodeAt(at);
    if (unit > 0x7f) return undefined;
    const isWord = isAsciiWord(unit);
    if (isWord && !isInWord) {
      marked += run.slice(from, at) + wordMark;
      from = at;
    }
    isInWord = isWord;
  }
  return marked + run.slice(from);
}

/** Marks the words of a run that begin with a letter or digit, but where each letter begins one. */
export function markWords(run: string): string {
  return markAsciiWords(run) ?? markAnyWords(run);
}

function markAnyWords(run: string): string {
  let marked = '';
  let isInWord = false;
  for (const character of run) {
    const point = character.codePointAt(0) as number;
    const isWord = isWordCharacter(point);
    const isSpaced = isWord && !isFree(point);
    if (isSpaced && !isInWord) marked += wordMark;
    marked += character;
    isInWord = isSpaced;
  }
  return marked;
}

export const runsOf = (text: string): string[] => fold(text).split(whiteSpace).filter(Boolean);

/** Letters that people spell with two where their keyboards lack them. */
const spelledOut: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };
const spelledLetters = /[äöüåø]/giu;
const mayDiffer = /['\x80-\uffff]/;

/** `o'neill` becomes `oneill`. */
function dropApostrophes(run: string): string {
  const characters = Array.from(run);
  const isWordAt = (at: number): boolean => isWordCharacter(characters[at]?.codePointAt(0) ?? 0);
  return characters.filter((one, at) => one !== "'" || !isWordAt(at - 1) || !isWordAt(at + 1)).join('');
}

/** The runs of a text, and of what people type for it without special keys: `mueller` for Müller, `oneill` for O'Neill. */
export function spelledRuns(text: string): string[] {
  if (!mayDiffer.test(text)) return runsOf(text);
  const inAscii = text
    .normalize('NFC')
    .replace(spelledLetters, (letter) => spelledOut[letter.toLowerCase()] ?? letter);
  const runs = [text, inAscii].flatMap(runsOf);
  return runs.flatMap((run) => (run.includes("'") ? [run, dropApostrophes(run)] : run));
}

/** Without the international prefix. */
export const digitsOf = (phone: string): string =>
  phone
    .replace(/[^0-9+]/g, '')
    .replace(/^(?:\+|00)/, '')
    .replaceAll('+', '');
export const reverse = (digits: string): string => [...digits].reverse().join('');

export function phoneRuns(text: string): string[] {
  const digits = digitsOf(fold(text));
  return digits === '' ? [] : [phoneMark + digits, phoneEndMark + reverse(digits)];
}
