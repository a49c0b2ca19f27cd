/**
 * Search by words. A word begins at the start of a run without white space, and within the run at each letter or digit that follows
 * another character; in scripts without spaces at each letter, in Hangul at each syllable. A term matches words that begin with it, and
 * may contain punctuation: `o'b`, `o` and `bri` find `O'Brien`; `ada@ex` and `example.o` find `ada@example.org`. Names are found as they are
 * typed without special keys, too: `obrien`, `mueller` for Müller, and the other way round.
 *
 * A store keeps `searchText` beside the resource and indexes the first characters of each word (`wordStarts`). The index finds candidates;
 * a candidate matches if its search text contains one of the term's patterns.
 */

import type { TSchema } from 'typebox';
import { type AnnotatedField, findAnnotatedFields, textsAt } from '../resource/annotations.ts';
import { codePoints } from '../unicode/code-points.ts';
import { isUnspaced, isWordCharacter } from '../unicode/folding.ts';
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
  spelledRuns,
  spellingsOf,
  wordMark,
} from './search-words.ts';

/** Raise it with any change of folding, words, searched fields, the keys of a filter, `isShared` or `findsAbsence`: stores then rebuild their indexes. They notice new filters by name. */
export const searchVersion = 7;

/**
 * In UTF-16 code units: ten times the text of a real user. Of longer texts only the first fields are searched, since folding can multiply
 * characters and each may begin a word. `supersetTerms` still finds all matches.
 */
const maxSearchText = 8192;

/** The maximum length of a search, in code points. */
export const maxSearchLength = 128;
export const maxTerms = 8;

/** One way in which a term can match. */
export interface TermPattern {
  /** The beginning of a word, as `wordStarts` gives it. */
  readonly start: string;
  /** Occurs in exactly the search texts of matching resources. */
  readonly pattern: string;
}

/** One term of a search: at least one of these must match. */
export type Term = readonly TermPattern[];

/**
 * @param isSearched whether the field with this path is; left out: all of them
 * @returns a function that joins the searched texts of a resource of this schema into one; empty when there are none
 */
export function searchTextOf<T>(
  schema: TSchema,
  isSearched: (path: readonly string[]) => boolean = () => true,
): (resource: T) => string {
  const fields = findAnnotatedFields(schema, 'search').filter(({ path }) => isSearched(path));
  return (resource) => {
    let found = '';
    const runs = new Set<string>();
    for (const field of fields) for (const run of runsIn(resource, field)) runs.add(run);
    for (const run of runs) {
      if (found.length + run.length > maxSearchText) return found + runMark + cutOffRun;
      found += runMark + run;
    }
    return found;
  };
}

/** The search text of a single text. */
export const searchTextOfOne = (text: string): string =>
  spelledRuns(text)
    .map((run) => runMark + markWords(run))
    .join('');

function runsIn(resource: unknown, { annotation, path }: AnnotatedField): readonly string[] {
  const texts = textsAt(resource, path);
  // Most resources lack most fields.
  if (texts.length === 0) return texts;
  return texts.flatMap((text) =>
    annotation === 'phone' ? phoneRuns(text) : spelledRuns(text).map(markWords),
  );
}

/** The words of a search text, each cut to its first characters. @param length in code points */
export function wordStarts(text: string, length: number): Set<string> {
  const starts = new Set<string>();
  for (const run of text.split(runMark)) {
    const plain = run.replaceAll(wordMark, '');
    // Most texts have one code unit for each character: splitting those would cost as much as the rest of a write.
    const characters = surrogate.test(plain) ? Array.from(plain) : plain;
    const cut = (at: number) => joinCharacters(characters.slice(at, at + length));
    if (plain !== '') starts.add(cut(0));
    let at = 0;
    for (const character of run)
      if (character === wordMark) starts.add(cut(at));
      else {
        if (beginsAnywhere(character.codePointAt(0) as number)) starts.add(cut(at));
        at += 1;
      }
  }
  return starts;
}

const surrogate = /[\ud800-\udfff]/;
const joinCharacters = (characters: string | readonly string[]): string =>
  typeof characters === 'string' ? characters : characters.join('');

/** XML 1.0 can't represent it, so no resource has it. */
const unmatchable = '\x01';

/** A typed control character is not a mark: otherwise `o'` with one behind it would find `O'Brien`. Stores see only this one. */
const escapeControls = (term: string): string =>
  Array.from(term, (character) => (character < ' ' ? unmatchable : character)).join('');

function patternOf(term: string): TermPattern {
  const first = term.codePointAt(0) as number;
  const marked = markWords(term);
  const isAnywhere = beginsAnywhere(first) || (isWordCharacter(first) && !isUnspaced(first));
  return { start: term, pattern: isAnywhere ? marked : runMark + marked };
}

/** Matches only runs that begin like this: the text has no letter or digit. */
const runPattern = (start: string): TermPattern => ({ start, pattern: runMark + start });

/** Digits and the separators of phone numbers. */
const likePhone = /^\+?[0-9().\-/]*[0-9][0-9().\-/]*$/;

