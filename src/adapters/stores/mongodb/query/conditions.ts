/** Conditions as MongoDB filters: one form for the index, one for checking documents. */
import { BSONRegExp, type Filter } from 'mongodb';
import { sharedFilters } from '../../../../domain/at-import.ts';
import type { Condition } from '../../../../domain/find/conditions.ts';
import { joinKey } from '../../../../domain/find/keys.ts';
import type { Term, TermPattern } from '../../../../domain/find/search.ts';
import { groupsIndex, idIndex, keysIndex, membersIndex, wordsIndex } from '../documents/indexes.ts';
import { type UserDocument, wordLength } from '../documents/stored-document.ts';

type UserFilter = Filter<UserDocument>;

/** One of the conditions that all must match. */
export interface Part {
  /** The index that serves it; undefined where it takes several: MongoDB then chooses for each alternative. */
  readonly index: string | undefined;
  /** Fewer users are likely to match one with a lower rank; 0 is that of ids. */
  readonly rank: number;
  /** Finds by the index users that may match; exactly those that match where `isCovered`. */
  readonly byIndex: UserFilter;
  /** Matches exactly; doesn't use the index where another condition's index is used. */
  readonly exact: UserFilter;
  /** True when the index alone decides. */
  readonly isCovered: boolean;
}

const lastPoint = 0x10_ff_ff;
const [firstSurrogate, afterSurrogates] = [0xd800, 0xe000];

/** The first text, by code points, behind all texts that begin with this one; undefined when there is none. */
function findEnd(start: string): string | undefined {
  const points = Array.from(start, (character) => character.codePointAt(0) as number);
  while (points.at(-1) === lastPoint) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last + 1 === firstSurrogate ? afterSurrogates : last + 1;
  return String.fromCodePoint(...points, next);
}

/** The special characters of regular expressions, except the dot. */
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

/** A document that was changed by hand may have anything there. */
const searchText = { $cond: [{ $eq: [{ $type: '$search' }, 'string'] }, '$search', ''] };

/** `$literal`: a pattern that begins with `$` is a text too. */
const contains = ({ pattern }: TermPattern): object => ({
  $gte: [{ $indexOfBytes: [searchText, { $literal: pattern }] }, 0],
});

/** Search terms may contain characters that are special in patterns. */
const isWholeInIndex = ({ start }: TermPattern): boolean =>
  Array.from(start).length <= wordLength && !controlCharacter.test(start);

const toTermPart = (term: Term): Part => ({
  index: wordsIndex,
  rank: 2,
  byIndex: findByWords(term),
  exact: { $expr: { $or: term.map(contains) } },
  isCovered: term.every(isWholeInIndex),
});

const toPart = (index: string, filter: UserFilter, rank: number): Part => ({
  index,
  rank,
  byIndex: filter,
  exact: filter,
  isCovered: true,
});

const allOf = (filters: readonly UserFilter[]): UserFilter =>
  filters.length === 1 && filters[0] !== undefined
    ? filters[0]
    : filters.length === 0
      ? {}
      : { $and: [...filters] };

/** The first part of each alternative finds its users. */
function toAlternatives(alternatives: readonly (readonly Part[])[]): Part {
  // MongoDB refuses an empty `$or`.
  if (alternatives.length === 0) return toPart(idIndex, { _id: { $in: [] } }, 0);
  const [index, ...others] = new Set(alternatives.map(([first]) => first?.index));
  return {
    index: others.length === 0 ? index : undefined,
    rank: Math.max(...alternatives.map(([first]) => first?.rank ?? 0)),
    byIndex: { $or: alternatives.map(([first]) => first?.byIndex ?? {}) },
    exact: { $or: alternatives.map((parts) => allOf(parts.map(({ exact }) => exact))) },
    isCovered: alternatives.every((parts) => parts.length === 1 && parts[0]?.isCovered === true),
  };
}

/** @param condition with sets of members in the place of ids (memberships.ts) @returns by rank; none where all match */
export function toParts(condition: Condition): readonly Part[] {
  if ('words' in condition) return condition.words.map(toTermPart);
  if ('id' in condition) return [toPart(idIndex, { _id: condition.id }, 0)];
  if ('filter' in condition && condition.filter === 'group')
    return [toPart(groupsIndex, { groups: condition.key } as UserFilter, 3)];
  if ('filter' in condition && condition.filter === 'member')
    return [toPart(membersIndex, { 'members.set': { $in: condition.key.split(' ') } } as UserFilter, 1)];
  if ('filter' in condition) {
    const keys = joinKey([condition.filter, condition.key]);
    return [toPart(keysIndex, { keys }, sharedFilters.has(condition.filter) ? 3 : 1)];
  }
  if ('all' in condition) return condition.all.flatMap(toParts).sort((one, other) => one.rank - other.rank);
  const alternatives = condition.any.map(toParts);
  return alternatives.some((parts) => parts.length === 0) ? [] : [toAlternatives(alternatives)];
}

/** @param otherwise the index that is read where there is no part */
export const hintOf = (part: Part | undefined, otherwise: string): { readonly hint?: string } => {
  const index = part === undefined ? otherwise : part.index;
  return index === undefined ? {} : { hint: index };
};

/** All of them. @param first the one whose index is used; left out, an index that serves none of them is */
export const matchAll = (parts: readonly Part[], first?: Part): UserFilter[] =>
  parts.flatMap((part) => {
    if (part !== first) return [part.exact];
    return part.isCovered ? [part.byIndex] : [part.byIndex, part.exact];
  });
