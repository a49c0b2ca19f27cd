/** SQLite files for the contract of change logs. */
import { join } from 'node:path';
import { openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { openSqliteStore } from '../../../../src/adapters/stores/sqlite/open-store.ts';
import { deadline } from '../../../support/deadlines.ts';
import { aFolder, neverFatal } from './a-file.ts';

export const openAt = (file: string, isLogged?: boolean) =>
  openSqliteStore({ file, isLogged, onFatal: neverFatal, busyTimeout: deadline });

export async function openLog() {
  const folder = aFolder();
  const file = join(folder.path, 'users.db');
  const reopen = () => openAt(file);
  const date = (count: number, at: number): void => {
    const db = openConnection(file, { readonly: false, busyTimeout: deadline });
    db.prepare('UPDATE change_log SET at = ? WHERE number > (SELECT max(number) FROM change_log) - ?').run(
      at,
      count,
    );
    db.close();
  };
  return { store: await reopen(), reopen, date, discard: async () => folder.remove() };
}
