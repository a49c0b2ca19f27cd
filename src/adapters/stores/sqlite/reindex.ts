import { keyRules, makeKeysOfStored, parkedName } from '../../../domain/keys.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import { type Connection, sqliteCode } from './connection.ts';
import { documentColumn, readStored } from './stored-document.ts';

/** Documents held in memory at once. */
const pageSize = 500;

/**
 * Makes the mapped names and all filter keys anew from the documents; for within a transaction.
 * @throws Error naming the user when two names have become the same one
 */
export function reindex(db: Connection): void {
  db.exec('DELETE FROM user_keys');
  // A user's new name may still be the old one of another: first all get a placeholder.
  db.prepare('UPDATE users SET user_name_key = ? || id').run(parkedName(''));
  const page = db
    .prepare<[string, number], string>(
      `SELECT ${documentColumn('users')} FROM users WHERE id > ? ORDER BY id LIMIT ?`,
    )
    .pluck();
  const writeKeys = keyWriter(db);
  for (let after = ''; ; ) {
    const users = page.all(after, pageSize).map(readStored);
    for (const stored of users) writeKeys(stored);
    const last = users.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function keyWriter(db: Connection): (stored: StoredUser) => void {
  const rename = db.prepare('UPDATE users SET user_name_key = ?, mapping = ? WHERE id = ?');
  const addKey = db.prepare('INSERT INTO user_keys (filter, key, user_id) VALUES (?, ?, ?)');
  return (stored) => {
    const { id } = stored;
    const { name, filters } = makeKeysOfStored(stored);
    try {
      rename.run(name, keyRules.mapping, id);
    } catch (cause) {
      if (sqliteCode(cause) !== 'SQLITE_CONSTRAINT_UNIQUE') throw cause;
      throw new Error(`the userName of user ${id} is now the same as another's; rename one first`, {
        cause,
      });
    }
    for (const [filter, key] of filters) addKey.run(filter, key, id);
  };
}
