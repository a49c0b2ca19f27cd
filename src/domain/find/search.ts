/**
 * By which words a user is found. A word begins where a run without white space begins, and within it at each letter or digit that
 * follows neither; in scripts that are written without spaces at each letter, in Hangul at each syllable. A term finds the words
 * that begin with it, and may go on past punctuation: `O'Brien` is found by `o'b`, `o` and `bri`, `ada@example.org` by `ada@ex` and
 * by `example.o`.
 *
 * A store keeps `searchText` beside the user and indexes the first characters of each word (`wordStarts`). The index finds those
 * that may match; whether one does, its search text says: it holds one of the term's patterns.
 */
import { codePoints } from '../unicode/code-points.ts';
import { isUnspaced, isWordCharacter } from '../unicode/folding.ts';
import { type AnnotatedField, findAnnotatedFields, textsAt } from '../user/annotated-fields.ts';
import { User } from '../user/user.ts';
import {
  beginsAnywhere,
  cutOffRun,
  digitsOf,
  markWords,
  phoneEndMark,
  phoneMark,
  phoneRuns,
  reverse,
  runMark,
  runsOf,
  shortestPhoneEnd,
  whiteSpace,
  wordMark,
} from './search-words.ts';

/** Raise it with any change of folding, of words, of the fields that are searched or of which filters are shared: what stores hold is then made anew. */
export const searchVersion = 4;

/**
 * In UTF-16 code units. Of a user with more than this, ten times what a real one has, the first fields are searched: folding makes many
 * characters of some, and each may begin a word. `supersetTerms` misses nobody for that.
 */
const maxSearchText = 8192;

/** Of a search, in code points. */
export const maxSearchLength = 128;
export const maxTerms = 8;

const fields = findAnnotatedFields(User, 'search');

/** One way in which a term can match. */
export interface TermPattern {
  /** The beginning of a word, as `wordStarts` gives it. */
  readonly start: string;
  /** It stands in the search text of a user who matches, and of no other. */
  readonly pattern: string;
}

/** One word that is searched for: one of these has to match. */
export type Term = readonly TermPattern[];

/** All that the user is found by, as one text; empty when there is nothing. */
export function searchText(user: User): string {
  let found = '';
  const runs = new Set<string>();
  for (const field of fields) for (const run of runsIn(user, field)) runs.add(run);
  for (const run of runs) {
    if (found.length + run.length > maxSearchText) return found + runMark + cutOffRun;
    found += runMark + run;
  }
  return found;
}

function runsIn(user: User, { annotation, path }: AnnotatedField): readonly string[] {
  const texts = textsAt(user, path);
  // Most users lack most fields.
  if (texts.length === 0) return texts;
  return texts.flatMap((text) => (annotation === 'phone' ? phoneRuns(text) : runsOf(text).map(markWords)));
}

/**
 * The words of a search text, each cut to its first characters.
 * @param length in code points
 */
export function wordStarts(text: string, length: number): Set<string> {
  const starts = new Set<string>();
  for (const run of text.split(runMark)) {
    if (ascii.test(run)) {
      addStarts(starts, run, length);
      continue;
    }
    const plain = run.replaceAll(wordMark, '');
    // Most texts have one code unit for each character: to take those apart would cost as much as the rest of a write.
    const characters = surrogate.test(plain) ? Array.from(plain) : plain;
    const cut = (at: number) => joinCharacters(characters.slice(at, at + length));
    if (plain !== '') starts.add(cut(0));
    let at = 0;
    for (const character of run) {
      if (character === wordMark) starts.add(cut(at));
      else {
        if (beginsAnywhere(character.codePointAt(0) as number)) starts.add(cut(at));
        at += 1;
      }
    }
  }
  return starts;
}

const ascii = /^\p{ASCII}*$/u;

