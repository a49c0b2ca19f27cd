/**
 * The port of the change log. The contract suite test/contract/change-log.ts runs over every adapter.
 *
 * `stores/pruning.ts` decides when old entries go. What pruning and erasure remove is each store's: `sqlite/changes/log-writer.ts`,
 * `mongodb/log/pruning.ts` and `erasing.ts`.
 */
import { DomainError, type KindName } from '../validation/errors.ts';
import type { Entry, Place } from './change.ts';
import type { LogMoves } from './moves.ts';

/** A place in the log of one store. */
export interface Cursor extends Place {
  /** Random; it changes when the log is switched off and on again. */
  readonly line: string;
}

/** For a follower that has no cursor yet: before the first entry that is kept, or behind the last one. */
export type Start = Cursor | 'start' | 'now';

/** Selects the entries of one resource. */
export interface Subject {
  readonly kind: KindName;
  readonly id: string;
}

/** Selects the entries of some requests. */
export interface OfRequests {
  /** `Actor.request` */
  readonly requests: ReadonlySet<string>;
}

export interface LogPage {
  readonly entries: readonly Entry[];
  /** The place of the last entry on the page; the beginning of the page if it is empty. */
  readonly end: Cursor;
  /** True if more entries follow. */
  readonly more: boolean;
}

export interface LogSize {
  /** The number of the last entry, 0 in a new log. */
  readonly last: number;
  /** `Entry.at` of the oldest entry that is kept; undefined when there is none. */
  readonly oldest: number | undefined;
  /** The size of all entries, as `Retention.maxBytes` counts it; undefined until `prune` has summed a large log, which it does in steps. */
  readonly bytes: number | undefined;
}

/** How much of the log is kept. Histories have at least the entries of the feed. */
export interface Retention {
  /** The current time, in ms since 1970. An entry with a later date, from a clock that was ahead, counts as being as old as the next entry. */
  readonly now: number;
  /** Milliseconds since 1970: older entries leave the feed. */
  readonly feedFrom: number;
  /** Like `feedFrom`, but for histories; not later than `feedFrom`. */
  readonly historyFrom: number;
  /** The maximum size of all entries; beyond it the oldest ones are removed. */
  readonly maxBytes: number;
}

/**
 * The writes of `commit`, through any process on the same store, in the order of the commits: an entry is visible to every read that begins after its
 * write was answered, and no entry ever appears before a visible one. Any method may throw DomainError `unavailable`, also while the log is switched
 * off.
 */
export interface ChangeLog {
  /**
   * Entries after the place, without values.
   * @param limit 1 or more; meant for some thousand. If the entries are large, fewer are returned, with `more`
   * @throws DomainError `cursor-expired` if an entry after the cursor was removed; `cursor-foreign` if the cursor belongs to another log, or to a
   * state that a restore has replaced
   */
  read(after: Start, limit: number): Promise<LogPage>;
  /**
   * Entries of histories with values, newest first. An empty page ends where it began: at `before`, or at the end of the log.
   *
   * The history of a member, such as a user, also has the entries of groups that made the user a member or no longer one, narrowed to this
   * user (`narrowTo`), and the deletions of groups with this member. A change of members shows to those in `added`, unless they had been
   * members before a `whole` list, and in `removed` at once. Deletions, and the first entry of a `whole` list for members that it leaves out,
   * may show some seconds later, even if the user is deleted meanwhile. They end with the entry, and with an erasure of the user.
   * @param before only entries with lower numbers; there need be no entry with this number
   * @param of only the history of one resource, or only the entries of requests
   * @throws DomainError `cursor-foreign` if the log was switched off and on again
   */
  history(limit: number, before?: Cursor, of?: Subject | OfRequests): Promise<LogPage>;
  /** The number of the last entry, 0 in a new log. Asked often: it costs next to nothing. */
  latest(): Promise<number>;
  /** Costs no more than reading a page. */
  measure(): Promise<LogSize>;
  /** Removes some of the expired entries. @returns whether expired entries are left */
  prune(retention: Retention): Promise<boolean>;
  /**
   * Removes all values of a deleted resource, names in its maps, and the entries of groups in its history, from every file of the store.
   * @returns whether there were any
   * @throws DomainError `outcome-unknown`
   */
  erase(of: Subject): Promise<boolean>;
  /** Left out if the store doesn't persist. */
  readonly moves?: LogMoves;
}

