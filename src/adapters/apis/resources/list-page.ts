/**
 * The rest of a page that is too long to buffer. It is read twice: first only for its ids, since `Link`, which names the last one, is sent
 * before the users.
 */

import { positionOf } from '../../../domain/at-import.ts';
import { comparePositions, type Position, type Sort } from '../../../domain/find/sorts.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import { copyPosition, copyText } from './list-pieces.ts';

export interface Rest {
  /** The ids of the users still to be sent. */
  readonly ids: ReadonlySet<string>;
  /** The position of the page's last user. */
  readonly last: Position | undefined;
  /** Users follow the page. */
  readonly more: boolean;
}

type Batches = AsyncIterable<readonly Stored<Resource>[]>;

/** @param batches begin after `after`, and have at least one user more than `left` if that many exist */
export async function findRest(
  batches: Batches,
  after: Position | undefined,
  left: number,
  sort: Sort,
): Promise<Rest> {
  const ids = new Set<string>();
  let last = after;
  let more = false;
  for await (const batch of batches) {
    const users = batch.slice(0, left - ids.size);
    for (const { id } of users) ids.add(copyText(id));
    const end = users.at(-1);
    if (end !== undefined) last = copyPosition(end, sort);
    if (users.length < batch.length) more = true;
  }
  return { ids, last, more };
}

/** Yields the users of the rest that still exist, each once. Skips users created since, so that the page keeps its limit. */
export async function* readRest(
  batches: Batches,
  { ids, last }: Rest,
  sort: Sort,
): AsyncGenerator<Stored<Resource>[], void, undefined> {
  const left = new Set(ids);
  if (last === undefined || left.size === 0) return;
  for await (const batch of batches) {
    const users = batch.filter(({ id }) => left.delete(id));
    if (users.length > 0) yield users;
    const end = batch.at(-1);
    if (left.size === 0 || end === undefined || comparePositions(positionOf(end, sort), last, sort) >= 0)
      return;
  }
}

/** Yields the users before a position. */
export async function* readUntil(
  batches: Batches,
  end: Position,
  sort: Sort,
): AsyncGenerator<readonly Stored<Resource>[], void, undefined> {
  const isInFront = (user: Stored<Resource> | undefined): boolean =>
    user !== undefined && comparePositions(positionOf(user, sort), end, sort) < 0;
  for await (const batch of batches) {
    if (isInFront(batch.at(-1))) yield batch;
    else {
      // Searches from the end: usually only the last user is excluded, and getting a user's position parses its document.
      const users = batch.slice(0, batch.findLastIndex(isInFront) + 1);
      if (users.length > 0) yield users;
      return;
    }
  }
}
