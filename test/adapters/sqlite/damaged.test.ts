import { join } from 'node:path';
import Database from 'better-sqlite3';
import { damagedUserCases } from '../damaged-users.ts';
import { aFolder, openAt } from './a-file.ts';

damagedUserCases('SQLite', async () => {
  const folder = aFolder();
  const file = join(folder.path, 'users.db');
  const store = await openAt(file);
  return {
    store,
    edit: async (id, change) => {
      const db = new Database(file);
      const document = JSON.parse(
        String(db.prepare('SELECT document FROM users WHERE id = ?').pluck().get(id)),
      );
      change(document);
      db.prepare('UPDATE users SET document = ? WHERE id = ?').run(JSON.stringify(document), id);
      db.close();
    },
    discard: async () => folder.remove(),
  };
});
