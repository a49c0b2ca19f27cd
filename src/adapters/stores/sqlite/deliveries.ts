/**
 * The state of webhooks, in a file beside the database: a transaction in the database itself would wait for other writers, and make readers drop what
 * they remember. A second file is locked for as long as the holder lives, so commands can read and write the first one meanwhile.
 */
import { resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { DeliveryRow, DeliveryStore } from '../port/delivery-store.ts';
import { deliveryFilesOf } from './file/database-files.ts';
import { isLocked } from './file/sqlite-errors.ts';
import { prepareFile } from './open-store.ts';

const layout = `
  CREATE TABLE IF NOT EXISTS lease (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), fence INTEGER NOT NULL);
  INSERT OR IGNORE INTO lease VALUES (1, 0);
  CREATE TABLE IF NOT EXISTS deliveries ("of" TEXT, receiver TEXT, key TEXT, value TEXT NOT NULL, PRIMARY KEY ("of", receiver, key)) WITHOUT ROWID;`;

/** In ms: processes write for some milliseconds each second. */
const busyTimeout = 5000;

const open = (file: string, timeout: number): Database.Database => {
  prepareFile(file);
  return new Database(file, { timeout });
};

/** @param path of the database */
export function sqliteDeliveries(path: string): DeliveryStore {
  const [rowsFile, lockFile] = deliveryFilesOf(resolve(path));
  const db = open(rowsFile, busyTimeout);
  db.pragma('journal_mode = WAL');
  // A power cut may take back the last second, which is sent again.
  db.pragma('synchronous = NORMAL');
  db.exec(layout);
  const fenceOf = db.prepare<[], number>('SELECT fence FROM lease').pluck();
  const raise = db.prepare<[], number>('UPDATE lease SET fence = fence + 1 RETURNING fence').pluck();
  const put = db.prepare('INSERT OR REPLACE INTO deliveries VALUES (?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM deliveries WHERE "of" = ? AND receiver = ? AND key = ?');
  const found = db.prepare<[string, string | null], Omit<DeliveryRow, 'value'> & { value: string }>(
    'SELECT * FROM deliveries WHERE "of" = ? AND receiver = ifnull(?, receiver) ORDER BY receiver, key',
  );
  const write = db.transaction<(...given: Parameters<DeliveryStore['write']>) => boolean>((rows, held) => {
    if (held !== undefined && fenceOf.get() !== held) return false;
    for (const { of, receiver, key, value } of rows)
      if (value === undefined) remove.run(of, receiver, key);
      else put.run(of, receiver, key, JSON.stringify(value));
    return true;
  });
  let lock: Database.Database | undefined;
  let fence: number | undefined;

  function hold(): number | undefined {
    if (fence !== undefined) return fence;
    lock ??= open(lockFile, 0);
    try {
      lock.exec('BEGIN EXCLUSIVE');
    } catch (cause) {
      if (isLocked(cause)) return undefined;
      throw cause;
    }
    fence = raise.get();
    return fence;
  }

  return {
    leaseTime: Number.POSITIVE_INFINITY,
    hold: async () => hold(),
    read: async (of, receiver) =>
      found.all(of, receiver ?? null).map(({ value, ...id }) => ({ ...id, value: JSON.parse(value) })),
    async write(rows, held) {
      const isWritten = write.immediate(rows, held);
      // Another could take the lease only because the locked file was replaced.
      if (!isWritten && held === fence) {
        lock?.close();
        [lock, fence] = [undefined, undefined];
      }
      return isWritten;
    },
    async close() {
      lock?.close();
      db.close();
    },
  };
}
