/** Users that an entry concerns without naming them: how they are added, read and removed. */
import { newMark } from '../../../system/clock-and-ids.ts';
import type { LogCollections, TransactionOptions } from './entries.ts';
import { type LeaversDocument, toIdKey, usersIndex } from './users.ts';

/** The collection of sets whose members are still to become leavers: see `write/left-sets.ts`. */
export const leftSets = 'left_sets';

/** In bytes: what a leaver adds to the size of an entry. */
export const leaverSize = 28;

/** Adds the entry to the histories of these users, unless it is no longer in the log. */
export async function addLeavers(
  { entries, leavers }: LogCollections,
  number: number,
  ids: readonly string[],
  options: TransactionOptions,
): Promise<void> {
  if (ids.length === 0) return;
  // The first write of a sweep: pruning, and other sweeps, conflict with it.
  const update = { $inc: { leaving: ids.length * leaverSize } };
  const { matchedCount } = await entries.updateOne({ _id: number }, update, options);
  if (matchedCount === 0) return;
  await leavers.insertOne({ _id: { number, part: newMark() }, users: ids.map(toIdKey) }, options);
}

/** Selects the leavers of all entries with lower numbers. */
export const leaversBelow = (number: number) => ({ _id: { $lt: { number } as LeaversDocument['_id'] } });

/** The numbers of the last entries that the user has left by. */
export async function findLeft(
  { leavers }: LogCollections,
  id: string,
  below: number | undefined,
  options: { readonly maxTimeMS: number; readonly limit: number },
): Promise<readonly number[]> {
  const filter = { users: toIdKey(id), ...(below !== undefined && leaversBelow(below)) };
  const found = await leavers
    .find(filter, { ...options, hint: usersIndex.key, sort: { _id: -1 }, projection: { _id: 1 } })
    .toArray();
  return found.map(({ _id: { number } }) => number);
}

/** Takes entries of other resources out of the history of an erased user. @returns whether there were any */
export async function eraseFromHistories(
  { entries, leavers }: LogCollections,
  id: string,
  options: TransactionOptions,
): Promise<boolean> {
  const users = toIdKey(id);
  const { modifiedCount } = await entries.updateMany({ users }, { $pull: { users } }, options);
  const left = await leavers.updateMany({ users }, { $pull: { users } }, options);
  return modifiedCount + left.modifiedCount > 0;
}
