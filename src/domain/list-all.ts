/** Lists of any length, a batch at a time. */

import type { Position } from './find/sorts.ts';
import type { PageQuery, Store, StoredResource } from './store.ts';
import type { KindName } from './validation/errors.ts';

/** Resources read from the store at a time. Larger batches are slower, too. */
const batchSize = 64;

/** The maximum size of a batch is this number times 16 KiB. */
const maxBatchSize = 100;

/** The common part of all reads for one response. */
export type Conditions = Pick<PageQuery, 'where' | 'list' | 'hasLeft'>;

/** Begins after the place `after`. */
export interface Walk extends Conditions, Pick<PageQuery, 'sort' | 'after' | 'skip' | 'client'> {
  /** In reverse order, from the end of the list or from the resources before `after`. */
  readonly backward?: boolean | undefined;
  /** The total of the whole list; none if left out. */
  readonly limit?: number | undefined;
  /** Called before each batch, for its size: for callers that know how large the documents are; 64 by default, 100 at most. */
  readonly atOnce?: () => number;
}

const placeOf = (
  backward: boolean,
  place: Position | undefined,
  skip?: number,
): Pick<PageQuery, 'after' | 'before' | 'skip'> =>
  backward ? { before: place ?? 'end', skip } : { after: place, skip };

/** All that match, in their order. The next batch is read only when it is asked for. @throws DomainError as `Store.page` */
export async function* listAll(
  store: Pick<Store, 'page'>,
  kind: KindName,
  { limit = Number.POSITIVE_INFINITY, atOnce = () => batchSize, ...steps }: Walk,
): AsyncGenerator<readonly StoredResource[], void, undefined> {
  const { after, skip, backward = false, list = {}, ...query } = steps;
  let from = placeOf(backward, after, skip);
  for (let left = limit; left > 0; ) {
    const wanted = Math.min(left, maxBatchSize, atOnce());
    const { items, first, last, more } = await store.page(kind, { ...query, ...from, list, limit: wanted });
    if (items.length > 0) yield backward ? items.toReversed() : items;
    if (!more) return;
    from = placeOf(backward, backward ? first : last);
    left -= items.length;
  }
}
