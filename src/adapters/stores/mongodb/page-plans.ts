/** How a page is found: which index is walked, from where, and what is checked of each document. Every find names its index. */
import { type Document, type Filter, type FindOptions, MaxKey, MinKey } from 'mongodb';
import type { UserQuery } from '../../../domain/ports.ts';
import { type Position, sortNames } from '../../../domain/sorts.ts';
import { type Condition, matchAll } from './conditions.ts';
import { idIndex, keysIndex, sortIndex } from './indexes.ts';
import { sortField, type UserDocument, withoutDerived } from './stored-document.ts';

export interface Plan {
  readonly filter: Filter<UserDocument>;
  readonly options: FindOptions;
}

/**
 * A part of a list that lies in one piece in an index: users who have the sort's key, or users who lack it. In an index these come
 * first, in a list last.
 */
export interface Segment {
  /** The order of a list by id is one segment, without a field. */
  readonly field?: string;
  readonly hasKey: boolean;
  /** Behind this place; its key counts where `hasKey`. */
  readonly after: Position | undefined;
  readonly direction: 1 | -1;
}

/** In the order in which a page takes from them. */
export function segmentsOf({
  sort = {},
  after,
  backward = false,
}: Pick<UserQuery, 'sort' | 'after' | 'backward'>): Segment[] {
  const direction = (sort.descending ?? false) === backward ? 1 : -1;
  if (sort.by === undefined) return [{ hasKey: false, after, direction }];
  const field = sortField(sort.by);
  const withKey: Segment = { field, hasKey: true, after, direction };
  const withoutKey: Segment = { field, hasKey: false, after, direction };
  if (after === undefined) return backward ? [withoutKey, withKey] : [withKey, withoutKey];
  const [here, other] = after.key === undefined ? [withoutKey, withKey] : [withKey, withoutKey];
  const isOtherBehind = other.hasKey === backward;
  return isOtherBehind ? [here, { ...other, after: undefined }] : [here];
}

const behind = ({ direction }: Segment, value: string) => (direction > 0 ? { $gt: value } : { $lt: value });

/** The segment as a filter, for who comes by another index. */
function matchSegment(segment: Segment): Filter<UserDocument>[] {
  const { field, hasKey, after } = segment;
  const behindId = after ? [{ _id: behind(segment, after.id) }] : [];
  if (field === undefined) return behindId;
  if (!hasKey) return [{ [field]: null }, ...behindId];
  if (after?.key === undefined) return [{ [field]: { $gte: '' } }];
  return [
    { $or: [{ [field]: behind(segment, after.key) }, { $and: [{ [field]: after.key }, ...behindId] }] },
  ];
}

/** The segment as a range of its own index. No id lies between one and the same with a NUL behind it. */
function rangeOf({ field = '', hasKey, after, direction }: Segment): Pick<FindOptions, 'min' | 'max'> {
  const [least, most] = [new MinKey(), new MaxKey()];
  const ends = hasKey ? ['', most] : [null, null];
  const key = hasKey ? after?.key : null;
  const [min, max] = [
    { [field]: ends[0], _id: least },
    { [field]: ends[1], _id: most },
  ];
  if (after === undefined) return { min, max };
  return direction > 0
    ? { min: { [field]: key, _id: `${after.id}\0` }, max }
    : { min, max: { [field]: key, _id: after.id } };
}

const orderOf = ({ field, direction }: Segment): Record<string, 1 | -1> =>
  field === undefined ? { _id: direction } : { [field]: direction, _id: direction };

const toFilter = (parts: readonly Filter<UserDocument>[]): Filter<UserDocument> =>
  parts.length === 0 ? {} : { $and: [...parts] };

/** Of what is derived, the key that put the user into its place is shown, to be compared with the user. */
function projectionOf(field: string | undefined): Document {
  if (field === undefined) return withoutDerived;
  const { sorts: _, ...others } = withoutDerived;
  const otherFields = sortNames.map(sortField).filter((name) => name !== field);
  return { ...others, ...Object.fromEntries(otherFields.map((name) => [name, 0])) };
}

const optionsOf = (segment: Segment, limit: number): FindOptions => ({
  sort: orderOf(segment),
  limit,
  batchSize: limit,
  projection: projectionOf(segment.field),
});

/**
 * Walks along an index in the list's order and leaves out who doesn't match: quick where many do.
 * By id, that is the index of the filters, where there is one: it has the ids in order behind each key. Which of several filters is
 * looked up is the server's choice, by trial.
 */
export function planWalk(
  segment: Segment,
  conditions: readonly Condition[],
  sort: string | undefined,
  limit: number,
): Plan {
  const options = optionsOf(segment, limit);
  const matching = matchAll(conditions);
  if (sort !== undefined)
    return {
      filter: toFilter(matching),
      options: { ...options, ...rangeOf(segment), hint: sortIndex(sort) },
    };
  const hasFilter = conditions.some(({ index }) => index === keysIndex);
  return {
    filter: toFilter([...matching, ...matchSegment(segment)]),
    options: { ...options, hint: hasFilter ? keysIndex : idIndex },
  };
}

/** Looks at all who match one condition, and sorts them; of these only a page's number is held in memory. */
export function planSorting(
  segment: Segment,
  conditions: readonly Condition[],
  rarest: Condition,
  limit: number,
): Plan {
  return {
    filter: toFilter([...matchAll(conditions, rarest), ...matchSegment(segment)]),
    options: { ...optionsOf(segment, limit), hint: rarest.index },
  };
}
