/**
 * A list as ranges of its order's field, in which all places are texts in order (`toPlace`). A list by id is one range of the ids. A sorted list
 * is two: resources that have the key, then those that lack it, in either direction. A page is read from the first range, and from the
 * second when the first ends.
 */
import type { Filter } from 'mongodb';
import type { PageQuery } from '../../../../domain/store.ts';
import { type ResourceDocument, sortField, toPlace, withKey, withoutKey } from '../documents/document.ts';
import { idIndex, sortIndex } from '../documents/indexes.ts';

export interface Range {
  readonly index: string;
  readonly filter: Filter<ResourceDocument>;
  readonly order: Readonly<Record<string, 1 | -1>>;
}

/** The end of the places with each beginning. */
const endOf = new Map([
  [withKey, withoutKey],
  [withoutKey, '2'],
]);

/** In the order in which a page takes from them: reversed if the page ends at `before`. */
export function rangesOf({
  sort: { by, descending = false } = {},
  after,
  before,
}: Pick<PageQuery, 'sort' | 'after' | 'before'>): Range[] {
  const isBackward = before !== undefined;
  const isUp = descending === isBackward;
  const from = before === 'end' ? undefined : (before ?? after);
  if (by === undefined) {
    const filter = from === undefined ? {} : { _id: isUp ? { $gt: from.id } : { $lt: from.id } };
    return [{ index: idIndex, filter, order: { _id: isUp ? 1 : -1 } }];
  }
  const field = sortField(by);
  const beginnings = isBackward ? [withoutKey, withKey] : [withKey, withoutKey];
  const place = from === undefined ? undefined : toPlace(from);
  const first = place === undefined ? 0 : beginnings.findIndex((beginning) => place.startsWith(beginning));
  return beginnings.slice(first).map((beginning, at) => {
    const cut = at === 0 ? place : undefined;
    const least = isUp && cut !== undefined ? { $gt: cut } : { $gte: beginning };
    const bounds = { ...least, $lt: isUp || cut === undefined ? endOf.get(beginning) : cut };
    return { index: sortIndex(by), filter: { [field]: bounds }, order: { [field]: isUp ? 1 : -1 } };
  });
}
