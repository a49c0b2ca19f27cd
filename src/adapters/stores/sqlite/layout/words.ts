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

/** The content of a user's row. @param search its search text */
export const wordsRow = (search: string): string => [...wordStarts(search, indexedLength)].join(' ');

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
