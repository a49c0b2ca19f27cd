import { keysOf } from '../../domain/filters.ts';
import { KeptUser } from '../../domain/kept-user.ts';
import type { User } from '../../domain/user.ts';
import { mappingVersion, mapUserName } from '../../domain/user-name.ts';
import { type Connection, sqliteCode } from './connection.ts';
import type { Write, WriteResult } from './protocol.ts';

interface Stored {
  readonly version: string;
  readonly document: string;
  /** Null when something else has written the document since. */
  readonly writes: number | null;
}

type Pairs = ReadonlyMap<string, readonly [string, string]>;

const pairs = (user: User): Pairs => new Map(keysOf(user).map((pair) => [pair.join(':'), pair]));
const noPairs: Pairs = new Map();

function prepared(db: Connection) {
  return {
    stored: db.prepare<[string], Stored>('SELECT version, document, writes FROM users WHERE id = ?'),
    insert: db.prepare(
      'INSERT INTO users (id, user_name_key, mapping, version, document, writes) VALUES (?, ?, ?, ?, ?, 1)',
    ),
    update: db.prepare(
      'UPDATE users SET user_name_key = ?, mapping = ?, version = ?, document = ?, writes = ifnull(writes, 0) + 1 WHERE id = ?',
    ),
    remove: db.prepare('DELETE FROM users WHERE id = ?'),
    // One that somebody has left there is as good.
    addKey: db.prepare('INSERT OR IGNORE INTO user_keys (filter, key, user_id) VALUES (?, ?, ?)'),
    removeKey: db.prepare('DELETE FROM user_keys WHERE filter = ? AND key = ? AND user_id = ?'),
    mark: db.prepare('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)'),
    // Without an index: it looks at every key of every user.
    removeKeys: db.prepare('DELETE FROM user_keys WHERE user_id = ?'),
  };
}

/** The writes themselves, for within a transaction that holds the write lock. */
export class Writes {
  readonly #sql: ReturnType<typeof prepared>;

  constructor(db: Connection) {
    this.#sql = prepared(db);
  }

  /** A conflict has changed nothing; whatever is thrown may have left half of the write behind. */
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

  #insert(document: string): WriteResult {
    const user: User = JSON.parse(document);
    const nameKey = mapUserName(user.userName);
    const conflict = this.#unlessTaken(user.id, () =>
      this.#sql.insert.run(user.id, nameKey, mappingVersion, user.meta.version, document),
    );
    if (conflict) return conflict;
    for (const [filter, key] of keysOf(user)) this.#sql.addKey.run(filter, key, user.id);
    return 'done';
  }

  #replace(document: string, version: string): WriteResult {
    const user: User = JSON.parse(document);
    const old = this.#sql.stored.get(user.id);
    if (old?.version !== version) return 'stale';
    const conflict = this.#unlessTaken(undefined, () =>
      this.#sql.update.run(mapUserName(user.userName), mappingVersion, user.meta.version, document, user.id),
    );
    if (conflict) return conflict;
    this.#moveKeys(user.id, this.#foundUnder(user.id, old), pairs(user));
    return 'done';
  }

  #remove(id: string, version: string): WriteResult {
    const old = this.#sql.stored.get(id);
    if (old?.version !== version) return 'stale';
    this.#sql.remove.run(id);
    this.#moveKeys(id, this.#foundUnder(id, old), noPairs);
    return 'done';
  }

  /** The keys that are there. What is to be known from a document only while it is ours is found out, and cleared, the long way. */
  #foundUnder(id: string, { document, writes }: Stored): Pairs {
    const user = writes === null ? undefined : KeptUser.fromText(document).user;
    if (user !== undefined) return pairs(user);
    this.#sql.removeKeys.run(id);
    return noPairs;
  }

  #moveKeys(id: string, from: Pairs, to: Pairs): void {
    for (const [name, pair] of from) if (!to.has(name)) this.#sql.removeKey.run(...pair, id);
    for (const [name, pair] of to) if (!from.has(name)) this.#sql.addKey.run(...pair, id);
  }

  /**
   * The constraints decide, so that a write without a conflict pays for no look-up. Which of two violated ones
   * SQLite names is not promised: the id goes first, because it is what tells a repeated creation.
   */
  #unlessTaken(newId: string | undefined, statement: () => void): WriteResult | undefined {
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
