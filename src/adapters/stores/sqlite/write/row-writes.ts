import type { Keys } from '../../../../domain/find/keys.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import { type Connection, sqliteCode } from '../file/connection.ts';
import { type Indexed, IndexRows } from '../index/index-rows.ts';
import { type AnyRowType, type RowType, sqlFor } from '../index/row-type.ts';
import { printSorts } from '../index/sort-keys.ts';
import type { WriteResult } from './writer-messages.ts';

export interface StoredRow extends Indexed {
  readonly n: number;
  readonly version: string;
}

function prepareStatements(db: Connection, { kind }: AnyRowType) {
  const prepare = <V extends unknown[]>(sql: string) => db.prepare<V, unknown>(sqlFor(kind, sql));
  return {
    stored: db.prepare<[string], StoredRow>(
      sqlFor(kind, 'SELECT n, version, search, sorts, filters FROM users WHERE id = ?'),
    ),
    insert: prepare(
      `INSERT INTO users (user_name_key, version, document, search, sorts, filters, id)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    update: prepare(
      `UPDATE users SET user_name_key = ?, version = ?, document = ?, search = ?, sorts = ?, filters = ?
       WHERE id = ?`,
    ),
    remove: prepare('DELETE FROM users WHERE n = ?'),
  };
}

/** Applies single writes of one kind, within a transaction that holds the write lock. */
export class RowWrites<T extends Resource> {
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly rows: IndexRows;
  readonly #kind: Kind<T>;

  constructor(db: Connection, type: RowType<T>) {
    this.#sql = prepareStatements(db, type);
    this.rows = new IndexRows(db, type);
    this.#kind = type.kind;
  }

  find(id: string): StoredRow | undefined {
    return this.#sql.stored.get(id);
  }

  /** A conflict has changed nothing. After an error half of the write may be there: roll it back. @returns the number of the row */
  insert(document: string): WriteResult | { readonly n: number } {
    const value: T = JSON.parse(document);
    const keys = this.#kind.makeKeys(value);
    let n = 0;
    const conflict = this.#catchConflict(value.id, () => {
      n = Number(this.#sql.insert.run(...this.#columnsOf(value, document, keys)).lastInsertRowid);
    });
    if (conflict) return conflict;
    this.rows.change(value.id, n, undefined, keys);
    return { n };
  }

  /** As `insert`. @param old the row that is replaced */
  replace(document: string, old: StoredRow): WriteResult {
    const value: T = JSON.parse(document);
    const keys = this.#kind.makeKeys(value);
    const conflict = this.#catchConflict(undefined, () =>
      this.#sql.update.run(...this.#columnsOf(value, document, keys)),
    );
    if (conflict) return conflict;
    this.rows.change(value.id, old.n, old, keys);
    return 'done';
  }

  remove(id: string, old: StoredRow): void {
    this.#sql.remove.run(old.n);
    this.rows.change(id, old.n, old, undefined);
  }

  /**
   * Runs the statement and returns its conflict, if any: the constraints find it, so that other writes need no look-up. When both are
   * violated SQLite may name either; the id goes first, because it shows that a creation was repeated.
   */
  #catchConflict(newId: string | undefined, statement: () => void): WriteResult | undefined {
    try {
      statement();
      return undefined;
    } catch (cause) {
      const code = sqliteCode(cause);
      if (code !== 'SQLITE_CONSTRAINT_PRIMARYKEY' && code !== 'SQLITE_CONSTRAINT_UNIQUE') throw cause;
      const idIsTaken = newId !== undefined && this.find(newId) !== undefined;
      return idIsTaken ? 'id-taken' : 'name-taken';
    }
  }

  /** The parameters of `insert` and `update`. */
  #columnsOf({ id, meta }: Resource, document: string, { name, search, sorts, filters }: Keys) {
    const sortKeys = printSorts(this.#kind.sortNames, sorts);
    return [name, meta.version, document, search, sortKeys, JSON.stringify(filters), id];
  }
}
