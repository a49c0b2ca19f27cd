/** The port of the change log. The contract suite test/contract/change-log.ts runs over every adapter. */
import { DomainError, type KindName } from '../base/errors.ts';
import type { Entry, Place } from './change.ts';

/** A place in the log of one store. */
export interface Cursor extends Place {
  /** Random; another one once the log was switched off and on again. */
  readonly line: string;
}

/** For a follower that has no cursor yet: before the first entry that is kept, or behind the last one. */
export type Start = Cursor | 'start' | 'now';

export interface LogPage {
  readonly entries: readonly Entry[];
  /** Behind the last entry, or where the page began when there are none. */
  readonly end: Cursor;
  /** Other entries follow. */
  readonly more: boolean;
}

/** What is kept. Entries of the feed are also those of histories. */
export interface Retention {
  /** Milliseconds since 1970: older entries leave the feed. */
  readonly feedFrom: number;
  /** As `feedFrom`, or earlier: until then histories have them. */
  readonly historyFrom: number;
  /** All entries together, by estimate; the oldest ones are removed. */
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
   * Entries behind the place. @param limit 1 or more; meant for some thousand
   * @throws DomainError `cursor-expired` when an entry behind the cursor was removed; `cursor-foreign` when the cursor isn't one of this log,
   *   or of a state of it that was replaced by an older one
   */
  read(after: Start, limit: number): Promise<LogPage>;
  /** Those of one resource, the newest first, also when it was deleted. @param before only older ones than the entry with this number */
  history(
    kind: KindName,
    id: string,
    limit: number,
    before?: number,
  ): Promise<{ readonly entries: readonly Entry[]; readonly line: string; readonly more: boolean }>;
  /** The number of the last entry, 0 in a new log. Asked often: it costs next to nothing. */
  latest(): Promise<number>;
  /** Removes some of what is no longer kept. @returns whether there is more to remove */
  prune(retention: Retention): Promise<boolean>;
}

export const printCursor = ({ line, number, mark }: Cursor): string => `${line}.${number}.${mark}`;

/** @throws DomainError `cursor-foreign` */
export function parseCursor(text: string): Cursor {
  const [, line, number, mark] = /^([\w-]{1,32})[.](\d{1,15})[.]([\w-]{0,32})$/.exec(text) ?? [];
  if (line === undefined || number === undefined || mark === undefined) throw foreignCursor();
  return { line, number: Number(number), mark };
}

export const foreignCursor = (): DomainError =>
  new DomainError('cursor-foreign', 'The cursor is none of this change log as it is now.');

export const expiredCursor = (): DomainError =>
  new DomainError('cursor-expired', 'Entries behind this cursor are no longer kept.');
