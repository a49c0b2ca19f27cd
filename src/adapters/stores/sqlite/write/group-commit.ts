/**
 * Commits many writes in one durable transaction, so that they share its fsync. After a temporary error, such as SQLITE_BUSY, they are refused and
 * the writer goes on.
 */

import type { Connection } from '../file/connection.ts';
import { isStale } from '../file/database-files.ts';
import { makeRoomCheck } from '../file/space.ts';
import { describeError, isFull, isOwnFault, isPassing } from '../file/sqlite-errors.ts';
import { isDeclaredOtherwise } from '../layout/declared-attributes.ts';
import { makeReleaseCheck } from '../layout/layout.ts';
import type { AllTables } from '../layout/tables.ts';
import type { WriteResult, WriterWrite } from './writer-messages.ts';
import { Writes } from './writes.ts';

export interface Committed {
  /** One for each write, in their order. */
  readonly results: readonly WriteResult[];
  /** Why some of them failed, except for conflicts. */
  readonly reason?: string | undefined;
  /** None was done, because the disk is full. */
  readonly isFull?: boolean;
  /** The connection must not be used any more. */
  readonly fatal: boolean;
  /** The file is no longer at its path. */
  readonly stale?: boolean;
  /** Another connection has written since the previous transaction. */
  readonly othersWrote?: boolean;
}

function mostOf(writes: readonly WriterWrite[]): 'create' | 'change' | 'remove' {
  if (writes.some(({ op }) => op === 'create' || op === 'take')) return 'create';
  return writes.every(({ op }) => !['replace', 'members', 'merge', 'build'].includes(op))
    ? 'remove'
    : 'change';
}

function prepareStatements(db: Connection) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    dataVersion: db.prepare<[], number>('PRAGMA data_version').pluck(),
  };
}

export class GroupCommit {
  readonly #db: Connection;
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly writes: Writes;
  readonly #assertCurrent: () => void;
  readonly #assertInPlace: () => void;
  readonly #room: ReturnType<typeof makeRoomCheck>;
  /** At the last transaction. It changes when another connection commits. */
  #dataVersion: number | undefined;
  #othersWrote = false;

  /** @param assertInPlace throws if the commit went to a file that is no longer at its path @param freeSpace in bytes @param mayFill see `StoreHooks` @param declared the declarations of this process */
  constructor(
    db: Connection,
    all: AllTables,
    assertInPlace: () => void = () => {},
    {
      freeSpace,
      mayFill = false,
      declared = '',
    }: { freeSpace?: () => number; mayFill?: boolean | undefined; declared?: string } = {},
  ) {
    this.#db = db;
    this.#assertInPlace = assertInPlace;
    this.#room = makeRoomCheck(db, freeSpace);
    this.#sql = prepareStatements(db);
    this.writes = new Writes(db, all);
    this.#assertCurrent = makeReleaseCheck(db, all, mayFill, declared);
  }

  /**
   * As `run`. Without space for all of them, tries again after `makeRoom` has freed some, and finally each write by itself, freeing more as long as
   * that helps.
   */
  runInSpace(writes: readonly WriterWrite[], makeRoom: () => boolean): Committed {
    let committed = this.run(writes);
    if (committed.isFull && makeRoom()) committed = this.run(writes);
    return committed.isFull && writes.length > 1 ? this.#runEach(writes, makeRoom) : committed;
  }

  /** Runs all of them in order, each as if alone. Writes whose result is `done` are on disk. Never throws. */
  run(writes: readonly WriterWrite[]): Committed {
    let stage: 'beginning' | 'applying' | 'committing' = 'beginning';
    try {
      this.#begin();
      stage = 'applying';
      const results = writes.map((write) => this.writes.apply(write));
      this.writes.finish();
      this.#room.assertRoom(mostOf(writes));
      stage = 'committing';
      this.#sql.commit.run();
      this.#assertInPlace();
      return { results, fatal: false, othersWrote: this.#othersWrote };
    } catch (cause) {
      const isBegun = stage === 'committing';
      const undone = this.#rollBack() && (!isBegun || isPassing(cause));
      if (undone && stage === 'applying' && isOwnFault(cause))
        return writes.length > 1
          ? this.#runEach(writes)
          : { results: ['fault'], reason: describeError(cause), fatal: false };
      const result = undone || !isBegun ? 'unavailable' : 'outcome-unknown';
      const fatal = !undone || !(isPassing(cause) || isDeclaredOtherwise(cause));
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

  /**
   * As `run`, with a transaction for each write: one of them has failed by its own fault, or needs more space than the others. This is rare, and a
   * savepoint for each write would be a third of the cost of an insert.
   */
  #runEach(writes: readonly WriterWrite[], makeRoom: () => boolean = () => false): Committed {
    const results: WriteResult[] = [];
    let all: Committed = { results, fatal: false, othersWrote: this.#othersWrote };
    let canHelp = true;
    for (const write of writes) {
      const one: Committed = all.fatal
        ? { ...all, results: ['unavailable'] }
        : this.runInSpace([write], () => canHelp && makeRoom());
      canHelp &&= !one.isFull;
      results.push(...one.results);
      all = { ...one, reason: one.reason ?? all.reason, isFull: false, results };
    }
    return all;
  }

  /** Takes the write lock at once: a lock taken later could fail after others have written in between. */
  #begin(): void {
    this.#sql.begin.run();
    this.#room.begin();
    this.writes.forget();
    const dataVersion = this.#sql.dataVersion.get();
    // Another release would write by another connection.
    if (this.#dataVersion !== dataVersion) {
      this.#assertCurrent();
      this.writes.builder.look();
    }
    this.#othersWrote = this.#dataVersion !== undefined && this.#dataVersion !== dataVersion;
    this.#dataVersion = dataVersion;
  }

  /** A missing file is the real reason of any other error. */
  #explain(cause: unknown): unknown {
    try {
      this.#assertInPlace();
      return cause;
    } catch (reason) {
      return reason;
    }
  }

  /** Some errors roll the transaction back by themselves. */
  #rollBack(): boolean {
    try {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      return true;
    } catch {
      return false;
    }
  }
}
