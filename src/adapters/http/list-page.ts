/** The rest of a page too long to be held: where it ends is found out first, since `Link` stands before the users. */
import { setImmediate as turn } from 'node:timers/promises';
import type { KeptUser } from '../../domain/kept-user.ts';

/** The ids of a page's users that are still to be sent, and whether users follow them. */
export interface Rest {
  readonly ids: ReadonlySet<string>;
  /** Of its last user; of the last that was printed before where there are none. */
  readonly last: string;
  readonly more: boolean;
}

/** A copy: a part of a text keeps the whole of it in memory. */
const copied = (id: string): string => Buffer.from(id).toString('latin1');

/** @param batches begin after `after`, and hold at least one user more than `left` if there are so many */
export async function findRest(
  batches: AsyncIterable<readonly KeptUser[]>,
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
        last = copied(id);
        ids.add(last);
      }
    }
    await turn();
  }
  return { ids, last, more };
}

/** Those of the rest that are still there. Who came in between since, is left to the next traversal: a page has no more than its limit. */
export async function* ofRest(
  batches: AsyncIterable<readonly KeptUser[]>,
  { ids, last }: Rest,
): AsyncGenerator<KeptUser[], void, undefined> {
  if (ids.size === 0) return;
  for await (const batch of batches) {
    const users = batch.filter(({ id }) => ids.has(id));
    if (users.length > 0) yield users;
    if ((batch.at(-1)?.id ?? '') >= last) return;
  }
}
