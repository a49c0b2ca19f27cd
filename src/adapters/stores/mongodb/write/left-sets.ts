/**
 * Sets of members that have lost their owner, with the entries of the change log that say so. Those entries don't name who left. So the sweep puts them
 * into the histories of the leavers, in the transaction that takes the set away, and a removal of one of them does the same. Older releases sweep only
 * `dropped_sets`.
 */
import type { ClientSession, Collection, Db } from 'mongodb';
import type { Change } from '../../../../domain/changes/change.ts';
import type { Database } from '../connection/database.ts';
import { relationOf } from '../documents/document.ts';
import { type LogCollections, logOf, type TransactionOptions } from '../log/entries.ts';
import { addLeavers, leftSets } from '../log/leavers.ts';

/** A set that was dropped without an entry, or by a release that kept no places in histories. */
interface DroppedSet {
  readonly _id: string;
}
const droppedSetsOf = (db: Db): Collection<DroppedSet> => db.collection('dropped_sets');

interface LeftSet extends DroppedSet {
  /** The number of the entry for the leavers. */
  readonly first: number;
  /** The number of the last entry that names members who stay, or came. */
  readonly last: number;
}
const leftSetsOf = (db: Db): Collection<LeftSet> => db.collection(leftSets);

/** All sets without an owner. */
export const endedSetsOf = (db: Db): readonly Collection<DroppedSet | LeftSet>[] => [
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
  { db }: Database,
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
  const log = logOf({ db });
  for (const set of found) {
    const at = ended.findIndex((one) => one.set === set._id);
    const leaving = removed.filter((one) => one.sets.includes(set._id) && at < one.ended);
    const named = await findNamed(log, set, options);
    const ids = leaving.flatMap(({ id }) => (named.has(id) ? [] : [id]));
    await addLeavers(log, set.first, ids, options);
  }
}

/** Members that lose a set in one transaction. */
const sweptAtOnce = 500;

/** Takes all sets without an owner from members, in steps; also the sets of other processes, which may do so at the same time. */
export async function sweepSets(database: Database, isOver: () => Promise<boolean>): Promise<void> {
  const { db, limits, transactions } = database;
  for (const sets of endedSetsOf(db))
    for (let set = await sets.findOne({}, limits); set !== null; set = await sets.findOne({}, limits)) {
      const step = stepOf(database, sets, set);
      for (let isDone = false; !isDone; ) {
        if (await isOver()) return;
        isDone = await transactions.run(step);
      }
    }
}

/** @returns a function that removes the set from some members, and returns whether no member has it any more */
function stepOf(
  { db, kinds, limits }: Database,
  sets: Collection<DroppedSet | LeftSet>,
  set: DroppedSet | LeftSet,
): (session: ClientSession) => Promise<boolean> {
  const { members } = relationOf(db, kinds);
  const log = logOf({ db });
  let named: ReadonlySet<string> | undefined;
  return async (session) => {
    const options = { session, ...limits };
    const { _id } = set;
    const some = await members
      .find({ groups: _id }, { ...options, projection: { _id: 1 }, limit: sweptAtOnce })
      .toArray();
    const ids = some.map((member) => member._id);
    if ('first' in set) {
      // From the snapshot of the transaction: after an election, another read could miss them.
      const staying = named ?? (await findNamed(log, set, options));
      named = staying;
      const left = ids.filter((id) => !staying.has(id));
      await addLeavers(log, set.first, left, options);
    }
    await members.updateMany({ _id: { $in: ids } }, { $pull: { groups: _id } }, options);
    const isDone = some.length < sweptAtOnce;
    if (isDone) await sets.deleteOne({ _id }, options);
    return isDone;
  };
}
