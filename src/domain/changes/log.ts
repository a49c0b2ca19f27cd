/** The port of the change log. The contract suite test/contract/change-log.ts runs over every adapter. */
import { DomainError, type KindName } from '../validation/errors.ts';
import type { Entry, Place } from './change.ts';

/** A place in the log of one store. */
export interface Cursor extends Place {
  /** Random; another one once the log was switched off and on again. */
  readonly line: string;
}

/** For a follower that has no cursor yet: before the first entry that is kept, or behind the last one. */
export type Start = Cursor | 'start' | 'now';

/** The resource that entries are of. */
export interface Subject {
  readonly kind: KindName;
  readonly id: string;
}

export interface LogPage {
  readonly entries: readonly Entry[];
  /** The place of the last entry, or where the page began when there are none. */
  readonly end: Cursor;
  /** Other entries follow. */
  readonly more: boolean;
}

export interface LogSize {
  /** The number of the last entry, 0 in a new log. */
  readonly last: number;
  /** `Entry.at` of the oldest entry that is kept; undefined when there is none. */
  readonly oldest: number | undefined;
  /** Of all entries together, as `Retention.maxBytes` counts them; undefined until a large log is summed, which `prune` does in steps. */
  readonly bytes: number | undefined;
}

/** How much of the log is kept. Histories have all entries that the feed has. */
export interface Retention {
  /** Milliseconds since 1970. Entries of a later time are as old as the one behind them: the clock was ahead. */
  readonly now: number;
  /** Milliseconds since 1970: older entries leave the feed. */
  readonly feedFrom: number;
  /** As `feedFrom`, or earlier: until then histories have them. */
  readonly historyFrom: number;
  /** All entries together; the oldest ones are removed. */
  readonly maxBytes: number;
}

/**
 * What was written by `commit`, through any process on the same store, in the order of the commits: an entry is visible to every read that begins
 * after its write was answered, and once an entry is visible, no entry appears in front of it.
 *
 * Any method may throw DomainError `unavailable`, also while the log is switched off.
 */
export interface ChangeLog {
  /**
   * Entries behind the place, without values. @param limit 1 or more; meant for some thousand. Fewer are returned, with `more`, when they are large
   * @throws DomainError `cursor-expired` when an entry behind the cursor was removed; `cursor-foreign` when the cursor isn't one of this log,
   *   or is one of a state that an older one has replaced
   */
  read(after: Start, limit: number): Promise<LogPage>;
  /**
   * With values, the newest first, for as long as histories have them. A page that is empty ends where it began: at `before`, or the end of the log.
   * @param before only entries of lower numbers; no entry needs to have its own @param of only those of one resource
   * @throws DomainError `cursor-foreign` when the log was switched off and on again
   */
  history(limit: number, before?: Cursor, of?: Subject): Promise<LogPage>;
  /** The number of the last entry, 0 in a new log. Asked often: it costs next to nothing. */
  latest(): Promise<number>;
  /** Costs no more than a page. */
  measure(): Promise<LogSize>;
  /** Removes some of the expired entries. @returns whether others are left */
  prune(retention: Retention): Promise<boolean>;
  /**
   * Ends all values of a resource that is gone, and names in its maps, and leaves none in any file of the store. @returns whether there were any
   * @throws DomainError `outcome-unknown`
   */
  erase(of: Subject): Promise<boolean>;
}

/** @throws DomainError `not-logged` */
export function changeLogOf({ changes }: { readonly changes?: ChangeLog | undefined }): ChangeLog {
  if (changes !== undefined) return changes;
  throw new DomainError('not-logged', 'This installation keeps no change log: changes.retention is 0.');
}

/** Entries that are read at a time: those of histories have values. */
const historyBatch = 500;

/** All entries that histories have, the newest first. @throws DomainError as `history` does */
export async function* readHistory(log: ChangeLog): AsyncGenerator<LogPage> {
  for (let before: Cursor | undefined; ; ) {
    const page = await log.history(historyBatch, before);
    yield page;
    if (!page.more) return;
    before = page.end;
  }
}

/** @param start of the page */
export function pageOf(entries: readonly Entry[], { line, ...start }: Cursor, more: boolean): LogPage {
  const { number, mark } = entries.at(-1) ?? start;
  return { entries, end: { line, number, mark }, more };
}

/** Where a history begins. @param now the end of the log @throws DomainError `cursor-foreign` */
export function historyStart(now: Cursor, before: Cursor = now): Cursor {
  if (before.line !== now.line) throw foreignCursor();
  return before;
}

/**
 * Whether a feed can go on behind the cursor.
 * @param line of the log @param begin the last entry that left the feed @param markOf the mark of the entry in the log that has the number
 * @throws DomainError `cursor-expired`, `cursor-foreign`
 */
export function assertReadable(
  cursor: Cursor,
  line: string,
  begin: Place,
  markOf: (number: number) => string | undefined,
): void {
  const { number } = cursor;
  if (cursor.line !== line) throw foreignCursor();
  if (number < begin.number)
    throw new DomainError('cursor-expired', 'Entries behind this cursor are no longer kept.');
  if (cursor.mark !== (number === begin.number ? begin.mark : markOf(number))) throw foreignCursor();
}

export const printCursor = ({ line, number, mark }: Cursor): string => `${line}.${number}.${mark}`;

/** @returns undefined for a text that no log has printed */
export function parseCursor(text: string): Cursor | undefined {
  const [, line, number, mark] = /^([\w-]{1,32})[.](\d{1,15})[.]([\w-]{0,32})$/.exec(text) ?? [];
  if (line === undefined || number === undefined || mark === undefined) return undefined;
  return { line, number: Number(number), mark };
}

export const foreignCursor = (): DomainError =>
  new DomainError('cursor-foreign', 'The cursor does not belong to this change log.');

/**
 * How many of the oldest entries are too old. Entries are removed in the order of the log, but clocks can have been wrong for a while: an entry
 * may be dated later than all that follow, or earlier than all before it. So the cut is made where it contradicts the fewest entries, young
 * ones before it and old ones after it.
 * @param entries in order, without those dated later than now @param from older entries are too old
 */
export function countExpired(entries: readonly { readonly at: number }[], from: number): number {
  let [count, balance, best] = [0, 0, 0];
  for (const [before, { at }] of entries.entries()) {
    const isOld = at < from;
    balance += isOld ? 1 : -1;
    if (!isOld || balance < best) continue;
    best = balance;
    count = before + 1;
  }
  return count;
}

/** Numbers in which entries are sought that aren't dated later than now. */
export const mostAhead = 100_000;
