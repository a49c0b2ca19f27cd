/** Users in their order, in pieces that are looked at one by one. */
import type { StoredUser } from '../../../../domain/user/stored-user.ts';
import { Slices } from '../../../scheduler/event-loop.ts';

/** None of them is empty. */
export type Batches = AsyncGenerator<StoredUser[], void, undefined>;

/** A user may be large, and a filter long. @param client whose turn it is */
export async function* filterInTurns(
  client: string,
  batches: Batches | Iterable<StoredUser[]>,
  isFound: (user: StoredUser) => boolean,
): Batches {
  const slices = new Slices(client);
  for await (const batch of batches) {
    const found: StoredUser[] = [];
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

/** Ends in front of the first user that isn't wanted, and reads no further. */
export async function* takeWhile(batches: Batches, isWanted: (user: StoredUser) => boolean): Batches {
  for await (const batch of batches) {
    const end = batch.findIndex((user) => !isWanted(user));
    const users = end < 0 ? batch : batch.slice(0, end);
    if (users.length > 0) yield users;
    if (end >= 0) return;
  }
}
