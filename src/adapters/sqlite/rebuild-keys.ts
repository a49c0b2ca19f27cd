import { keysOf } from '../../domain/filters.ts';
import type { User } from '../../domain/user.ts';
import { mappingVersion, mapUserName } from '../../domain/user-name.ts';
import { type Connection, sqliteCode } from './connection.ts';
import { documentOf, keptIn } from './documents.ts';

/** Documents held in memory at once. */
const pageSize = 500;

/**
 * Makes the mapped names and all filter keys anew from the documents; for within a transaction. A damaged user gets none: it is
 * found by its id only, until it is mended.
 * @throws Error naming the user when two names have become the same one
 */
export function rebuildKeys(db: Connection): void {
  db.exec('DELETE FROM user_keys');
  // A new key may still be another user's old one: out of the way first. No mapped name has a NUL.
  db.exec('UPDATE users SET user_name_key = char(0) || id');
  const page = db
    .prepare<[string, number], string>(
      `SELECT ${documentOf('users')} FROM users WHERE id > ? ORDER BY id LIMIT ?`,
    )
    .pluck();
  const rekey = rekeyer(db);
  for (let after = ''; ; ) {
    const users = page.all(after, pageSize).map(keptIn);
    for (const kept of users) if (!kept.isDamaged) rekey(kept.user);
    const last = users.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

function rekeyer(db: Connection): (user: User) => void {
  const rename = db.prepare('UPDATE users SET user_name_key = ?, mapping = ? WHERE id = ?');
  const addKey = db.prepare('INSERT INTO user_keys (filter, key, user_id) VALUES (?, ?, ?)');
  return (user) => {
    try {
      rename.run(mapUserName(user.userName), mappingVersion, user.id);
    } catch (cause) {
      if (sqliteCode(cause) !== 'SQLITE_CONSTRAINT_UNIQUE') throw cause;
      throw new Error(`the userName of user ${user.id} is now the same as another's; rename one first`, {
        cause,
      });
    }
    for (const [filter, key] of keysOf(user)) addKey.run(filter, key, user.id);
  };
}
