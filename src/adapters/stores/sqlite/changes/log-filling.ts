/** Fills the change log with the entries of another store (domain/changes/moves.ts). All methods are called within transactions that hold the write lock. */
import type { Place } from '../../../../domain/changes/change.ts';
import { idsOf } from '../../../../domain/changes/member-changes.ts';
import type { MovedEntry } from '../../../../domain/changes/moves.ts';
import { newMark } from '../../../system/clock-and-ids.ts';
import type { Connection } from '../file/connection.ts';
import type { MoveWrite } from './moves.ts';
import { addSql, columnsOf } from './tables.ts';
import { bytesOfRow, bytesOfSweptRow, UserRows } from './user-rows.ts';

function prepareStatements(db: Connection) {
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

export class LogFilling {
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #users: UserRows;
  /** One step. @returns the progress; undefined when all are derived */
  readonly #derive: (progress: number) => number | undefined;
  #derived: number | undefined;

  constructor(db: Connection, derive: (progress: number) => number | undefined) {
    this.#sql = prepareStatements(db);
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

  /** Entries in front of those that the log has: so the running total goes down. */
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
