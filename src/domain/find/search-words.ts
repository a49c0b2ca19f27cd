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
 * The run of a resource whose text is longer than a search text. It begins like a phone number, since stores keep that character in their indexes; no
 * number continues this way.
 */
export const cutOffRun = `${phoneMark}-`;

/** The first code point for which `isUnspaced` is true: most texts have no character from there on. */
const firstUnspaced = 0xe00;
const isFree = (point: number): boolean => point >= firstUnspaced && isUnspaced(point);

/** Vowels and final consonants of Hangul, into which folding splits syllables. */
const continuesSyllable = (point: number): boolean =>
  (point >= 0x1160 && point <= 0x11ff) || (point >= 0xd7b0 && point <= 0xd7fb);

/** In folded texts: whether the character begins a word anywhere in a run. */
export const beginsAnywhere = (point: number): boolean => isFree(point) && !continuesSyllable(point);

const whiteSpace = /\s+/u;

/** Marks the words of a run that begin with a letter or digit, except in runs where each letter begins a word. */
export function markWords(run: string): string {
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
const spelledOut: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe', đ: 'dj' };
const spelledLetters = /[äöüåøđ]/giu;
const mayDiffer = /['\x80-\uffff]|(?:^|\s)[^\s\d@]*-[a-z]/i;

/** `o'neill` becomes `oneill`. Hyphens join names only, since ids and addresses would double the index. */
function joinParts(run: string): string {
  const marks = /[0-9@]/.test(run) ? "'" : "'-·";
  const characters = Array.from(run);
  const isWordAt = (at: number): boolean => isWordCharacter(characters[at]?.codePointAt(0) ?? 0);
  const isJoin = (one: string, at: number) => marks.includes(one) && isWordAt(at - 1) && isWordAt(at + 1);
  return characters.filter((one, at) => !isJoin(one, at)).join('');
}

/** A run of a text; also with two letters for an umlaut, if it has one. */
export function spellingsOf(text: string): readonly (readonly string[])[] {
  const runs = runsOf(text);
  const spelled = text
    .normalize('NFC')
    .replace(spelledLetters, (letter) => spelledOut[letter.toLowerCase()] ?? letter);
  const inAscii = spelled === text ? runs : runsOf(spelled);
  return runs.map((run, at) => [...new Set([run, inAscii[at] ?? run])]);
}

/**
 * The runs of a text, and of other spellings that people type for it: `mueller` for Müller, `oneill` for O'Neill. In scripts without spaces,
 * people leave out the spaces of a name.
 */
export function spelledRuns(text: string): readonly string[] {
  if (!mayDiffer.test(text)) return runsOf(text);
  const spellings = spellingsOf(text);
  const isUnspacedText = spellings.every(([run = '']) => isFree(run.codePointAt(0) ?? 0));
  const joined = isUnspacedText && spellings.length > 1 ? [spellings.map(([run]) => run).join('')] : [];
  return [...new Set(spellings.flat().flatMap((run) => [run, joinParts(run)])), ...joined];
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
