/**
 * The full-text index: an FTS5 table without content of its own. A row holds the first characters of each of a user's words. For a
 * prefix of up to eight characters FTS5 reads one list of rows; for a longer one it merges the lists of all words with that prefix.
 */
import { type Term, type TermPattern, wordStarts } from '../../../../domain/find/search.ts';

/** Characters of a word that are indexed. The users that a longer term finds are compared with their search text. */
const indexedLength = 32;

/** The control characters that a word may begin with: those of phone numbers (domain/find/search-words.ts). */
const kept = '\x1d\x1e';

/** Each ASCII character that a folded text may have besides letters and digits. FTS5 takes all other characters for letters. */
const punctuation = `!#$%&()*+,-./:;<=>?@[\\]^_\`{|}~''""${kept}\x7f`;

export const createWords = (table: string): string => `CREATE VIRTUAL TABLE ${table} USING fts5(
  starts, content = '', columnsize = 0, detail = none, prefix = '1 2 3 4 5 6 7 8',
  tokenize = "ascii tokenchars '${punctuation.replaceAll("''", "''''")}'")`;

/**
 * What a change of a search text removes from a row of the index, and adds to it. All words each time would be a twentieth more CPU for a write.
 * With a word FTS5 removes the prefixes that it shares with others, so words that begin with the same character are removed and added again.
 * FTS5 counts its rows by these statements: one that stays needs both, even if a text is empty.
 */
export function changedWords(before: string, after: string): { removed: string; added: string } {
  const [old, next] = [wordStarts(before, indexedLength), wordStarts(after, indexedLength)];
  const gone = [...old].filter((word) => !next.has(word));
  const firsts = new Set(gone.map((word) => word.codePointAt(0)));
  const isTouched = (word: string) => firsts.has(word.codePointAt(0));
  const added = [...next].filter((word) => isTouched(word) || !old.has(word));
  return { removed: [...old].filter(isTouched).join(' '), added: added.join(' ') };
}

const cut = (text: string): string => Array.from(text).slice(0, indexedLength).join('');
const quote = (text: string): string => `"${text.replaceAll('"', '""')}" *`;

/** A control character would end a query or split it. U+FFFF replaces it: no stored text has either. */
const replaceControls = (text: string): string =>
  Array.from(text, (character) => (character < ' ' && !kept.includes(character) ? '\uffff' : character)).join(
    '',
  );

/** The FTS5 query for the users that may match all of the terms. Nothing in a term is syntax to FTS5. */
export function matchQuery(terms: readonly Term[]): string {
  const anyOf = (term: Term) => term.map(({ start }) => quote(replaceControls(cut(start)))).join(' OR ');
  return terms.map((term) => `(${anyOf(term)})`).join(' AND ');
}

const isCut = ({ start }: TermPattern): boolean => Array.from(start).length > indexedLength;

/** False when a term is longer than what is indexed: the index then finds users that don't match, too. */
export const isExact = (terms: readonly Term[]): boolean => !terms.some((term) => term.some(isCut));
