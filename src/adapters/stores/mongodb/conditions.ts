/** What a query asks for, as filters of MongoDB: in the form that an index serves, and in the form that a document is checked by. */
import { BSONRegExp, type Filter } from 'mongodb';
import { joinKey } from '../../../domain/keys.ts';
import type { Conditions } from '../../../domain/ports.ts';
import type { Term, TermPattern } from '../../../domain/search.ts';
import { keysIndex, wordsIndex } from './indexes.ts';
import { type UserDocument, wordLength } from './stored-document.ts';

type UserFilter = Filter<UserDocument>;

/** One of those that all must hold. */
export interface Condition {
  /** The index that serves it. */
  readonly index: string;
  /** Finds by the index those who may match, and no others where `isCovered`. */
  readonly byIndex: UserFilter;
  /** Matches who matches. The index isn't used by it where another condition's is. */
  readonly exact: UserFilter;
  /** True when nothing but the index has to be looked at. */
  readonly isCovered: boolean;
}

const lastPoint = 0x10_ff_ff;
const [firstSurrogate, afterSurrogates] = [0xd800, 0xe000];

/** The first text behind all that begin with this one, by code points; undefined when there is none. */
function findEnd(start: string): string | undefined {
  const points = Array.from(start, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === lastPoint) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === firstSurrogate ? afterSurrogates : last + 1;
  return String.fromCodePoint(...points, next);
}

/** All that means something in a regular expression, but for the dot. */
const special = /[\\^$|?*+()[\]{}]/;
const controlCharacter = /\p{Cc}/u;

/**
 * For most texts a regular expression of `^` and the text, which MongoDB answers from the index alone. The dot, frequent in addresses,
 * is all that is ever escaped for it: texts with anything else that means something there get a range, and a look at each document.
 */
function startsWith(start: string): { readonly value?: BSONRegExp | string; readonly range?: object } {
  const characters = Array.from(start);
  if (characters.length >= wordLength) return { value: characters.slice(0, wordLength).join('') };
  if (!special.test(start) && !start.includes('\0'))
    return { value: new BSONRegExp(`^${start.replaceAll('.', '\\.')}`) };
  const end = findEnd(start);
  return { range: { $gte: start, ...(end === undefined ? {} : { $lt: end }) } };
}

function findByWords(term: Term): UserFilter {
  const starts = term.map(({ start }) => startsWith(start));
  const values = starts.flatMap(({ value }) => value ?? []);
  const ranges = starts.flatMap(({ range }) => range ?? []);
  const filters: object[] = ranges.map((range) => ({ words: { $elemMatch: range } }));
  if (values.length > 0) filters.push({ words: { $in: values } });
  return filters.length === 1 ? (filters[0] as UserFilter) : { $or: filters as UserFilter[] };
}

/** A document that somebody has changed may have anything there. */
const searchText = { $cond: [{ $eq: [{ $type: '$search' }, 'string'] }, '$search', ''] };

/** `$literal`: a pattern that begins with `$` is a text too. */
const contains = ({ pattern }: TermPattern): object => ({
  $gte: [{ $indexOfBytes: [searchText, { $literal: pattern }] }, 0],
});

/** Somebody may type the marks that only patterns tell from one another. */
const isWholeInIndex = ({ start }: TermPattern): boolean =>
  Array.from(start).length <= wordLength && !controlCharacter.test(start);

const toTermCondition = (term: Term): Condition => {
  const isWhole = term.every(isWholeInIndex);
  const exact = { $expr: { $or: term.map(contains) } };
  return {
    index: wordsIndex,
    byIndex: findByWords(term),
    exact,
    isCovered: isWhole,
  };
};

const toKeyCondition = (pair: readonly [string, string]): Condition => {
  const filter = { keys: joinKey(pair) };
  return { index: keysIndex, byIndex: filter, exact: filter, isCovered: true };
};

export const asksForAll = ({ filters, terms = [] }: Conditions): boolean =>
  Object.keys(filters).length + terms.length === 0;

/** Terms first: where all are frequent, the first one's index is used, and a key is quicker to check than a term. */
export const toConditions = ({ filters, terms = [] }: Conditions): readonly Condition[] => [
  ...terms.map(toTermCondition),
  ...Object.entries(filters).map(toKeyCondition),
];

/** All of them. @param first the one whose index is used; left out, an index that serves none of them is */
export const matchAll = (conditions: readonly Condition[], first?: Condition): UserFilter[] =>
  conditions.flatMap((condition) => {
    if (condition !== first) return [condition.exact];
    return condition.isCovered ? [condition.byIndex] : [condition.byIndex, condition.exact];
  });
