/**
 * Copies the change log of a store into another store, whose resources are copied at the same time: newest entries first, so that a copy that was
 * interrupted goes on below the oldest entry that the other store has.
 */

import { isDeepEqual } from '../validation/plain-values.ts';
import { type ChangeLog, type Cursor, printCursor, readHistory } from './log.ts';
import { fillingLine, isFilling, type LogMoves, type MovedEntry } from './moves.ts';

export type MovableLog = ChangeLog & { readonly moves: LogMoves };

export const isMovable = (log: ChangeLog | undefined): log is MovableLog => log?.moves !== undefined;

export interface LogCopy {
  readonly from: MovableLog;
  readonly to: MovableLog;
  /** The end of the source when the copy began. */
  readonly end: Cursor;
}

const endOf = async (log: ChangeLog): Promise<Cursor> => (await log.read('now', 1)).end;

/** The lowest number that the log has: entries below it are missing while it is being filled. */
export const lowestIn = async (log: ChangeLog): Promise<number | undefined> =>
  (await log.read('start', 1)).entries[0]?.number;

/** Whether a copy into the log was begun and not finished. */
export const isBeingFilled = async (log: ChangeLog): Promise<boolean> => isFilling((await endOf(log)).line);

/**
 * Begins a copy, or continues it.
 * @returns undefined if `to` has entries of its own
 * @throws Error when `from` is no longer as it was when the copy began
 */
export async function beginCopy(from: MovableLog, to: MovableLog): Promise<LogCopy | undefined> {
  const [end, there] = [await endOf(from), await endOf(to)];
  const line = fillingLine(printCursor(end));
  if (isFilling(there.line) && there.line !== line) failChanged();
  const isBegun = isFilling(there.line) || (await to.moves.begin(line));
  return isBegun ? { from, to, end } : undefined;
}

function failChanged(): never {
  throw new Error(
    'the source has changed since the copy began: stop the service that writes to it, empty the target, and copy again',
  );
}

/** Entries with their users, newest first, in pages. @param before only entries with lower numbers */
async function* listEntries(log: MovableLog, before?: Cursor): AsyncGenerator<readonly MovedEntry[]> {
  for await (const { entries } of readHistory(log, before)) {
    const users = await log.moves.usersOf(entries);
    yield entries.map((entry) => ({ ...entry, users: users.get(entry.number) ?? [] }));
  }
}

async function* oneByOne<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page;
}

/** The cursor below which all entries up to the place are. */
const behind = (end: Cursor): Cursor => ({ ...end, number: end.number + 1 });

const sorted = ({ users = [], ...entry }: MovedEntry): MovedEntry => ({ ...entry, users: users.toSorted() });

/** @returns the number of entries @throws Error naming an entry that is not the same in both */
async function compare({ from, to, end }: LogCopy): Promise<number> {
  const others = oneByOne(listEntries(to));
  let count = 0;
  for await (const entry of oneByOne(listEntries(from, behind(end)))) {
    const { value: other } = await others.next();
    if (other === undefined || !isDeepEqual(sorted(entry), sorted(other)))
      throw new Error(
        `the entry ${entry.number} of the change logs differs: empty the target, and copy again`,
      );
    count += 1;
  }
  if (!(await others.next()).done) failChanged();
  return count;
}

/**
 * Copies the entries that are left, and ends the copy when both logs have the same: from then on the store can be served.
 * @param onProgress called with the number of entries that were copied
 * @returns the number of entries
 * @throws Error when the logs differ, for example because the source was changed meanwhile
 */
export async function finishCopy(copy: LogCopy, onProgress: (done: number) => void): Promise<number> {
  const { from, to, end } = copy;
  const lowest = await lowestIn(to);
  let done = 0;
  for await (const entries of listEntries(from, lowest ? { ...end, number: lowest } : behind(end))) {
    if (entries.length > 0) await to.moves.take(entries);
    done += entries.length;
    onProgress(done);
  }
  const count = await compare(copy);
  if (printCursor(await endOf(from)) !== printCursor(end)) failChanged();
  await to.moves.end(end);
  return count;
}
