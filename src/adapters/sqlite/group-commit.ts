/** Many writes in one durable transaction: what makes a write cheap is sharing the commit's fsync. */
import { type Connection, described, sqliteCode } from './connection.ts';
import { isStale } from './file-watch.ts';
import type { Write, WriteResult } from './protocol.ts';
import { currencyCheck } from './schema.ts';
import { Writes } from './writes.ts';

export interface Committed {
  /** One for each write, in their order. */
  readonly results: readonly WriteResult[];
  /** Why some of them failed, other than by a conflict. */
  readonly reason?: string | undefined;
  /** The connection is not to be used any more. */
  readonly fatal: boolean;
  /** The file is no longer where it was. */
  readonly stale?: boolean;
}

/** Passing troubles, after which SQLite surely keeps nothing of the transaction. */
const isPassing = (cause: unknown): boolean => /^SQLITE_(?:BUSY|FULL)/.test(sqliteCode(cause) ?? '');

/** A write's own fault; anything else that SQLite reports concerns the whole transaction. */
function isIsolated(cause: unknown): boolean {
  const code = sqliteCode(cause);
  return code === undefined || /^SQLITE_(?:CONSTRAINT|TOOBIG|MISMATCH)/.test(code);
}

function prepared(db: Connection) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    savepoint: db.prepare('SAVEPOINT write'),
    release: db.prepare('RELEASE write'),
    undo: db.prepare('ROLLBACK TO write'),
  };
}

export class GroupCommit {
  readonly #db: Connection;
  readonly #sql: ReturnType<typeof prepared>;
  readonly #writes: Writes;
  readonly #assertCurrent: () => void;
  readonly #assertKept: () => void;

  /** @param assertKept throws when what was committed has gone where nobody will find it */
  constructor(db: Connection, assertKept: () => void = () => {}) {
    this.#db = db;
    this.#assertKept = assertKept;
    this.#sql = prepared(db);
    this.#writes = new Writes(db);
    this.#assertCurrent = currencyCheck(db);
  }

  /** Does all of them, in order, each as if alone; when it returns, what is `done` is on disk. Never throws. */
  run(writes: readonly Write[]): Committed {
    const faults: string[] = [];
    let committing = false;
    try {
      this.#begin();
      const results = this.#together(writes) ?? writes.map((write) => this.#isolated(write, faults));
      committing = true;
      this.#sql.commit.run();
      this.#assertKept();
      return { results, reason: faults[0], fatal: false };
    } catch (cause) {
      const undone = this.#rolledBack() && (!committing || isPassing(cause));
      const result = undone || !committing ? 'unavailable' : 'outcome-unknown';
      const fatal = !undone || !isPassing(cause);
      const reason = fatal ? this.#explained(cause) : cause;
      return {
        results: writes.map(() => result),
        reason: described(reason),
        fatal,
        stale: isStale(reason),
      };
    }
  }

  /** Takes the write lock at once: a lock taken later could fail after others have written in between. */
  #begin(): void {
    this.#sql.begin.run();
    this.#assertCurrent();
  }

  /**
   * Undefined, with all of them undone, when one has failed by a fault of its own. That is rare, and a savepoint for each, just in
   * case, would be a third of what an insert costs.
   */
  #together(writes: readonly Write[]): WriteResult[] | undefined {
    try {
      return writes.map((write) => this.#writes.apply(write));
    } catch (cause) {
      if (!isIsolated(cause)) throw cause;
    }
    this.#db.exec('ROLLBACK');
    this.#begin();
    return undefined;
  }

  #isolated(write: Write, faults: string[]): WriteResult {
    this.#sql.savepoint.run();
    let result: WriteResult;
    try {
      result = this.#writes.apply(write);
    } catch (cause) {
      if (!isIsolated(cause)) throw cause;
      this.#sql.undo.run();
      faults.push(described(cause));
      result = 'fault';
    }
    this.#sql.release.run();
    return result;
  }

  /** That the file has gone explains whatever SQLite made of it. */
  #explained(cause: unknown): unknown {
    try {
      this.#assertKept();
      return cause;
    } catch (reason) {
      return reason;
    }
  }

  /** Some errors have rolled the transaction back already. */
  #rolledBack(): boolean {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      return true;
    } catch {
      return false;
    }
  }
}
