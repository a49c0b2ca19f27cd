import type { Connection } from '../file/connection.ts';
import type { AllTables } from '../layout/tables.ts';

/** A change of the layout. All methods are called within transactions that hold the write lock. */
export interface Migration {
  /** The number of the layout that it makes from the previous one. */
  readonly layout: number;
  /** In bytes: an estimate of what the file grows by. */
  bytesNeeded(db: Connection): number;
  /** Changes the tables. */
  begin(db: Connection, all: AllTables): void;
  /** Fills them, in steps. @param progress of the step before; 0 at first @returns the progress; undefined when all is done */
  step(db: Connection, all: AllTables, progress: number): number | undefined;
  /** A line for the log. */
  describeProgress(db: Connection, progress: number): string;
}
