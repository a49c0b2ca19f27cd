/** Many writes in one durable transaction, so that they share the fsync of its commit. */
import { type Connection, describeError, isFull, sqliteCode } from '../file/connection.ts';
import { isStale } from '../file/file-watch.ts';
import { makeRoomCheck } from '../file/space.ts';
import { makeReleaseCheck } from '../layout/layout.ts';
import type { Write, WriteResult } from './writer-messages.ts';
import { Writes } from './writes.ts';

export interface Committed {
  /** One for each write, in their order. */
  readonly results: readonly WriteResult[];
  /** Why some of them failed, other than by a conflict. */
  readonly reason?: string | undefined;
  /** None was done, for want of space. */
  readonly isFull?: boolean;
  /** The connection is not to be used any more. */
  readonly fatal: boolean;
  /** The file is no longer where it was. */
  readonly stale?: boolean;
  /** Another connection has written since the transaction before. */
  readonly othersWrote?: boolean;
}

/** Busy or full: SQLite surely keeps nothing of the transaction, and the next one may succeed. */
const isPassing = (cause: unknown): boolean => /^SQLITE_(?:BUSY|FULL)/.test(sqliteCode(cause) ?? '');

/** A write's own fault; anything else that SQLite reports concerns the whole transaction. */
function isOwnFault(cause: unknown): boolean {
  const code = sqliteCode(cause);
  return code === undefined || /^SQLITE_(?:CONSTRAINT|TOOBIG|MISMATCH)/.test(code);
}

function prepareStatements(db: Connection) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    savepoint: db.prepare('SAVEPOINT write'),
    release: db.prepare('RELEASE write'),
    dataVersion: db.prepare<[], number>('PRAGMA data_version').pluck(),
    undo: db.prepare('ROLLBACK TO write'),
  };
}

export class GroupCommit {
  readonly #db: Connection;
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #writes: Writes;
  readonly #assertCurrent: () => void;
  readonly #assertInPlace: () => void;
  readonly #assertRoom: ReturnType<typeof makeRoomCheck>;
  /** As of the last transaction: it changes when another connection commits. */
  #dataVersion: number | undefined;
  #othersWrote = false;

  /** @param assertInPlace throws when the commit went to a file that is no longer at its path @param freeSpace in bytes */
  constructor(db: Connection, assertInPlace: () => void = () => {}, freeSpace?: () => number) {
    this.#db = db;
    this.#assertInPlace = assertInPlace;
    this.#assertRoom = makeRoomCheck(db, freeSpace);
    this.#sql = prepareStatements(db);
    this.#writes = new Writes(db);
    this.#assertCurrent = makeReleaseCheck(db);
  }

  /** Whether a `sweep` may have work to do. */
  get hasDropped(): boolean {
    return this.#writes.hasDropped;
  }

  /** Runs all of them in order, each as if alone. Writes whose result is `done` are on disk. Never throws. */
  run(writes: readonly Write[]): Committed {
    const faults: string[] = [];
    let committing = false;
    try {
      this.#begin();
      const results = this.#applyAll(writes) ?? writes.map((write) => this.#applyInSavepoint(write, faults));
      this.#assertRoom(writes.every(({ kind }) => kind === 'remove' || kind === 'sweep'));
      committing = true;
      this.#sql.commit.run();
      this.#assertInPlace();
      return { results, reason: faults[0], fatal: false, othersWrote: this.#othersWrote };
    } catch (cause) {
      const undone = this.#rollBack() && (!committing || isPassing(cause));
      const result = undone || !committing ? 'unavailable' : 'outcome-unknown';
      const fatal = !undone || !isPassing(cause);
      const reason = fatal ? this.#explain(cause) : cause;
      return {
        results: writes.map(() => result),
        reason: describeError(reason),
        fatal,
        stale: isStale(reason),
        isFull: isFull(cause),
      };
    }
  }

  /** Takes the write lock at once: a lock taken later could fail after others have written in between. */
  #begin(): void {
    this.#sql.begin.run();
    this.#writes.forget();
    this.#assertCurrent();
    const dataVersion = this.#sql.dataVersion.get();
    this.#othersWrote = this.#dataVersion !== undefined && this.#dataVersion !== dataVersion;
    this.#dataVersion = dataVersion;
  }

  /**
   * Undefined, with all of them undone, when one has failed by a fault of its own. That is rare, and a savepoint for each write would
   * be a third of the cost of an insert.
   */
  #applyAll(writes: readonly Write[]): WriteResult[] | undefined {
    try {
      const results = writes.map((write) => this.#writes.apply(write));
      this.#writes.finish();
      return results;
    } catch (cause) {
      if (!isOwnFault(cause)) throw cause;
    }
    this.#db.exec('ROLLBACK');
    this.#begin();
    return undefined;
  }

  #applyInSavepoint(write: Write, faults: string[]): WriteResult {
    this.#sql.savepoint.run();
    let result: WriteResult;
    try {
      result = this.#writes.apply(write);
      this.#writes.finish();
    } catch (cause) {
      if (!isOwnFault(cause)) throw cause;
      this.#writes.forget();
      this.#sql.undo.run();
      faults.push(describeError(cause));
      result = 'fault';
    }
    this.#sql.release.run();
    return result;
  }

  /** A file that has gone is the real reason of any other error. */
  #explain(cause: unknown): unknown {
    try {
      this.#assertInPlace();
      return cause;
    } catch (reason) {
      return reason;
    }
  }

  /** Some errors have rolled the transaction back already. */
  #rollBack(): boolean {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      return true;
    } catch {
      return false;
    }
  }
}
