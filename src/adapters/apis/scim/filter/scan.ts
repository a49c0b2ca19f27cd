/** Batches of users in order, processed user by user. */

import type { User } from '../../../../domain/kinds/user/user.ts';
import type { Stored } from '../../../../domain/resource/stored.ts';
import { Slices } from '../../../scheduler/event-loop.ts';

/** Batches are never empty. */
export type Batches = AsyncGenerator<readonly Stored<User>[], void, undefined>;

/** Pauses between users, since users and filters may be large. @param client on whose behalf it runs */
export async function* filterInTurns(
  client: string,
  batches: Batches | Iterable<readonly Stored<User>[]>,
  isFound: (user: Stored<User>) => boolean,
): Batches {
  const slices = new Slices(client);
  for await (const batch of batches) {
    const found: Stored<User>[] = [];
    for (const user of batch) {
      await slices.pause();
      if (isFound(user)) found.push(user);
    }
    if (found.length > 0) yield found;
    await slices.end();
  }
}

export async function* skipFirst(batches: Batches, count: number): Batches {
  let left = count;
  for await (const batch of batches) {
    const users = batch.slice(left);
    left -= batch.length - users.length;
    if (users.length > 0) yield users;
  }
}

/** Ends before the first user that isn't wanted, and reads no further. */
export async function* takeWhile(batches: Batches, isWanted: (user: Stored<User>) => boolean): Batches {
  for await (const batch of batches) {
    const end = batch.findIndex((user) => !isWanted(user));
    const users = end < 0 ? batch : batch.slice(0, end);
    if (users.length > 0) yield users;
    if (end >= 0) return;
  }
}
