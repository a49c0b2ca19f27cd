import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openSqliteStore, type SqliteOptions } from '../../../../src/adapters/stores/sqlite/open-store.ts';
import { migrate, migrations } from '../../../../src/adapters/stores/sqlite/schema.ts';
import { makeKeys } from '../../../../src/domain/keys.ts';
import type { UserStore } from '../../../../src/domain/ports.ts';
import type { User } from '../../../../src/domain/user.ts';

/** A folder of one test's own. */
export function aFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'users-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** For tests in which nothing fatal may happen: thrown outside of everybody's reach, it fails the run. */
function neverFatal(cause: unknown): never {
  throw cause;
}

export function openAt(file: string, options: Partial<SqliteOptions> = {}): Promise<UserStore> {
  return openSqliteStore({ file, onFatal: neverFatal, ...options });
}

/** As a release left it that knew so many layouts: the first, or the second. */
export function writeEarlierFile(file: string, layout: 1 | 2, users: readonly User[]): void {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  migrate(db, migrations.slice(0, layout));
  db.exec("UPDATE indexed_by SET mapping = 1, filters = 'userName,externalId,email,active,role'");
  const insert = db.prepare(
    'INSERT INTO users (id, user_name_key, mapping, version, document) VALUES (?, ?, 1, ?, ?)',
  );
  const addKey = db.prepare('INSERT INTO user_keys VALUES (?, ?, ?)');
  for (const user of users) {
    insert.run(user.id, user.userName.toLowerCase(), user.meta.version, JSON.stringify(user));
    for (const [filter, key] of makeKeys(user).filters) addKey.run(filter, key, user.id);
  }
  if (layout > 1) db.exec('UPDATE users SET writes = 1');
  db.close();
}
