import { type FilterKey, joinKey, keyRules, makeKeys } from '../../../domain/keys.ts';
import { StoredUser } from '../../../domain/stored-user.ts';
import type { User } from '../../../domain/user.ts';
import { type Connection, sqliteCode } from './connection.ts';
import { noColumns, printSorts, type SearchColumns, SearchRows } from './search-rows.ts';
import type { Write, WriteResult } from './writer-messages.ts';

interface StoredRow extends SearchColumns {
  readonly version: string;
  readonly document: string;
  /** Null when something else has written the document since. */
  readonly writes: number | null;
}

type KeysByName = ReadonlyMap<string, FilterKey>;

const byName = (keys: readonly FilterKey[]): KeysByName => new Map(keys.map((key) => [joinKey(key), key]));
const noKeys: KeysByName = new Map();

function prepareStatements(db: Connection) {
  return {
    stored: db.prepare<[string], StoredRow>(
      'SELECT version, document, writes, n, search, sorts FROM users WHERE id = ?',
    ),
    insert: db.prepare(
      `INSERT INTO users (id, user_name_key, mapping, version, document, n, search, sorts, writes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)`,
    ),
    update: db.prepare(
      `UPDATE users SET user_name_key = ?, mapping = ?, version = ?, document = ?, n = ?, search = ?, sorts = ?,
       writes = ifnull(writes, 0) + 1 WHERE id = ?`,
    ),
    remove: db.prepare('DELETE FROM users WHERE id = ?'),
    // Of one row only, so that SQLite makes no savepoint of it: at each FTS5 would write out what it has collected.
    count: db.prepare('UPDATE totals SET users = users + ? WHERE rowid = 1'),
    // A key that another program has left there is as good.
    addKey: db.prepare('INSERT OR IGNORE INTO user_keys (filter, key, user_id) VALUES (?, ?, ?)'),
    removeKey: db.prepare('DELETE FROM user_keys WHERE filter = ? AND key = ? AND user_id = ?'),
    mark: db.prepare('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)'),
    // Without an index: it looks at every key of every user.
    keysOf: db.prepare<[string], FilterKey>('SELECT filter, key FROM user_keys WHERE user_id = ?').raw(),
  };
}

/** Applies single writes, within a transaction that holds the write lock. */
export class Writes {
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #searchRows: SearchRows;
  /** Users who have come since the total was written, without those who went. */
  #added = 0;

  constructor(db: Connection) {
    this.#sql = prepareStatements(db);
    this.#searchRows = new SearchRows(db);
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

  /** Does what is cheaper for several writes together; to be called before their commit. */
  finish(): void {
    if (this.#added !== 0) this.#sql.count.run(this.#added);
    this.#added = 0;
    this.#searchRows.finish();
  }

  /** After a rollback. */
  forget(): void {
    this.#added = 0;
    this.#searchRows.forget();
  }

  #insert(document: string): WriteResult {
    const user: User = JSON.parse(document);
    const { name, filters, search, sorts } = makeKeys(user);
    const n = this.#searchRows.takeNumber();
    const text = this.#searchRows.printSearch(filters, search);
    const columns = [keyRules.mapping, user.meta.version, document, n, text, printSorts(sorts)];
    const conflict = this.#catchConflict(user.id, () => this.#sql.insert.run(user.id, name, ...columns));
    if (conflict) return conflict;
    this.#added += 1;
    this.#searchRows.move(user.id, n, noColumns, { search: text, sorts });
    for (const key of filters) this.#addKey(key, user.id);
    return 'done';
  }

  #replace(document: string, version: string): WriteResult {
    const user: User = JSON.parse(document);
    const old = this.#sql.stored.get(user.id);
    if (old?.version !== version) return 'stale';
    const { name, filters, search, sorts } = makeKeys(user);
    const n = old.n ?? this.#searchRows.takeNumber();
    const text = this.#searchRows.printSearch(filters, search);
    const columns = [keyRules.mapping, user.meta.version, document, n, text, printSorts(sorts)];
    const conflict = this.#catchConflict(undefined, () => this.#sql.update.run(name, ...columns, user.id));
    if (conflict) return conflict;
    this.#searchRows.move(user.id, n, old, { search: text, sorts });
    this.#moveKeys(user.id, this.#findKeys(user.id, old), byName(filters));
    return 'done';
  }

  #remove(id: string, version: string): WriteResult {
    const old = this.#sql.stored.get(id);
    if (old?.version !== version) return 'stale';
    this.#sql.remove.run(id);
    this.#added -= 1;
    if (old.n !== null) this.#searchRows.move(id, old.n, old, undefined);
    this.#moveKeys(id, this.#findKeys(id, old), noKeys);
    return 'done';
  }

  /** The keys in the index, computed from the document. Where something else wrote the document they are unknown: all are looked for, the slow way. */
  #findKeys(id: string, { document, writes }: StoredRow): KeysByName {
    const user = writes === null ? undefined : StoredUser.fromText(document).user;
    if (user !== undefined) return byName(makeKeys(user).filters);
    return byName(this.#sql.keysOf.all(id));
  }

  #moveKeys(id: string, from: KeysByName, to: KeysByName): void {
    for (const [name, key] of from) if (!to.has(name)) this.#removeKey(key, id);
    for (const [name, key] of to) if (!from.has(name)) this.#addKey(key, id);
  }

  #addKey(key: FilterKey, id: string): void {
    if (this.#sql.addKey.run(...key, id).changes > 0) this.#searchRows.sharedKeys.count(key, 1);
  }

  #removeKey(key: FilterKey, id: string): void {
    if (this.#sql.removeKey.run(...key, id).changes > 0) this.#searchRows.sharedKeys.count(key, -1);
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
