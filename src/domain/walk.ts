/** Reads a list batch by batch, a question to the store for each. */

import type { Position, Sort } from './find/sorts.ts';
import type { Principal } from './ports.ts';
import type { Resource } from './resource/resource.ts';
import type { Stored } from './resource/stored.ts';
import type { PageQuery, Store } from './store.ts';
import type { KindName } from './validation/errors.ts';

/** Resources read from the store at a time. Larger batches are slower, too. */
const batchSize = 64;

/** A batch holds at most this many times 16 KiB. */
const maxBatchSize = 100;

/** What all reads for one response have in common. */
export type Conditions = Pick<PageQuery, 'where' | 'list' | 'hasLeft'>;

export interface Walk extends Conditions {
  readonly sort?: Sort | undefined;
  /** Begins behind this place. */
  readonly after?: Position | undefined;
  /** In reverse order, from the end of the list or from the resources in front of `after`. */
  readonly backward?: boolean | undefined;
  /** Skips so many behind it, counted at the time of reading. */
  readonly skip?: number | undefined;
  /** Of the whole list; none when left out. */
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

/** For use cases that have checked the caller's scope. As `Resources.list`. */
export async function* walk(
  store: Store,
  name: KindName,
  { id: client }: Principal,
  { limit = Number.POSITIVE_INFINITY, atOnce = () => batchSize, ...steps }: Walk,
): AsyncGenerator<readonly Stored<Resource>[], void, undefined> {
  const { after, skip, backward = false, list = {}, ...query } = steps;
  let from: Pick<PageQuery, 'after' | 'before' | 'skip'> = placeOf(backward, after, skip);
  for (let left = limit; left > 0; ) {
    const wanted = Math.min(left, maxBatchSize, atOnce());
    const { items, first, last, more } = await store.page(name, {
      ...{ ...query, ...from, list, limit: wanted, client },
    });
    if (items.length > 0) yield backward ? items.toReversed() : items;
    if (!more) return;
    from = placeOf(backward, backward ? first : last);
    left -= items.length;
  }
}
