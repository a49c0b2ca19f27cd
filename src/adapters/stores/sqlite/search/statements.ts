import type { Statement } from 'better-sqlite3';
import { type Condition, matchesAll } from '../../../../domain/find/conditions.ts';
import { byOwner, type MembershipFilter } from '../../../../domain/find/owners.ts';
import type { Connection } from '../file/connection.ts';
import { countOfAll } from '../layout/index-rows.ts';
import type { Tables } from '../layout/tables.ts';

type Value = string | number | null;

/** Of terms and filters in every number there are thousands; few are in use at a time. */
const maxStatements = 200;

/** Prepared statements on the tables of one kind, by their text. Each is read to its end at once: an open one would keep the log from being copied. */
export class Statements {
  readonly #db: Connection;
  readonly #statements = new Map<string, Statement<Value[], unknown>>();
  readonly tables: Tables;
  /** Runs all reads in one transaction. */
  readonly readTogether: <T>(read: () => T) => T;

  constructor(db: Connection, tables: Tables) {
    this.#db = db;
    this.readTogether = db.transaction((read) => read());
    this.tables = tables;
  }

  /** Of statements with one column its values, else rows as objects. */
  all<T>(sql: string, values: readonly Value[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  get<T>(sql: string, values: readonly Value[] = []): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined;
  }

  /**
   * User numbers, which reach JavaScript as one text: row by row they would take twice as long, one at a time five times.
   * @param sql selects one BLOB with decimal numbers and commas, or null
   */
  numbers(sql: string, values: readonly Value[]): Uint32Array {
    return parseNumbers(this.get(sql, values));
  }

  /** See `OwnerOf`. */
  ownerOf({ filter, key }: MembershipFilter): number | undefined {
    const { relation } = this.tables;
    const [column, rows] =
      filter === byOwner ? ['members', relation?.owners.rows] : ['n', relation?.members.rows];
    return this.get<number | null>(`SELECT ${column} FROM ${rows} WHERE id = ?`, [key]) ?? undefined;
  }

  /** Changes with every write of another connection. */
  dataVersion(): number {
    return this.get<number>('PRAGMA data_version') ?? 0;
  }

  /** The stored number of matches; undefined where none is kept. */
  countOf(where: Condition): number | undefined {
    const key = matchesAll(where)
      ? countOfAll
      : 'filter' in where && this.tables.kind.sharedFilters.has(where.filter)
        ? [where.filter, where.key]
        : undefined;
    if (key === undefined) return undefined;
    return this.get<number>(`SELECT count FROM ${this.tables.counts} WHERE filter = ? AND key = ?`, key) ?? 0;
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

const comma = 0x2c;

/** @param text decimal numbers and commas; null for none */
function parseNumbers(text: Uint8Array | null | undefined): Uint32Array {
  if (!text || text.length === 0) return new Uint32Array();
  let count = 1;
  for (let at = 0; at < text.length; at += 1) if (text[at] === comma) count += 1;
  const numbers = new Uint32Array(count);
  let [n, read] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] as number;
    if (byte === comma) {
      numbers[read] = n;
      read += 1;
      n = 0;
    } else n = n * 10 + byte - 0x30;
  }
  numbers[read] = n;
  return numbers;
}
