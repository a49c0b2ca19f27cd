/** Switches the change log on or off, as this process wants it, when the store is opened, and writes the number of the layout. */

import type { ClientSession } from 'mongodb';
import type { Place } from '../../../../domain/changes/change.ts';
import { isFilling } from '../../../../domain/changes/moves.ts';
import { newMark } from '../../../system/clock-and-ids.ts';
import { type Database, fromPrimary } from '../connection/database.ts';
import { assertKnownLayout, layoutNumber } from '../layout/layout-number.ts';
import {
  type Counter,
  historyIndex,
  type LogCollections,
  logOf,
  readState,
  requestIndex,
  toPlace,
} from './entries.ts';
import { leaversBelow } from './leavers.ts';
import { usersIndex } from './users.ts';

/** The end of the log by the counter and by the entries, from one snapshot. They differ when the database was restored from parts of different times. */
interface Ends {
  readonly counter: Counter | undefined;
  readonly last: Place;
}

async function findEnds(log: LogCollections, session: ClientSession): Promise<Ends> {
  const { counter, begin } = await readState(log, { session });
  const newest = await log.entries.findOne({}, { session, sort: { _id: -1 } });
  return { counter, last: newest !== null && newest._id > begin.number ? toPlace(newest) : begin };
}

/** Deletes the entries of a log that was switched off, since the process that did so may have died. Later lines have higher numbers. */
async function deleteEarlier(log: LogCollections): Promise<void> {
  const { counter } = await readState(log, fromPrimary);
  if (counter?.line !== null) return;
  await log.entries.deleteMany({ _id: { $lte: counter.number } });
  await log.leavers.deleteMany(leaversBelow(counter.number + 1));
}

/** Idempotent. Other processes may write meanwhile. @param isLogged if false, the log ends, and all its entries are deleted */
export async function prepareChangeLog(database: Database, isLogged: boolean): Promise<void> {
  const log = logOf(database);
  await log.entries.createIndexes([historyIndex, requestIndex, usersIndex]);
  await log.leavers.createIndexes([usersIndex]);
  if (isFilling((await readState(log, fromPrimary)).counter?.line)) return;
  if (isLogged) await deleteEarlier(log);
  await database.transactions.run(async (session) => {
    const { counter, last } = await findEnds(log, session);
    assertKnownLayout(counter?.layout);
    const isWhole = counter?.number === last.number && counter.mark === last.mark;
    if (isLogged ? counter?.line && isWhole : counter?.line === null) return;
    // Numbers continue: entries that are kept for histories have lower ones.
    const end = { number: Math.max(counter?.number ?? 0, last.number), mark: newMark() };
    const options = { session, upsert: true };
    await log.state.updateOne(
      { _id: 'counter' },
      {
        $set: { ...end, line: isLogged ? newMark() : null },
        $setOnInsert: { layout: layoutNumber },
        // An older release may have written any of the entries.
        $unset: { taken: 1 },
      },
      options,
    );
    await log.state.updateOne({ _id: 'feed' }, { $set: end }, options);
    await log.state.deleteOne({ _id: 'migration' }, { session });
  });
  if (!isLogged) await deleteEarlier(log);
}