/** @throws DomainError `not-logged` */
export function changeLogOf({ changes }: { readonly changes?: ChangeLog | undefined }): ChangeLog {
  if (changes !== undefined) return changes;
  throw new DomainError('not-logged', 'This installation keeps no change log: changes.retention is 0.');
}

/** The number of entries that are read at a time; small, since those of histories have values. */
const historyBatch = 500;

/** All entries of histories, newest first. @param before only entries with lower numbers @throws DomainError as `history` does */
export async function* readHistory(log: ChangeLog, before?: Cursor): AsyncGenerator<LogPage> {
  for (let next = before; ; ) {
    const page = await log.history(historyBatch, next);
    yield page;
    if (!page.more) return;
    next = page.end;
  }
}

/** Entries of a history that are read at a time: the newest of a deleted member is its own, unless the log is damaged. */
const newestAtOnce = 10;

/** The newest entry of the resource itself: the history of a member also has entries of its owners. */
export async function findNewest(log: ChangeLog, of: Subject): Promise<Entry | undefined> {
  for (let before: Cursor | undefined; ; ) {
    const { entries, end, more } = await log.history(newestAtOnce, before, of);
    const own = entries.find(({ id, type }) => id === of.id && type.startsWith(`${of.kind}.`));
    if (own !== undefined || !more) return own;
    before = end;
  }
}

/** @param start the beginning of the page */
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
 * Checks that a feed can continue after the cursor.
 * @param line of the log
 * @param begin the last entry that left the feed
 * @param markOf returns the mark of the entry with the number
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

export const printCursor = ({ line, number, mark, access }: Cursor): string =>
  `${line}.${number}.${mark}${access === undefined ? '' : `.${access}`}`;

/** @returns undefined for a text that isn't a printed cursor */
export function parseCursor(text: string): Cursor | undefined {
  const [, line, number, mark, access] =
    /^([\w-]{1,32})[.](\d{1,15})[.]([\w-]{0,32})(?:[.]([\w-]{1,32}(?:[.]start)?))?$/.exec(text) ?? [];
  if (line === undefined || number === undefined || mark === undefined) return undefined;
  return { line, number: Number(number), mark, ...(access !== undefined && { access }) };
}

export const foreignCursor = (): DomainError =>
  new DomainError('cursor-foreign', 'The cursor does not belong to this change log.');

/**
 * The number of the oldest entries that are too old. Entries are removed in the order of the log, but clocks may have been wrong: an entry may have a
 * later date than all entries after it, or an earlier date than all before it. So the cut is made where it contradicts the fewest entries: young ones
 * before it and old ones after it.
 * @param entries in order, without entries with a date later than now
 * @param from older entries are too old
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

/** Numbers that one step of pruning looks at. */
const lookedAtOnce = 100_000;

interface NumberRange {
  /** Excluded from the range. */
  readonly above: number;
  readonly to: number;
}

/**
 * The range of numbers in which pruning looks for entries with a date up to now. A clock that was ahead may have given a whole import later dates:
 * pruning passes these entries in steps, once.
 */
export class PruningRange {
  /** All entries that were looked at up to this number have a later date. */
  #passed = 0;

  /** @param behind the number before the first entry */
  from(behind: number): NumberRange {
    const above = Math.max(behind, this.#passed);
    return { above, to: above + lookedAtOnce };
  }

  /**
   * @param past the oldest entries in the range with a date up to now
   * @param from older entries are too old
   * @param last number of the log
   * @returns the entries that are too old, and whether the next step has to look further
   */
  read<E extends { readonly at: number }>(
    { to }: NumberRange,
    past: readonly E[],
    from: number,
    last: number,
  ) {
    const expired = past.slice(0, countExpired(past, from));
    const isLeft = expired.length === past.length && to < last;
    if (isLeft && past.length === 0) this.#passed = to;
    return { expired, isLeft };
  }
}
