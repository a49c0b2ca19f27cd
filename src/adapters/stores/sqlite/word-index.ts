/**
 * The index of words: an FTS5 table without a content of its own. For each user it has the first characters of every word. By its
 * prefix indexes a short term leads to a list of users by one look-up; for a longer one FTS5 puts the lists of all words together
 * that begin with it.
 *
 * A list can't be entered in its middle, and counting a million takes 25 ms. So it comes in blocks of users, each looked up by itself:
 * the block stands in front of each word as one character.
 *
 * The keys that many users may have (shared-keys.ts) are words as well, so that a search under filters is one look-up.
 */
import { type Term, type TermPattern, wordStarts } from '../../../domain/search.ts';
import { runMark } from '../../../domain/search-words.ts';

/** Characters of a word that are indexed; what a longer term asks for beyond them, the user's search text says. */
const indexedLength = 32;

/** The longest term for which there is a prefix index. For a longer one FTS5 reads all whom it finds in a block before the first. */
const longestPrefix = 8;

/** Users in a block, by their numbers: a few milliseconds' work for several conditions that each of them meets. */
export const blockSize = 2 ** 15;

/** Beyond the control characters, and below the surrogates: for 18,000 blocks, half a milliard of users. */
const firstBlock = 0x4e00;

export const blockOf = (n: number): number => Math.floor(n / blockSize);
const mark = (block: number): string => String.fromCodePoint(firstBlock + block);

/** In front of a key's number. No folded text has it. */
const keyMark = '\x1c';

/** The control characters that a word may begin with: of keys, and those of phone numbers. */
const kept = `${keyMark}\x1d\x1e`;

const letters = 26;
const firstLetter = 0x61;

// It ends with a letter, so that no number begins another. In ASCII, as most texts are: others take longer to be written.
const printNumber = (number: number): string =>
  (number < letters ? '' : String(Math.floor(number / letters))) +
  String.fromCodePoint(firstLetter + (number % letters));

/** A shared key as a run of a search text, in front of those that the domain has put there. */
export const keyRun = (number: number): string => runMark + keyMark + printNumber(number);

/** Matches those who have a shared key. */
export const keyTerm = (number: number): Term => [
  { start: keyMark + printNumber(number), pattern: keyRun(number) },
];

/** Each ASCII character that a folded text may have besides letters and digits; every other character is one of a word anyway. */
const punctuation = `!#$%&()*+,-./:;<=>?@[\\]^_\`{|}~''""${kept}\x7f`;

/** With the lengths that there are, of the mark and what follows. */
const prefixes = Array.from({ length: longestPrefix }, (_, index) => index + 2).join(' ');

export const createWords = `CREATE VIRTUAL TABLE words USING fts5(
  starts, content = '', columnsize = 0, detail = none, prefix = '${prefixes}',
  tokenize = "ascii tokenchars '${punctuation.replaceAll("''", "''''")}'")`;

/** The content of the row of user `n`. @param search its search text */
export function wordsRow(n: number, search: string): string {
  const block = mark(blockOf(n));
  return [...wordStarts(search, indexedLength)].map((start) => block + start).join(' ');
}

const cut = (text: string): string => Array.from(text).slice(0, indexedLength).join('');
const quote = (text: string): string => `"${text.replaceAll('"', '""')}" *`;

/** A control character, which no stored text has, would end a query or part it. U+FFFF stands for it, which none has either. */
const replaceControls = (text: string): string =>
  Array.from(text, (character) => (character < ' ' && !kept.includes(character) ? '\uffff' : character)).join(
    '',
  );

/** The FTS5 query for those of a block who may match all of the terms. Nothing in a term means anything to it. */
export function matchQuery(terms: readonly Term[], block: number): string {
  const anyOf = (term: Term) =>
    term.map(({ start }) => quote(mark(block) + replaceControls(cut(start)))).join(' OR ');
  return terms.map((term) => `(${anyOf(term)})`).join(' AND ');
}

const isCut = ({ start }: TermPattern): boolean => Array.from(start).length > indexedLength;

/** False when those whom the index finds have to be looked at, because a term is longer than what is indexed. */
export const isExact = (terms: readonly Term[]): boolean => !terms.some((term) => term.some(isCut));
