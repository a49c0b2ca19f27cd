/**
 * Users in whose histories an entry of another resource stands. An entry has those that it names in `users`. The leavers of a replaced or a
 * deleted set of members follow when the sweep reaches them (`write/left-sets.ts`): any number of them belongs to one entry, so they have documents
 * of their own, which end with the entry.
 */
import { type Binary, type ClientSession, type Collection, type IndexDescription, UUID } from 'mongodb';
import type { Change } from '../../../../domain/changes/change.ts';
import { newMark } from '../../../system/clock-and-ids.ts';
import type { LogCollections, TransactionOptions } from './entries.ts';

/** The id of a user: 16 bytes for a UUID. An id of another form, from another program, stays a text. */
export type UserKey = Binary | string;

/** Some leavers of one entry. */
interface LeaversDocument {
  readonly _id: { readonly number: number; readonly part: string };
  readonly users: readonly UserKey[];
}
export type Leavers = Collection<LeaversDocument>;

/** Of the entries, and of the leavers. Most entries name no users, and are not in it. */
export const usersIndex: IndexDescription = {
  name: 'users_1__id_1',
  key: { users: 1, _id: 1 },
  partialFilterExpression: { users: { $exists: true } },
};

const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export const toUserKey = (id: string): UserKey => (isUuid.test(id) ? new UUID(id).toBinary() : id);

/** @param stayed ids in `added` that were members before: the entry is not in their histories */
export function usersOf(
  { added = [], removed = [] }: Pick<Change, 'added' | 'removed'>,
  stayed: ReadonlySet<string> = new Set(),
): readonly UserKey[] {
  return [...added.filter((id) => !stayed.has(id)), ...removed].map(toUserKey);
}

/** In bytes: what a leaver adds to the size of an entry. */
const leaverSize = 28;

/** The size of an entry, for aggregations. */
export const entrySize = { $add: [{ $bsonSize: '$$ROOT' }, { $ifNull: ['$leaving', 0] }] };

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
  await leavers.insertOne({ _id: { number, part: newMark() }, users: ids.map(toUserKey) }, options);
}

/** Selects the leavers of all entries with lower numbers. */
export const leaversBelow = (number: number) => ({ _id: { $lt: { number } as LeaversDocument['_id'] } });

/** The numbers of the last entries that the user has left by. */
export async function findLeft(
  { leavers }: LogCollections,
  id: string,
  below: number | undefined,
  options: { readonly maxTimeMS: number; readonly limit: number; readonly session?: ClientSession },
): Promise<readonly number[]> {
  const filter = { users: toUserKey(id), ...(below !== undefined && leaversBelow(below)) };
  const found = await leavers
    .find(filter, { ...options, sort: { _id: -1 }, projection: { _id: 1 } })
    .toArray();
  return found.map(({ _id: { number } }) => number);
}

/** Takes entries of other resources out of the history of an erased user. @returns whether there were any */
export async function eraseFromHistories(
  { entries, leavers }: LogCollections,
  id: string,
  options: TransactionOptions,
): Promise<boolean> {
  const users = toUserKey(id);
  const { modifiedCount } = await entries.updateMany({ users }, { $pull: { users } }, options);
  const left = await leavers.updateMany({ users }, { $pull: { users } }, options);
  return modifiedCount + left.modifiedCount > 0;
}
