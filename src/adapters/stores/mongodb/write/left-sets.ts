/**
 * Sets of members that have lost their owner, with the entries of the change log that say so. Those entries don't name who left. So the sweep puts them
 * into the histories of the leavers, in the transaction that takes the set away, and a removal of one of them does the same. Sets that were dropped without an entry,
 * or by a release that kept none, are in `dropped_sets` (`members.ts`). Older releases sweep only those.
 */
import type { ClientSession, Collection, Db } from 'mongodb';
import type { Change } from '../../../../domain/changes/change.ts';
import type { Transactions } from '../connection/transactions.ts';
import type { Relation } from '../documents/document.ts';
import { type LogCollections, logCollectionsOf, type TransactionOptions } from '../log/entries.ts';
import { addLeavers, leftSets } from '../log/leavers.ts';
import { droppedSetsOf, sweptAtOnce } from './members.ts';

interface LeftSet {
  readonly _id: string;
  /** The number of the entry for the leavers. */
  readonly first: number;
  /** The number of the last entry that names members who stay, or came. */
  readonly last: number;
}
const leftSetsOf = (db: Db): Collection<LeftSet> => db.collection(leftSets);

/** All sets without an owner. */
export const endedSetsOf = (db: Db): readonly Collection<{ readonly _id: string }>[] => [
  droppedSetsOf(db),
  db.collection(leftSets),
];

/** A set that a transaction drops. */
export interface EndedSet {
  readonly set: string;
  /** As in `LeftSet`, by their places among the new entries. */
  readonly first: number;
  readonly last: number;
}

/** A resource that a transaction removes, and that belongs to sets. */
export interface RemovedMember {
  readonly id: string;
  readonly sets: readonly string[];
  /** The number of sets that the transaction has dropped before. */
  readonly ended: number;
}

/** The members that the entries of a new whole list name; none for a deletion. */
async function findNamed(
  { entries }: LogCollections,
  { first, last }: LeftSet,
  options: TransactionOptions,
): Promise<ReadonlySet<string>> {
  const projection = { entry: 1 } as const;
  const found = await entries
    .find({ _id: { $gte: first, $lte: last } }, { ...options, projection })
    .toArray();
  return new Set(found.flatMap(({ entry }) => (JSON.parse(entry) as Change).added ?? []));
}

/** @param begin the number of the transaction's first entry; undefined without a log */
export async function endSets(
  db: Db,
  ended: readonly EndedSet[],
  removed: readonly RemovedMember[],
  begin: number | undefined,
  options: TransactionOptions,
): Promise<void> {
  if (begin === undefined) {
    const dropped = ended.map(({ set }) => ({ _id: set }));
    if (dropped.length > 0) await droppedSetsOf(db).insertMany(dropped, options);
    return;
  }
  const left = ended.map(({ set, first, last }) => ({ _id: set, first: begin + first, last: begin + last }));
  const sets = leftSetsOf(db);
  if (left.length > 0) await sets.insertMany(left, options);
  const $in = removed.flatMap((one) => one.sets);
  const found = $in.length > 0 ? await sets.find({ _id: { $in } }, options).toArray() : [];
  const log = logCollectionsOf(db);
  for (const set of found) {
    const at = ended.findIndex((one) => one.set === set._id);
    const leaving = removed.filter((one) => one.sets.includes(set._id) && at < one.ended);
    const named = await findNamed(log, set, options);
    const ids = leaving.flatMap(({ id }) => (named.has(id) ? [] : [id]));
    await addLeavers(log, set.first, ids, options);
  }
}

/** Takes the sets from members, some at a time, until none is left; also the sets of other processes, which may do so at the same time. */
export async function sweepLeftSets(
  db: Db,
  { members }: Relation,
  transactions: Transactions,
  maxTimeMS: number,
  isOver: () => Promise<boolean>,
): Promise<void> {
  const sets = leftSetsOf(db);
  const log = logCollectionsOf(db);
  const known = new Map<string, ReadonlySet<string>>();
  const sweep = async (set: LeftSet, session: ClientSession) => {
    const options = { session, maxTimeMS };
    const { _id, first } = set;
    // From the snapshot of the transaction: after an election, another read could miss them.
    const named = known.get(_id) ?? (await findNamed(log, set, options));
    known.set(_id, named);
    const some = await members
      .find({ groups: _id }, { ...options, projection: { _id: 1 }, limit: sweptAtOnce })
      .toArray();
    const ids = some.map(({ _id }) => _id);
    const left = ids.filter((id) => !named.has(id));
    await addLeavers(log, first, left, options);
    await members.updateMany({ _id: { $in: ids } }, { $pull: { groups: _id } }, options);
    const isDone = some.length < sweptAtOnce;
    if (isDone) await sets.deleteOne({ _id }, options);
    return isDone;
  };
  for (;;) {
    const set = await sets.findOne({}, { maxTimeMS });
    if (set === null) return;
    known.clear();
    for (let isDone = false; !isDone; ) {
      if (await isOver()) return;
      isDone = await transactions.run((session) => sweep(set, session));
    }
  }
}
