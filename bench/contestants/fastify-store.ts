/** Users as services on better-sqlite3 usually store them: a table with a few indexed columns and the rest as JSON. */
import Database from 'better-sqlite3';
import { assertDriverLoads } from '../../src/adapters/stores/sqlite/file/connection.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';

export function openUsers(file: string) {
  assertDriverLoads();
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  // As durable as ours.
  db.pragma('synchronous = FULL');
  db.exec(`CREATE TABLE IF NOT EXISTS users (
    id TEXT PRIMARY KEY, user_name TEXT NOT NULL UNIQUE, external_id TEXT, email TEXT, active INTEGER NOT NULL,
    version TEXT NOT NULL, document TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS by_external_id ON users (external_id);
  CREATE INDEX IF NOT EXISTS by_email ON users (email);`);
  const find = db.prepare<[string], string>('SELECT document FROM users WHERE id = ?').pluck();
  const page = db
    .prepare<[string, number], string>('SELECT document FROM users WHERE id > ? ORDER BY id LIMIT ?')
    .pluck();
  const insert = db.prepare('INSERT INTO users VALUES (?, ?, ?, ?, ?, ?, ?)');
  const update = db.prepare(
    'UPDATE users SET user_name = ?, external_id = ?, email = ?, active = ?, version = ?, document = ? WHERE id = ?',
  );
  const columns = (user: User) => [
    user.userName.toLowerCase(),
    user.externalId ?? null,
    user.emails?.[0]?.value.toLowerCase() ?? null,
    user.active ? 1 : 0,
    user.meta.version,
    JSON.stringify(user),
  ];
  const parseUser = (document: string): User => JSON.parse(document);
  return {
    find(id: string): User | undefined {
      const document = find.get(id);
      return document === undefined ? undefined : parseUser(document);
    },
    list: (after: string, limit: number): User[] => page.all(after, limit).map(parseUser),
    insert: (user: User) => void insert.run(user.id, ...columns(user)),
    /** `change` gets the current user; when it returns undefined, nothing is written. */
    replace: db.transaction((id: string, change: (current: User) => User | undefined): User | undefined => {
      const document = find.get(id);
      const next = document === undefined ? undefined : change(parseUser(document));
      if (next !== undefined) update.run(...columns(next), id);
      return next;
    }),
    all: (work: () => void) => db.transaction(work)(),
    close: () => void db.close(),
  };
}
