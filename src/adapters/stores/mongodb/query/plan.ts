/** The two ways to a page, of which pages.ts chooses one: the ranges of its order, and the condition that the fewest resources match. */
import type { Filter } from 'mongodb';
import type { PageQuery } from '../../../../domain/store.ts';
import {
  type Documents,
  type ResourceDocument,
  sortField,
  toPlace,
  withKey,
  withoutKey,
} from '../documents/document.ts';
import { idIndex, sortIndex } from '../documents/indexes.ts';
import { hintOf, type Part } from './conditions.ts';
import type { Snapshot } from './memberships.ts';

/**
 * A list as ranges of its order's field, in which all places are texts in order (`toPlace`). A list by id is one range of the ids. A sorted list
 * is two: resources that have the key, then those that lack it, in either direction. A page is read from the first range, and from the
 * second when the first ends.
 */
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

/** A server sorts 100 MB without its disk: this many documents of five times the usual size. */
const mostSorted = 20_000;

export interface Fewest {
  /** The position of the part. */
  readonly at: number;
  /** Sorting them takes no longer than scanning the order for a page. */
  readonly isFew: boolean;
}

export interface FewestOptions {
  /** The largest number that counts as few. */
  readonly most?: number | undefined;
  readonly maxTimeMS: number;
}

/** Finds the condition that the fewest resources match, by bounded counts in the index of each. */
export class FewestFinder {
  readonly #documents: Documents;
  readonly #limits: { readonly maxTimeMS: number };
  readonly #most: number;
  /** The number of resources at the last look. */
  #all: number | undefined;
  /** All pages of a list use the counts of its first page. */
  readonly #ofLists = new WeakMap<object, Promise<Fewest>>();

  constructor(documents: Documents, { most = mostSorted, maxTimeMS }: FewestOptions) {
    this.#documents = documents;
    this.#limits = { maxTimeMS };
    this.#most = most;
  }

  /** @param wanted the number of resources that are read or skipped @param list its handle */
  find(parts: readonly Part[], wanted: number, { options }: Snapshot, list: object = {}): Promise<Fewest> {
    const found = this.#ofLists.get(list) ?? this.#find(parts, wanted, options);
    this.#ofLists.set(list, found);
    return found;
  }

  /**
   * For each resource that it finds, a scan of the order passes as many as `all / matches`. So scanning for `wanted` takes as long as
   * sorting all matches when their number is the square root of `wanted * all`.
   */
  async #find(parts: readonly Part[], wanted: number, snapshot: Snapshot['options']): Promise<Fewest> {
    if (parts[0]?.rank === 0) return { at: 0, isFew: true };
    const all = await this.#estimateAll();
    const few = Math.min(this.#most, Math.ceil(Math.sqrt(wanted * all)));
    const options = { limit: few + 1, ...snapshot, ...this.#limits };
    const count = (part: Part) =>
      part.size ?? this.#documents.countDocuments(part.byIndex, { ...hintOf(part, idIndex), ...options });
    const counts = await Promise.all(parts.map(count));
    const least = Math.min(...counts);
    return { at: counts.indexOf(least), isFew: least <= few };
  }

  /** An estimate. The first query waits for the server; later ones take the previous number and refresh it. */
  async #estimateAll(): Promise<number> {
    const known = this.#all;
    const looking = this.#documents.estimatedDocumentCount(this.#limits).then((all) => (this.#all = all));
    if (known === undefined) return await looking;
    looking.catch(() => {});
    return known;
  }
}
