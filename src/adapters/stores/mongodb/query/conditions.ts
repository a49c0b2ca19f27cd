/** Conditions as MongoDB filters: one form for the index, one for checking documents. */
import { BSONRegExp, type Filter } from 'mongodb';
import type { Condition, KeyRange } from '../../../../domain/find/conditions.ts';
import { joinKey } from '../../../../domain/find/keys.ts';
import { byMember, byOwner, isByMembership } from '../../../../domain/find/owners.ts';
import type { Term, TermPattern } from '../../../../domain/find/search.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { type ResourceDocument, sortField, withKey, withoutKey, wordLength } from '../documents/document.ts';
import {
  groupsIndex,
  idIndex,
  keysIndex,
  membersIndex,
  sortIndex,
  wordsIndex,
} from '../documents/indexes.ts';

import type { Snapshot } from './memberships.ts';

export type DocumentFilter = Filter<ResourceDocument>;

/** One of the conditions that all must match. */
export interface Part {
  /** The index that finds it; undefined if it takes several indexes: MongoDB then chooses one for each alternative. */
  readonly index: string | undefined;
  /** A condition with a lower rank probably matches fewer resources; 0 is the rank of ids. */
  readonly rank: number;
  readonly size?: number | undefined;
  /** Finds the resources that may match by the index; exactly the matches if `isCovered`. */
  readonly byIndex: DocumentFilter;
  /** Matches exactly; doesn't use the index if another condition's index is used. */
  readonly exact: DocumentFilter;
  /** True when the index alone decides. */
  readonly isCovered: boolean;
}

/** Follows the beginning of a word: no word with this beginning sorts after it. */
const lastCharacters = '\u{10ffff}'.repeat(wordLength);

/** The special characters of regular expressions, except the dot. */
const special = /[\\^$|?*+()[\]{}]/;
const controlCharacter = /\p{Cc}/u;

/**
 * For most texts a regular expression of `^` and the text, which MongoDB answers from the index alone. The dot, frequent in addresses,
 * is the only character that is escaped: texts with other special characters get a range, and each document is compared.
 */
function startsWith(start: string): { readonly value?: BSONRegExp | string; readonly range?: object } {
  const characters = Array.from(start);
  if (characters.length >= wordLength) return { value: characters.slice(0, wordLength).join('') };
  if (!special.test(start) && !start.includes('\0'))
    return { value: new BSONRegExp(`^${start.replaceAll('.', '\\.')}`) };
  return { range: { $gte: start, $lte: start + lastCharacters } };
}

function findByWords(term: Term): DocumentFilter {
  const starts = term.map(({ start }) => startsWith(start));
  const values = starts.flatMap(({ value }) => value ?? []);
  const ranges = starts.flatMap(({ range }) => range ?? []);
  const filters: object[] = ranges.map((range) => ({ words: { $elemMatch: range } }));
  if (values.length > 0) filters.push({ words: { $in: values } });
  return filters.length === 1 ? (filters[0] as DocumentFilter) : { $or: filters as DocumentFilter[] };
}

/** `$literal`: a pattern that begins with `$` is also a text. */
const contains = ({ pattern }: TermPattern): object => ({
  $gte: [{ $indexOfBytes: ['$search', { $literal: pattern }] }, 0],
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

const toPart = (index: string | undefined, filter: DocumentFilter, rank: number): Part => ({
  index,
  rank,
  byIndex: filter,
  exact: filter,
  isCovered: true,
});

export const allOf = (filters: readonly DocumentFilter[]): DocumentFilter =>
  filters.length < 2 ? (filters[0] ?? {}) : { $and: [...filters] };

/** The first part of each alternative finds its resources. */
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

/**
 * @param condition with sets of members in place of ids (memberships.ts)
 * @param snapshot that has these sets
 * @returns the parts by rank; none if all resources match
 */
export function toParts(condition: Condition, kind: Kind, snapshot: Snapshot): readonly Part[] {
  const partsOf = (one: Condition): readonly Part[] => toParts(one, kind, snapshot);
  if ('words' in condition) return condition.words.map(toTermPart);
  if ('id' in condition) return [toPart(idIndex, { _id: condition.id }, 0)];
  if ('sort' in condition) return [toRangePart(condition)];
  if ('not' in condition) return [toNegatedPart(condition.not, kind, snapshot)];
  if ('exists' in condition) return [toExistencePart(condition.exists, snapshot)];
  if ('filter' in condition) return [toFilterPart(condition.filter, condition.key, kind, snapshot)];
  if ('all' in condition) return condition.all.flatMap(partsOf).sort((one, other) => one.rank - other.rank);
  const alternatives = condition.any.map(partsOf);
  return alternatives.some((parts) => parts.length === 0) ? [] : [toAlternatives(alternatives)];
}

function toRangePart({ sort, from = '', to }: KeyRange): Part {
  const end = to === undefined ? withoutKey : withKey + to;
  return toPart(sortIndex(sort), { [sortField(sort)]: { $gte: withKey + from, $lt: end } }, 2);
}

/** No index finds it, unless documents have a key for the absence. It never finds the page, since most resources match. */
function toNegatedPart(condition: Condition, kind: Kind, snapshot: Snapshot): Part {
  if ('exists' in condition && kind.absenceFilters.includes(condition.exists))
    return toPart(keysIndex, { keys: joinKey([condition.exists, '']) }, 3);
  const exact = allOf(toParts(condition, kind, snapshot).map((part) => part.exact));
  return { ...toPart(undefined, { $nor: [exact] }, 4), size: Number.POSITIVE_INFINITY };
}

/** An index has several entries for a resource, so its entries are not in the order of a list. */
function toExistencePart(filter: string, { ended }: Snapshot): Part {
  if (filter === byMember) return toPart(undefined, { 'members.count': { $gt: 0 } }, 3);
  if (filter === byOwner)
    return toPart(undefined, { groups: { $elemMatch: { $gt: '', $nin: [...ended] } } }, 4);
  // The end of the range is the character after the one that joins.
  return toPart(undefined, { keys: { $elemMatch: { $gt: joinKey([filter, '']), $lt: `${filter};` } } }, 3);
}

function toFilterPart(filter: string, key: string, { sharedFilters }: Kind, snapshot: Snapshot): Part {
  if (filter === byOwner)
    return { ...toPart(groupsIndex, { groups: key }, 3), size: snapshot.sizes.get(key) };
  if (filter === byMember) return toPart(membersIndex, { 'members.set': { $in: key.split(' ') } }, 1);
  return toPart(keysIndex, { keys: joinKey([filter, key]) }, sharedFilters.has(filter) ? 3 : 1);
}

/** Whether a condition is by keys, which releases may make differently. Ids and memberships are no keys. */
export function usesKeys(condition: Condition): boolean {
  if ('all' in condition) return condition.all.some(usesKeys);
  if ('any' in condition) return condition.any.some(usesKeys);
  if ('not' in condition) return usesKeys(condition.not);
  if ('exists' in condition) return condition.exists !== byOwner && condition.exists !== byMember;
  return !('id' in condition || isByMembership(condition));
}

/** @param otherwise the index for a query without parts */
export const hintOf = (part: Part | undefined, otherwise: string): { readonly hint?: string } => {
  const index = part === undefined ? otherwise : part.index;
  return index === undefined ? {} : { hint: index };
};

/** The filters of all parts. @param first the part whose index is used; left out if another index is used */
export const filtersOf = (parts: readonly Part[], first?: Part): DocumentFilter[] =>
  parts.flatMap((part) => {
    if (part !== first) return [part.exact];
    return part.isCovered ? [part.byIndex] : [part.byIndex, part.exact];
  });