/** Of a run without letters that begin a word each. */
function addStarts(starts: Set<string>, run: string, length: number): void {
  const plain = run.replaceAll(wordMark, '');
  if (plain !== '') starts.add(plain.slice(0, length));
  let marks = 0;
  for (let at = run.indexOf(wordMark); at >= 0; at = run.indexOf(wordMark, at + 1)) {
    starts.add(plain.slice(at - marks, at - marks + length));
    marks += 1;
  }
}

const surrogate = /[\ud800-\udfff]/;
const joinCharacters = (characters: string | readonly string[]): string =>
  typeof characters === 'string' ? characters : characters.join('');

/** XML 1.0 cannot carry it, so no user has it. */
const nobodys = '\x01';

/** A control character that is typed is no mark: else `o'` with one behind it would find `O'Brien`. Stores meet this one only. */
const escapeControls = (term: string): string =>
  Array.from(term, (character) => (character < ' ' ? nobodys : character)).join('');

function patternOf(term: string): TermPattern {
  const first = term.codePointAt(0) as number;
  const marked = markWords(term);
  const isAnywhere = beginsAnywhere(first) || (isWordCharacter(first) && !isUnspaced(first));
  return { start: term, pattern: isAnywhere ? marked : runMark + marked };
}

/** Matches the run alone that begins so: nothing that stands for a letter or digit. */
const runPattern = (start: string): TermPattern => ({ start, pattern: runMark + start });

/** Digits and what stands between those of a phone number. */
const likePhone = /^\+?[0-9().\-/]*[0-9][0-9().\-/]*$/;

function toTerm(text: string): Term {
  const isPhone = likePhone.test(text);
  const digits = isPhone ? digitsOf(text) : '';
  // Its first zeros may stand in the middle of a number: they aren't dialled.
  const end = isPhone ? text.replace(/[^0-9]/g, '') : '';
  return [
    patternOf(escapeControls(text)),
    ...(digits === '' ? [] : [runPattern(phoneMark + digits)]),
    ...(end.length < shortestPhoneEnd ? [] : [runPattern(phoneEndMark + reverse(end))]),
  ];
}

const hasWordCharacter = (run: string): boolean => codePoints(run).some(isWordCharacter);

/** @returns the terms of a search; or how to finish "search must …" for who asked for it */
export function parseSearch(text: string): readonly Term[] | string {
  const parts = text.split(whiteSpace).filter(Boolean);
  if (parts.length === 0) return 'have a letter or a digit';
  if (codePoints(text).length > maxSearchLength) return `have at most ${maxSearchLength} characters`;
  if (parts.length > maxTerms) return `have at most ${maxTerms} words`;
  const terms: Term[] = [];
  for (const part of parts) {
    const runs = runsOf(part);
    if (!runs.some(hasWordCharacter)) return 'have a letter or a digit in each word';
    terms.push(...runs.map(toTerm));
    // Some characters are several words as folded.
    if (terms.length > maxTerms) return `have at most ${maxTerms} words`;
  }
  return terms;
}

const loneSurrogate = /\p{Surrogate}/u;

/**
 * For finding by an index those among whom somebody has to be. They match everybody of whom a text that is searched by its words
 * equals this one or begins with it, compared as they are or by `lowerCase` (case-mapping.ts); and others beside, such as each whose search
 * text was cut off.
 * @returns undefined where no index helps: without a letter or digit
 */
export function supersetTerms(text: string): readonly Term[] | undefined {
  // A half of a character begins what the whole one does, and its folding doesn't.
  if (loneSurrogate.test(text)) return undefined;
  const runs = new Set(runsOf(text).map(cutRun).filter(hasWordCharacter));
  if (runs.size === 0) return undefined;
  return [...runs].slice(0, maxTerms).map((run) => [patternOf(escapeControls(run)), runPattern(cutOffRun)]);
}

const cutRun = (run: string): string => Array.from(run).slice(0, maxSearchLength).join('');

/** True when each of the terms matches one of the words. */
export const matchesTerms = (text: string, terms: readonly Term[]): boolean =>
  terms.every((term) => term.some(({ pattern }) => text.includes(pattern)));
