/**
 * The full-text index: an FTS5 table without content. A row holds the beginnings of a resource's words. For a prefix of up to eight characters FTS5
 * reads one list of rows; for a longer one it merges the lists of all words with that prefix.
 */
import { type Term, type TermPattern, wordStarts } from '../../../../domain/find/search.ts';

/** Characters of a word that are indexed. For a longer term the search text of each resource is compared as well. */
const indexedLength = 32;

/** Control characters with which words may begin, for phone numbers (domain/find/search-words.ts). */
const kept = '\x1d\x1e';

/** The ASCII characters of folded texts besides letters and digits. FTS5 takes all others for letters. */
const punctuation = `!#$%&()*+,-./:;<=>?@[\\]^_\`{|}~''""${kept}\x7f`;

export const createWords = (table: string): string => `CREATE VIRTUAL TABLE ${table} USING fts5(
  starts, content = '', columnsize = 0, detail = none, prefix = '1 2 3 4 5 6 7 8',
  tokenize = "ascii tokenchars '${punctuation.replaceAll("''", "''''")}'")`;

/**
 * The words that a change removes from a row of the index, and those that it adds. Replacing all words would cost a twentieth more CPU for each write.
 * With a word FTS5 also removes the prefixes that it shares with others, so words that begin with the same character are removed and added again.
 * FTS5 counts its rows by these statements: a row that stays needs both, even with empty texts.
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

/** A control character would end or split a query. No stored text has one, or the U+FFFF that replaces it. */
const replaceControls = (text: string): string =>
  Array.from(text, (character) => (character < ' ' && !kept.includes(character) ? '\uffff' : character)).join(
    '',
  );

/** The FTS5 query for resources that may match all terms. Nothing in a term is taken for syntax. */
export function matchQuery(terms: readonly Term[]): string {
  const anyOf = (term: Term) => term.map(({ start }) => quote(replaceControls(cut(start)))).join(' OR ');
  return terms.map((term) => `(${anyOf(term)})`).join(' AND ');
}

const isCut = ({ start }: TermPattern): boolean => Array.from(start).length > indexedLength;

/** False if a term is longer than the indexed beginnings: the index then also finds resources that don't match. */
export const isExact = (terms: readonly Term[]): boolean => !terms.some((term) => term.some(isCut));
