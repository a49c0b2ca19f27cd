/**
 * How the change log of a store moves into another store (`copy-log.ts`): entries keep their numbers and marks, and come newest first.
 *
 * A log that is being filled has a line of its own form (`fillingLine`), which names the source. Until the end its store makes no entries of its
 * own writes, and only the process that fills it can open it and write. Then it gets a line of its own, so cursors of the source don't belong to it.
 */
import type { Entry, Place } from './change.ts';

export interface MovedEntry extends Entry {
  /**
   * Ids of the users whose histories have the entry, besides its own resource. Left out when the source doesn't say: then the store derives them
   * from all entries, as it does for those of earlier releases.
   */
  readonly users?: readonly string[] | undefined;
}

export interface LogMoves {
  /** `MovedEntry.users` by number; entries without any may be left out. Waits for memberships that are still to be ended. */
  usersOf(entries: readonly Entry[]): Promise<ReadonlyMap<number, readonly string[]>>;
  /** Begins to fill the log. @returns false if it has entries: nothing was changed */
  begin(line: string): Promise<boolean>;
  /** In one step. Each entry has a lower number than those taken before. */
  take(entries: readonly MovedEntry[]): Promise<void>;
  /** @param last where the source ends; the numbers of later entries follow it @param derivesUsers whether entries came without `users` */
  end(last: Place, derivesUsers?: boolean): Promise<void>;
}

const mark = 'filling ';

/** @param source names the state of a log */
export const fillingLine = (source: string): string => mark + source;

export const isFilling = (line: string | null | undefined): boolean => line?.startsWith(mark) === true;

/** Why any other process is refused. */
export const beingFilled =
  'The store is incomplete: repeat the copy or import that fills it, or empty the store.';
