/** The change log on its way to another store: the main thread reads the users of entries, and asks the writer to fill the log (`LogFilling`). */
import { setTimeout as pause } from 'node:timers/promises';
import type { Entry, Place } from '../../../../domain/changes/change.ts';
import { idsOf } from '../../../../domain/changes/member-changes.ts';
import type { LogMoves, MovedEntry } from '../../../../domain/changes/moves.ts';
import { newMark } from '../../../system/clock-and-ids.ts';
import type { Connection } from '../file/connection.ts';
import { addSql, columnsOf } from './tables.ts';
import { bytesOfRow, bytesOfSweptRow, type IdKey, toId, toIdKey, UserRows } from './user-rows.ts';

/** Writes to the log alone, for the writer's thread. */
export type MoveWrite =
  | { readonly op: 'begin-filling'; readonly line: string }
  | { readonly op: 'take'; readonly entries: readonly MovedEntry[] }
  /** A step. It is `stale` when all are done. */
  | { readonly op: 'derive-users' }
  | { readonly op: 'end-filling'; readonly last: Place };

/** In ms: between two looks for memberships that are to be ended. */
const lookInterval = 50;

function prepareStatements(db: Connection) {
  return {
    dropped: db.prepare<[], number>('SELECT 1 FROM member_sets WHERE is_dropped LIMIT 1').pluck(),
    has: db
      .prepare<[IdKey, number], number>('SELECT 1 FROM change_log_members WHERE user = ? AND number = ?')
      .pluck(),
    swept: db.prepare<[number], IdKey>('SELECT user FROM swept_members WHERE number = ?').pluck(),
  };
}

/** @param read runs queries in one transaction @param write sends a write to the writer */
export function sqliteMoves(
  db: Connection,
  read: <R>(query: () => R) => R,
  write: (write: MoveWrite) => Promise<boolean>,
): LogMoves {
  const sql = prepareStatements(db);
  const usersOf = ({ number, added = [], removed = [] }: Entry): readonly string[] => {
    const named = [...added, ...removed].filter((id) => sql.has.get(toIdKey(id), number) !== undefined);
    return [...named, ...sql.swept.all(number).map(toId)];
  };
  return {
    async usersOf(entries) {
      while (read(() => sql.dropped.get()) !== undefined) await pause(lookInterval);
      return read(() => new Map(entries.map((entry) => [entry.number, usersOf(entry)])));
    },
    begin: (line) => write({ op: 'begin-filling', line }),
    take: async (entries) => void (await write({ op: 'take', entries })),
    async end(last, derivesUsers = false) {
      while (derivesUsers && (await write({ op: 'derive-users' })));
      await write({ op: 'end-filling', last });
    },
  };
}

function prepareFilling(db: Connection) {
  return {
    add: db.prepare(addSql),
    begin: db.prepare<[string]>(
      `UPDATE change_log_state SET line = ?, began = 0, removed_number = 0, removed_mark = ''
       WHERE NOT EXISTS (SELECT 1 FROM change_log)`,
    ),
    firstBytes: db.prepare<[], number>('SELECT bytes FROM change_log ORDER BY number LIMIT 1').pluck(),
    forgetLast: db.prepare("DELETE FROM sqlite_sequence WHERE name = 'change_log'"),
    setLast: db.prepare<[number]>("INSERT INTO sqlite_sequence (name, seq) VALUES ('change_log', ?)"),
    end: db.prepare<[string]>('UPDATE change_log_state SET line = ?'),
    // Nothing is removed if the last entry is there.
    leave: db.prepare<[Place]>(
      `UPDATE change_log_state SET removed_number = @number, removed_mark = @mark
       WHERE NOT EXISTS (SELECT 1 FROM change_log WHERE number = @number)`,
    ),
  };
}

/** Fills the change log with the entries of another store (domain/changes/moves.ts). All methods are called within transactions that hold the write lock. */
export class LogFilling {
  readonly #sql: ReturnType<typeof prepareFilling>;
  readonly #users: UserRows;
  /** One step. @returns the progress; undefined when all are derived */
  readonly #derive: (progress: number) => number | undefined;
  #derived: number | undefined;

  constructor(db: Connection, derive: (progress: number) => number | undefined) {
    this.#sql = prepareFilling(db);
    this.#users = new UserRows(db);
    this.#derive = derive;
  }

  /** @returns whether it was done; for `derive-users`, whether there is more to do */
  apply(write: MoveWrite): boolean {
    switch (write.op) {
      case 'begin-filling':
        return this.#sql.begin.run(write.line).changes > 0;
      case 'take':
        this.#take(write.entries);
        return true;
      case 'derive-users':
        this.#derived = this.#derive(this.#derived ?? 0);
        return this.#derived !== undefined;
      case 'end-filling':
        this.#end(write.last);
        return true;
    }
  }

  /** These entries precede those in the log, so the running total decreases. */
  #take(entries: readonly MovedEntry[]): void {
    let total = this.#sql.firstBytes.get() ?? 0;
    for (const { number, mark, at, by, users = [], ...change } of entries) {
      const { columns, bytes } = columnsOf(change, JSON.stringify(by));
      const all = new Set(idsOf(change));
      const named = users.filter((user) => all.has(user));
      const swept = users.filter((user) => !all.has(user));
      total -= bytes + bytesOfRow * named.length + bytesOfSweptRow * swept.length;
      this.#sql.add.run(number, mark, at, total, ...columns);
      this.#users.addAll(number, named);
      for (const user of swept) this.#users.addSwept(number, user);
    }
  }

  #end({ number, mark }: Place): void {
    this.#sql.forgetLast.run();
    this.#sql.setLast.run(number);
    this.#sql.end.run(newMark());
    this.#sql.leave.run({ number, mark });
  }
}
