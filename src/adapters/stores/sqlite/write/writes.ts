import { type FilterKey, makeKeys, type UserKeys } from '../../../../domain/find/keys.ts';
import { StoredUser } from '../../../../domain/user/stored-user.ts';
import type { User } from '../../../../domain/user/user.ts';
import { type Connection, sqliteCode } from '../file/connection.ts';
import { type Indexed, IndexRows } from '../index/index-rows.ts';
import { printSorts } from '../index/sort-keys.ts';
import type { Write, WriteResult } from './writer-messages.ts';

interface StoredRow {
  readonly n: number;
  readonly version: string;
  readonly document: string;
  /** Null when another program has written the document since. */
  readonly writes: number | null;
  readonly search: string | null;
  readonly sorts: string | null;
}

function prepareStatements(db: Connection) {
  return {
    stored: db.prepare<[string], StoredRow>(
      'SELECT n, version, document, writes, search, sorts FROM users WHERE id = ?',
    ),
    insert: db.prepare(
      `INSERT INTO users (user_name_key, version, document, search, sorts, id, writes)
       VALUES (?, ?, ?, ?, ?, ?, 1)`,
    ),
    update: db.prepare(
      `UPDATE users SET user_name_key = ?, version = ?, document = ?, search = ?, sorts = ?,
       writes = ifnull(writes, 0) + 1 WHERE id = ?`,
    ),
    remove: db.prepare('DELETE FROM users WHERE n = ?'),
    mark: db.prepare('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)'),
    // Without an index: it reads every key of every user.
    keysOf: db.prepare<[string], FilterKey>('SELECT filter, key FROM user_keys WHERE user_id = ?').raw(),
  };
}

/** Applies single writes, within a transaction that holds the write lock. */
export class Writes {
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #rows: IndexRows;

  constructor(db: Connection) {
    this.#sql = prepareStatements(db);
    this.#rows = new IndexRows(db);
  }

  /** A conflict has changed nothing. After an error half of the write may be there: roll it back. */
  apply(write: Write): WriteResult {
    switch (write.kind) {
      case 'insert':
        return this.#insert(write.document);
      case 'replace':
        return this.#replace(write.document, write.version);
      case 'remove':
        return this.#remove(write.id, write.version);
      case 'mark':
        this.#sql.mark.run(write.name, write.value);
        return 'done';
    }
  }

  /** Finishes the work that several writes share; to be called before their commit. */
  finish(): void {
    this.#rows.finish();
  }

  /** After a rollback. */
  forget(): void {
    this.#rows.forget();
  }

  #insert(document: string): WriteResult {
    const user: User = JSON.parse(document);
    const keys = makeKeys(user);
    let n = 0;
    const conflict = this.#catchConflict(user.id, () => {
      n = Number(this.#sql.insert.run(...columnsOf(user, document, keys)).lastInsertRowid);
    });
    if (conflict) return conflict;
    this.#rows.change(user.id, n, undefined, keys);
    return 'done';
  }

  #replace(document: string, version: string): WriteResult {
    const user: User = JSON.parse(document);
    const old = this.#sql.stored.get(user.id);
    if (old?.version !== version) return 'stale';
    const keys = makeKeys(user);
    const conflict = this.#catchConflict(undefined, () =>
      this.#sql.update.run(...columnsOf(user, document, keys)),
    );
    if (conflict) return conflict;
    this.#rows.change(user.id, old.n, this.#findIndexed(user.id, old), keys);
    return 'done';
  }

  #remove(id: string, version: string): WriteResult {
    const old = this.#sql.stored.get(id);
    if (old?.version !== version) return 'stale';
    const indexed = this.#findIndexed(id, old);
    this.#sql.remove.run(old.n);
    this.#rows.change(id, old.n, indexed, undefined);
    return 'done';
  }

  /** The filter keys in the index, computed from the document. Where another program wrote the document they are unknown: all keys are read. */
  #findIndexed(id: string, { document, writes, search, sorts }: StoredRow): Indexed {
    const filters =
      writes === null ? this.#sql.keysOf.all(id) : makeKeys(StoredUser.fromText(document).user).filters;
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
      const idIsTaken = newId !== undefined && this.#sql.stored.get(newId) !== undefined;
      return idIsTaken ? 'id-taken' : 'user-name-taken';
    }
  }
}

/** The parameters of `insert` and `update`. */
const columnsOf = (user: User, document: string, { name, search, sorts }: UserKeys) => [
  name,
  user.meta.version,
  document,
  search,
  printSorts(sorts),
  user.id,
];
