/** How a page is found: which index is walked, from where, and what is checked of each document. Every find names its index. */
import type { CountDocumentsOptions, Document, Filter, FindOptions } from 'mongodb';
import { sortNames } from '../../../domain/sorts.ts';
import { type Condition, matchAll } from './conditions.ts';
import { keysIndex } from './indexes.ts';
import { matchSegment, orderOf, rangeOf, type Segment } from './segments.ts';
import { sortField, type UserDocument, withoutDerived } from './stored-document.ts';

export interface Plan {
  readonly filter: Filter<UserDocument>;
  readonly options: FindOptions;
}

/** Of the users that are found, which are read. */
export interface Slice {
  readonly skip: number;
  readonly limit: number;
}

const toFilter = (parts: readonly Filter<UserDocument>[]): Filter<UserDocument> =>
  parts.length === 0 ? {} : { $and: [...parts] };

/** Of what is derived, the key that put the user into its place is shown, to be compared with the user. */
function projectionOf(field: string | undefined): Document {
  if (field === undefined) return withoutDerived;
  const { sorts: _, ...others } = withoutDerived;
  const otherFields = sortNames.map(sortField).filter((name) => name !== field);
  return { ...others, ...Object.fromEntries(otherFields.map((name) => [name, 0])) };
}

const optionsOf = (segment: Segment, { skip, limit }: Slice): FindOptions => ({
  sort: orderOf(segment),
  ...(skip === 0 ? {} : { skip }),
  limit,
  batchSize: limit,
  projection: projectionOf(segment.field),
});

/**
 * Walks along an index in the list's order and leaves out who doesn't match: quick where many do.
 * By id, that is the index of the filters, where there is one: it has the ids in order behind each key. Which of several filters is
 * looked up is the server's choice, by trial.
 */
export function planWalk(segment: Segment, conditions: readonly Condition[], slice: Slice): Plan {
  const options = optionsOf(segment, slice);
  const matching = matchAll(conditions);
  if (segment.field !== undefined)
    return {
      filter: toFilter(matching),
      options: { ...options, ...rangeOf(segment), hint: segment.index },
    };
  const hasFilter = conditions.some(({ index }) => index === keysIndex);
  return {
    filter: toFilter([...matching, ...matchSegment(segment)]),
    options: { ...options, hint: hasFilter ? keysIndex : segment.index },
  };
}

/**
 * Looks at all who match one condition, and sorts them; of these only a page's number is held in memory, and those that are passed over:
 * beyond a server's limit, on its disk.
 */
export function planSorting(
  segment: Segment,
  conditions: readonly Condition[],
  rarest: Condition,
  slice: Slice,
): Plan {
  const options = { ...optionsOf(segment, slice), hint: rarest.index };
  return {
    filter: toFilter([...matchAll(conditions, rarest), ...matchSegment(segment)]),
    options: slice.skip === 0 ? options : { ...options, allowDiskUse: true },
  };
}

export interface CountPlan {
  readonly filter: Filter<UserDocument>;
  readonly options: CountDocumentsOptions;
}

/** How many of a segment match. @param rarest of the conditions, where there are any */
export const planCount = (
  segment: Segment,
  conditions: readonly Condition[],
  rarest: Condition | undefined,
): CountPlan => ({
  filter: toFilter([...matchAll(conditions, rarest), ...matchSegment(segment)]),
  options: { hint: rarest?.index ?? segment.index },
});
