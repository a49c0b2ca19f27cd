/**
 * The rest of a page that is too long to be collected. It is read twice: first its ids alone, since `Link`, which names the last one,
 * is sent before the users.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { StoredUser } from '../../../domain/stored-user.ts';

export interface Rest {
  /** Of the page's users that are still to be sent. */
  readonly ids: ReadonlySet<string>;
  /** The id of the page's last user. */
  readonly last: string;
  /** Users follow the page. */
  readonly more: boolean;
}

/** In V8 a part of a string keeps the whole of it in memory; a copy doesn't. */
const copyId = (id: string): string => Buffer.from(id).toString('latin1');

/** @param batches begin after `after`, and hold at least one user more than `left` if there are so many */
export async function findRest(
  batches: AsyncIterable<readonly StoredUser[]>,
  after: string,
  left: number,
): Promise<Rest> {
  const ids = new Set<string>();
  let last = after;
  let more = false;
  for await (const batch of batches) {
    for (const { id } of batch) {
      if (ids.size === left) more = true;
      else {
        last = copyId(id);
        ids.add(last);
      }
    }
    await turn();
  }
  return { ids, last, more };
}

/** Yields the users of the rest that are still there; those created since are left out, so that the page keeps to its limit. */
export async function* readRest(
  batches: AsyncIterable<readonly StoredUser[]>,
  { ids, last }: Rest,
): AsyncGenerator<StoredUser[], void, undefined> {
  if (ids.size === 0) return;
  for await (const batch of batches) {
    const users = batch.filter(({ id }) => ids.has(id));
    if (users.length > 0) yield users;
    if ((batch.at(-1)?.id ?? '') >= last) return;
  }
}