/** `+44 (0)20 …` is written for both forms: with the zero and without it. */
const optionalZero = /(?<=^\+?[1-9][0-9]{0,2})\(0\)/;

function phonePatterns(text: string): Term {
  if (!likePhone.test(text)) return [];
  if (optionalZero.test(text))
    return ['0', ''].flatMap((zero) => phonePatterns(text.replace(optionalZero, zero)));
  const digits = digitsOf(text);
  // Leading zeros stay: the term may be the end of a number that has these zeros in the middle.
  const end = text.replace(/[^0-9]/g, '');
  // The leading zero of a national number isn't dialled from abroad.
  const ends = new Set([end, end.replace(/^0(?=[1-9])/, '')]);
  return [
    ...(digits === '' ? [] : [runPattern(phoneMark + digits)]),
    ...[...ends]
      .filter(({ length }) => length >= shortestPhoneEnd)
      .map((one) => runPattern(phoneEndMark + reverse(one))),
  ];
}

/** What may surround a pasted term: quotes, brackets, the punctuation of a sentence, and invisible characters. */
const punctuation = String.raw`(?:[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Cf}<>]|(?![#%&'/\\])\p{Po})+`;
// An `@` at the end is kept: `ada@` is the beginning of an address.
const aroundTerms = new RegExp(`^${punctuation}|(?!@)${punctuation}$`, 'gu');
const trimPunctuation = (run: string): string => run.replace(aroundTerms, '');

/** Around several terms. A single quote alone may be an apostrophe. */
const singleQuotes = /(?<!\S)['‘‚](\S*[^\s'’‘]\s.*?)['’‘](?!\S)/gu;
/** Around a single term: a resource may contain it like this. */
const singleQuotesOfOne = /^['‘‚](.*)['’‘]$/su;

function toTerm(run: string): Term {
  const typed = escapeControls(run);
  const texts = [typed, trimPunctuation(typed), trimPunctuation(typed.replace(singleQuotesOfOne, '$1'))];
  return [...new Set(texts)].filter(Boolean).flatMap((text) => [patternOf(text), ...phonePatterns(text)]);
}

/** White space, and punctuation between the parts of a name, or in front of an address: `Lovelace, Ada <ada@example.org>`. */
const separators = /[,;]*(?:\s+|$)|[,;<]+(?=[\w\x80-\u{10ffff}])/u;

/** The scheme of a link to an address or a number. */
const scheme = /^(?:mailto|smtp|tel|callto|sips?):(?=.)/i;

const hasWordCharacter = (run: string): boolean => codePoints(run).some(isWordCharacter);

/** @returns the terms of a search; or the end of "search must …" for the client */
export function parseSearch(text: string): readonly Term[] | string {
  // A code point has at most two units, so a text of thousands isn't split.
  if (text.length > 2 * maxSearchLength || codePoints(text).length > maxSearchLength)
    return `have at most ${maxSearchLength} characters`;
  const parts = text
    .replace(singleQuotes, '$1')
    .split(separators)
    .filter(Boolean)
    .map((part) => part.replace(scheme, ''));
  if (parts.length === 0) return 'have a letter or a digit';
  if (parts.length > maxTerms) return `have at most ${maxTerms} words`;
  // A phone number may be typed in several parts.
  const phone = parts.length > 1 ? phonePatterns(trimPunctuation(parts.join(''))) : [];
  const terms: Term[] = [];
  for (const part of parts) {
    const runs = spellingsOf(part);
    if (phone.length === 0 && !runs.flat().some(hasWordCharacter))
      return 'have a letter or a digit in each word';
    terms.push(...runs.map((spellings) => [...spellings.flatMap(toTerm), ...phone]));
    // Some characters fold to several words.
    if (terms.length > maxTerms) return `have at most ${maxTerms} words`;
  }
  return terms;
}

/** Finds the resources whose search text was cut off, and no others. */
export const cutOffPattern: TermPattern = runPattern(cutOffRun);

const loneSurrogate = /\p{Surrogate}/u;

/**
 * Terms by which an index finds a superset of the matches: all resources with a searched text that equals this one or begins with it, compared
 * exactly or by `lowerCase` (case-mapping.ts), and others, such as resources whose search text was cut off.
 * @returns undefined where no index helps: without a letter or digit
 */
export function supersetTerms(text: string): readonly Term[] | undefined {
  // Half a surrogate pair begins the same texts as the pair, but its folding doesn't.
  if (loneSurrogate.test(text)) return undefined;
  const runs = new Set(runsOf(text).map(cutRun).filter(hasWordCharacter));
  if (runs.size === 0) return undefined;
  return [...runs].slice(0, maxTerms).map((run) => [patternOf(escapeControls(run)), cutOffPattern]);
}

const cutRun = (run: string): string => Array.from(run).slice(0, maxSearchLength).join('');

/** True when each of the terms matches one of the words. */
export const matchesTerms = (text: string, terms: readonly Term[]): boolean =>
  terms.every((term) => term.some(({ pattern }) => text.includes(pattern)));
