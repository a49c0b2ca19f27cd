/** Moving house: every user from one store into another, ids, meta and versions as they are. */
import { DomainError } from './errors.ts';
import type { UserStore } from './ports.ts';
import type { KeptUser } from './stored-user.ts';

/** Users read at a time, and written at once: enough for a store to share one commit among them. */
const batchSize = 100;

async function* everybody(store: UserStore): AsyncGenerator<KeptUser[]> {
  let after: string | undefined;
  for (;;) {
    const batch = await store.list({ filters: {}, after, limit: batchSize });
    if (batch.length > 0) yield batch;
    if (batch.length < batchSize) return;
    after = batch.at(-1)?.id;
  }
}

const isSame = (one: KeptUser, other: KeptUser): boolean => one.text === other.text;

/** Returns when `store` holds the user exactly so, whatever it held under the id before. */
async function put(store: UserStore, kept: KeptUser): Promise<void> {
  const { user } = kept;
  try {
    await store.insert(user);
    return;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'id-taken') throw error;
  }
  const there = await store.find(user.id);
  if (there !== undefined && isSame(there, kept)) return;
  if (there === undefined || !(await store.replace(user, there.meta.version)))
    throw new Error(`user ${user.id} is being written by somebody else: stop the service while users move`);
}

/**
 * Copies all users; may be broken off and run again at any point, since a user that is there already is left. Neither
 * store may be written by others meanwhile. Users that only `to` has stay: `differences` finds them.
 * @param onProgress told how many are done, now and then
 * @throws DomainError as the stores do; `user-name-taken` when `to` has that name under another id
 */
export async function copyUsers(
  from: UserStore,
  to: UserStore,
  onProgress: (done: number) => void,
): Promise<number> {
  let done = 0;
  for await (const batch of everybody(from)) {
    await Promise.all(batch.map((user) => put(to, user)));
    done += batch.length;
    onProgress(done);
  }
  return done;
}

/** How many there are, by reading them: a bar that fills needs to know. */
export async function countUsers(store: UserStore): Promise<number> {
  let count = 0;
  for await (const batch of everybody(store)) count += batch.length;
  return count;
}

async function* oneByOne(store: UserStore): AsyncGenerator<KeptUser> {
  for await (const batch of everybody(store)) yield* batch;
}

/** The ids of users that one of two stores lacks or has otherwise, in order: compared to the byte, in constant memory. */
export async function* differences(one: UserStore, other: UserStore): AsyncGenerator<string> {
  const [left, right] = [oneByOne(one), oneByOne(other)];
  let [a, b] = [await left.next(), await right.next()];
  while (a.done !== true || b.done !== true) {
    const first = a.done === true || (b.done !== true && b.value.id < a.value.id) ? b : a;
    const id = first.done === true ? '' : first.value.id;
    const inBoth = a.done !== true && b.done !== true && a.value.id === b.value.id;
    if (!inBoth || (a.value && b.value && !isSame(a.value, b.value))) yield id;
    if (a.done !== true && a.value.id === id) a = await left.next();
    if (b.done !== true && b.value.id === id) b = await right.next();
  }
}
