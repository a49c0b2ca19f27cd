/** The rows of the resources of one kind. Unique indexes of ids and names, and the keys of unique filters, refuse one that is taken. */
import type { Keys } from '../../../../domain/find/keys.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { Connection } from '../file/connection.ts';
import { isConflict } from '../file/sqlite-errors.ts';
import { type Indexed, IndexRows, printSorts } from '../layout/index-rows.ts';
import type { Tables } from '../layout/tables.ts';
import type { WriteResult } from './writer-messages.ts';

export interface StoredRow extends Indexed {
  readonly n: number;
  readonly version: string;
  readonly document: string;
  /** The number of the set of its members; null before it has members, and for other kinds. */
  readonly members: number | null;
  readonly revision: number | null;
}

function prepareStatements(db: Connection, { rows, keys, hasMembers }: Tables) {
  const membership = hasMembers ? 'members, revision' : 'NULL AS members, NULL AS revision';
  return {
    stored: db.prepare<[string], StoredRow>(
      `SELECT n, version, document, search, sorts, filters, ${membership} FROM ${rows} WHERE id = ?`,
    ),
    version: db
      .prepare<[string], string>(
        `SELECT ${hasMembers ? "version || '.' || revision" : 'version'} FROM ${rows} WHERE id = ?`,
      )
      .pluck(),
    insert: db.prepare(
      `INSERT INTO ${rows} (name_key, version, document, search, sorts, filters, id) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ),
    update: db.prepare(
      `UPDATE ${rows} SET name_key = ?, version = ?, document = ?, search = ?, sorts = ?, filters = ? WHERE id = ?`,
    ),
    hasOther: db.prepare(`SELECT 1 FROM ${rows} WHERE name_key = ? AND id <> ?`),
    // A resource that another program has removed may have left its keys there.
    hasKey: db.prepare(
      `SELECT 1 FROM ${keys} AS k WHERE filter = ? AND key = ? AND id <> ? AND EXISTS (SELECT 1 FROM ${rows} WHERE id = k.id)`,
    ),
    remove: db.prepare(`DELETE FROM ${rows} WHERE n = ?`),
  };
}

/** The rows of one kind with their index rows. All methods are called within a transaction that holds the write lock. */
export class Rows {
  readonly tables: Tables;
  readonly index: IndexRows;
  readonly #sql: ReturnType<typeof prepareStatements>;

  constructor(db: Connection, tables: Tables) {
    this.tables = tables;
    this.index = new IndexRows(db, tables);
    this.#sql = prepareStatements(db, tables);
  }

  find(id: string): StoredRow | undefined {
    return this.#sql.stored.get(id);
  }

  /** The same as `Stored.version`. */
  versionOf(id: string): string | undefined {
    return this.#sql.version.get(id);
  }

  /** A conflict has changed nothing. @param value of the text @returns the number of the row */
  insert(id: string, text: string, value: Resource): WriteResult | { readonly n: number } {
    const { keys, columns } = this.#columnsOf(id, text, value);
    let n = 0;
    const conflict = this.#put(id, keys, () => {
      n = Number(this.#sql.insert.run(...columns).lastInsertRowid);
    });
    // If both are taken, SQLite may name either. The id goes first, because it shows that a creation was repeated.
    if (conflict) return this.find(id) === undefined ? conflict : 'id-taken';
    this.index.change(id, n, undefined, keys);
    return { n };
  }

  /** As `insert`. @param old the row that is replaced */
  replace(id: string, text: string, value: Resource, old: StoredRow): WriteResult {
    const { keys, columns } = this.#columnsOf(id, text, value);
    const conflict = this.#put(id, keys, () => this.#sql.update.run(...columns));
    if (conflict) return conflict;
    this.index.change(id, old.n, old, keys);
    return 'done';
  }

  remove(id: string, old: StoredRow): void {
    this.#sql.remove.run(old.n);
    this.index.change(id, old.n, old, undefined);
  }

  /**
   * Constraints find a taken name, so that writes without a conflict need no look-up. Unique keys are looked up, as the index of all keys has
   * them: under the write lock none can be added meanwhile. The name goes first.
   */
  #put(
    id: string,
    keys: Keys,
    statement: () => void,
  ): Extract<WriteResult, 'name-taken' | { taken: unknown }> | undefined {
    const taken = this.tables.kind.uniqueKeysOf(keys).find((key) => this.#sql.hasKey.get(...key, id));
    if (taken) return this.#sql.hasOther.get(keys.name, id) ? 'name-taken' : { taken: taken[0] };
    try {
      statement();
      return undefined;
    } catch (cause) {
      if (!isConflict(cause)) throw cause;
      return 'name-taken';
    }
  }

  /** The parameters of `insert` and `update`. */
  #columnsOf(id: string, text: string, value: Resource): { keys: Keys; columns: readonly string[] } {
    const { kind } = this.tables;
    const keys = kind.makeKeys(value);
    const sorts = printSorts(this.tables, keys.sorts);
    const filters = JSON.stringify(keys.filters);
    return { keys, columns: [keys.name, value.meta.version, text, keys.search, sorts, filters, id] };
  }
}
