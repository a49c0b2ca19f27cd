import type { Statement } from 'better-sqlite3';
import type { Connection } from './connection.ts';

type Value = string | number | null;

/** Of terms and filters in every number there are thousands; few are in use at a time. */
const maxStatements = 200;

/** Prepared statements by their text. Each is read to its end at once: an open one would keep the log from being copied. */
export class Statements {
  readonly #db: Connection;
  readonly #statements = new Map<string, Statement<Value[], unknown>>();

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Of statements with one column its values, else rows as objects. */
  all<T>(sql: string, values: readonly Value[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  get<T>(sql: string, values: readonly Value[] = []): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined;
  }

  /** All statements within read the same state. */
  readTogether<T>(read: () => T): T {
    return this.#db.transaction(read)();
  }

  /** Another number after every write. */
  dataVersion(): number {
    return this.get<number>('PRAGMA data_version') ?? 0;
  }

  #prepare(sql: string): Statement<Value[], unknown> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= maxStatements) this.#statements.clear();
    const statement = this.#db.prepare<Value[], unknown>(sql);
    if (statement.columns().length === 1) statement.pluck();
    this.#statements.set(sql, statement);
    return statement;
  }
}
