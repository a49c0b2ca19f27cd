/** The parts of a list, each of which lies in one piece in an index, and how one is asked for. */
import { type Filter, type FindOptions, MaxKey, MinKey } from 'mongodb';
import type { Position } from '../../../../domain/find/sorts.ts';
import type { Query } from '../../../../domain/ports.ts';
import { idIndex, sortIndex } from '../documents/indexes.ts';
import { sortField, type UserDocument } from '../documents/stored-document.ts';

/**
 * A part of a list that lies in one piece in an index: users who have the sort's key, or users who lack it. In an index these come
 * first, in a list last.
 */
export interface Segment {
  /** That of the list's order, in which it lies. */
  readonly index: string;
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
}: Pick<Query, 'sort' | 'after' | 'backward'>): Segment[] {
  const direction = (sort.descending ?? false) === backward ? 1 : -1;
  if (sort.by === undefined) return [{ index: idIndex, hasKey: false, after, direction }];
  const order = { index: sortIndex(sort.by), field: sortField(sort.by), after, direction } as const;
  const withKey: Segment = { ...order, hasKey: true };
  const withoutKey: Segment = { ...order, hasKey: false };
  if (after === undefined) return backward ? [withoutKey, withKey] : [withKey, withoutKey];
  const [here, other] = after.key === undefined ? [withoutKey, withKey] : [withKey, withoutKey];
  const isOtherBehind = other.hasKey === backward;
  return isOtherBehind ? [here, { ...other, after: undefined }] : [here];
}

const behind = ({ direction }: Segment, value: string) => (direction > 0 ? { $gt: value } : { $lt: value });

/** The segment as a filter, for who comes by another index. */
export function matchSegment(segment: Segment): Filter<UserDocument>[] {
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
export function rangeOf({ field = '', hasKey, after, direction }: Segment): Pick<FindOptions, 'min' | 'max'> {
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

export const orderOf = ({ field, direction }: Segment): Record<string, 1 | -1> =>
  field === undefined ? { _id: direction } : { [field]: direction, _id: direction };
