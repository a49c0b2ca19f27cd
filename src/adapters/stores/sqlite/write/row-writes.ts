import type { FilterKey, Keys } from '../../../../domain/find/keys.ts';
import { type Connection, sqliteCode } from '../file/connection.ts';
import { type Indexed, IndexRows } from '../index/index-rows.ts';
import { type AnyRowType, type RowType, sqlFor } from '../index/row-type.ts';
import { printSorts } from '../index/sort-keys.ts';
import type { WriteResult } from './writer-messages.ts';

export interface StoredRow {
  readonly n: number;
  readonly version: string;
  readonly document: string;
  /** Null when another program has written the document since. */
  readonly writes: number | null;
  readonly search: string | null;
  readonly sorts: string | null;
}

function prepareStatements(db: Connection, { kind }: AnyRowType) {
  const prepare = <V extends unknown[]>(sql: string) => db.prepare<V, unknown>(sqlFor(kind, sql));
  return {
    stored: db.prepare<[string], StoredRow>(
      sqlFor(kind, 'SELECT n, version, document, writes, search, sorts FROM users WHERE id = ?'),
    ),
    insert: prepare(
      `INSERT INTO users (user_name_key, version, document, search, sorts, id, writes)
       VALUES (?, ?, ?, ?, ?, ?, 1)`,
    ),
    update: prepare(
      `UPDATE users SET user_name_key = ?, version = ?, document = ?, search = ?, sorts = ?,
       writes = ifnull(writes, 0) + 1 WHERE id = ?`,
    ),
    remove: prepare('DELETE FROM users WHERE n = ?'),
    // Without an index: it reads every key of every user. Keys by membership are no part of a document.
    keysOf: db
      .prepare<[string], FilterKey>(
        sqlFor(kind, "SELECT filter, key FROM user_keys WHERE user_id = ? AND filter <> 'group'"),
      )
      .raw(),
  };
}

interface Named {
  readonly id: string;
  readonly meta: { readonly version: string };
}

/** Applies single writes of one kind, within a transaction that holds the write lock. */
export class RowWrites {
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly rows: IndexRows;
  readonly #type: AnyRowType & Pick<RowType<never, never>, 'keysOf'>;

  constructor(db: Connection, type: AnyRowType & Pick<RowType<never, never>, 'keysOf'>) {
    this.#sql = prepareStatements(db, type);
    this.rows = new IndexRows(db, type);
    this.#type = type;
  }

  find(id: string): StoredRow | undefined {
    return this.#sql.stored.get(id);
  }

  /** A conflict has changed nothing. After an error half of the write may be there: roll it back. @returns the number of the row */
  insert(document: string): WriteResult | { readonly n: number } {
    const named: Named = JSON.parse(document);
    const keys = this.#type.keysOf(document);
    let n = 0;
    const conflict = this.#catchConflict(named.id, () => {
      n = Number(this.#sql.insert.run(...this.#columnsOf(named, document, keys)).lastInsertRowid);
    });
    if (conflict) return conflict;
    this.rows.change(named.id, n, undefined, keys);
    return { n };
  }

  /** As `insert`. @param old the row that is replaced */
  replace(document: string, old: StoredRow): WriteResult {
    const named: Named = JSON.parse(document);
    const keys = this.#type.keysOf(document);
    const conflict = this.#catchConflict(undefined, () =>
      this.#sql.update.run(...this.#columnsOf(named, document, keys)),
    );
    if (conflict) return conflict;
    this.rows.change(named.id, old.n, this.#findIndexed(named.id, old), keys);
    return 'done';
  }

  remove(id: string, old: StoredRow): void {
    const indexed = this.#findIndexed(id, old);
    this.#sql.remove.run(old.n);
    this.rows.change(id, old.n, indexed, undefined);
  }

  /** The filter keys in the index, computed from the document. Where another program wrote the document they are unknown: all keys are read. */
  #findIndexed(id: string, { document, writes, search, sorts }: StoredRow): Indexed {
    const filters = writes === null ? this.#sql.keysOf.all(id) : this.#type.keysOf(document).filters;
    return { filters, search, sorts };
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
  #columnsOf({ id, meta }: Named, document: string, { name, search, sorts }: Keys) {
    return [name, meta.version, document, search, printSorts(this.#type.kind.sortNames, sorts), id];
  }
}
