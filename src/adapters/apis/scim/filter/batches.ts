/** Users in their order, in pieces. */
import type { StoredUser } from '../../../../domain/stored-user.ts';

/** None of them is empty. */
export type Batches = AsyncGenerator<StoredUser[], void, undefined>;

export async function* passOver(batches: Batches, count: number): Batches {
  let left = count;
  for await (const batch of batches) {
    const users = batch.slice(left);
    left -= batch.length - users.length;
    if (users.length > 0) yield users;
  }
}

/** Ends in front of the first user who isn't wanted, and reads no further. */
export async function* takeWhile(batches: Batches, isWanted: (user: StoredUser) => boolean): Batches {
  for await (const batch of batches) {
    const end = batch.findIndex((user) => !isWanted(user));
    const users = end < 0 ? batch : batch.slice(0, end);
    if (users.length > 0) yield users;
    if (end >= 0) return;
  }
}
