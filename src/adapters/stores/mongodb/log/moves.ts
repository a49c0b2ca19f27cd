/** The change log on its way to another store. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession } from 'mongodb';
import type { Change, Place } from '../../../../domain/changes/change.ts';
import { isMembersChange } from '../../../../domain/changes/member-changes.ts';
import type { LogMoves, MovedEntry } from '../../../../domain/changes/moves.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import { newMark } from '../../../system/clock-and-ids.ts';
import type { Database } from '../connection/database.ts';
import type { Operations } from '../connection/operations.ts';
import {
  type EntryDocument,
  lockLog,
  logOf,
  subjectOf,
  type TransactionOptions,
  toDocument,
} from './entries.ts';
import { addLeavers, leftSets } from './leavers.ts';
import { type LeaversDocument, toId, toIdKey } from './users.ts';

/** In ms: between two looks for memberships that are to be ended. */
const lookInterval = 100;

/** Users in one document. */
const leaversAtOnce = 500;

/** Whether an entry has `users`: it is about members, or their owner's deletion. */
const namesUsers = (change: Change, { relation }: Kinds): boolean =>
  isMembersChange(change) || change.type === `${relation.owners.name}.deleted`;

/** @returns undefined while an earlier release, or the sweep, has left some to be added */
async function findUsers(
  { db, kinds, limits }: Database,
  asked: readonly MovedEntry[],
): Promise<ReadonlyMap<number, readonly string[]> | undefined> {
  const numbers = asked.filter((entry) => namesUsers(entry, kinds)).map(({ number }) => number);
  if (numbers.length === 0) return new Map();
  const { entries, leavers } = logOf({ db });
  if ((await db.collection(leftSets).findOne({}, limits)) !== null) return undefined;
  const projection = { users: 1 } as const;
  const found = await entries
    .find<Pick<EntryDocument, '_id' | 'users'>>({ _id: { $in: numbers } }, { ...limits, projection })
    .toArray();
  if (found.some(({ users }) => users === undefined)) return undefined;
  const all = new Map(found.map(({ _id, users = [] }) => [_id, users.map(toId)]));
  const bound = (number: number) => ({ number }) as LeaversDocument['_id'];
  const range = { $gte: bound(Math.min(...numbers)), $lt: bound(Math.max(...numbers) + 1) };
  for await (const { _id, users } of leavers.find({ _id: range }, limits))
    all.get(_id.number)?.push(...users.map(toId));
  return all;
}

async function takeAll({ db, kinds }: Database, taken: readonly MovedEntry[], options: TransactionOptions) {
  const log = logOf({ db });
  const others: (readonly [number: number, ids: readonly string[]])[] = [];
  const documents = taken.map(({ number, mark, at, by, users, ...change }): EntryDocument => {
    const of = subjectOf(change.type.slice(0, change.type.indexOf('.')), change.id);
    const named = new Set([...(change.added ?? []), ...(change.removed ?? [])]);
    const own = namesUsers(change, kinds) ? users?.filter((id) => named.has(id)).map(toIdKey) : undefined;
    others.push([number, users?.filter((id) => !named.has(id)) ?? []]);
    return toDocument({ of, change, by, users: own }, { number, mark }, at);
  });
  await log.entries.insertMany(documents, options);
  for (const [number, ids] of others)
    for (let from = 0; from < ids.length; from += leaversAtOnce)
      await addLeavers(log, number, ids.slice(from, from + leaversAtOnce), options);
}

/** The counter gets the place of the newest entry, so that the next start finds both equal. A number that was not taken begins the migration, which derives users. */
async function endAt(
  database: Database,
  { number, mark }: Place,
  derivesUsers: boolean,
  options: TransactionOptions,
): Promise<void> {
  const { state, entries } = logOf(database);
  const counter = { number, mark, taken: derivesUsers ? number - 1 : number, line: newMark() };
  await state.updateOne({ _id: 'counter' }, { $set: counter }, options);
  // All entries have left the log.
  if ((await entries.findOne({ _id: number }, options)) === null)
    await state.updateOne({ _id: 'feed' }, { $set: { number, mark } }, { ...options, upsert: true });
}

/** @param write runs a transaction */
export function mongoMoves(
  database: Database,
  operations: Operations,
  write: <T>(run: (session: ClientSession) => Promise<T>) => Promise<T>,
): LogMoves {
  const log = logOf(database);
  const change = <T>(run: (options: TransactionOptions) => Promise<T>): Promise<T> =>
    write(async (session) => {
      const options = { session, ...database.limits };
      await lockLog(log, options);
      return await run(options);
    });
  return {
    async usersOf(entries) {
      for (;;) {
        const found = await operations.readLatest(() => findUsers(database, entries));
        if (found) return found;
        await pause(lookInterval);
      }
    },
    begin: (line) =>
      change(async (options) => {
        if ((await log.entries.findOne({}, options)) !== null) return false;
        await log.state.updateOne({ _id: 'counter' }, { $set: { line, number: 0, taken: 0 } }, options);
        await log.state.deleteMany({ _id: { $in: ['feed', 'migration'] } }, options);
        return true;
      }),
    take: (entries) => change((options) => takeAll(database, entries, options)),
    end: (last, derivesUsers = false) => change((options) => endAt(database, last, derivesUsers, options)),
  };
}
