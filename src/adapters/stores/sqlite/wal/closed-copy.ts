/** Copies of a file that are complete without a WAL. */
import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { type Connection, withConnection } from '../file/connection.ts';
import { withFilesBeside } from '../file/database-files.ts';
import { assertIntegrity } from '../file/integrity.ts';
import { WalMark } from './wal-mark.ts';

/**
 * Writes one state of the file to an empty file; other processes may write meanwhile. One statement reads it all, because a copy page by page
 * would begin anew at each write of another process.
 */
export function vacuumInto(file: string, copy: string): void {
  withConnection(file, { readonly: true, busyTimeout: 5000 }, (db) => db.prepare('VACUUM INTO ?').run(copy));
}

export function removeCopy(copy: string): void {
  for (const path of withFilesBeside(copy)) rmSync(path, { force: true });
}

/** Makes the copy complete without its WAL, and checks it. @returns what `read` does */
export function finishCopy<T>(copy: string, read: (db: Connection) => T): T {
  const db = new Database(copy, { fileMustExist: true });
  try {
    db.pragma('synchronous = FULL');
    db.pragma('journal_mode = DELETE');
    assertIntegrity(db, 'integrity_check');
    new WalMark(db).clear();
    return read(db);
  } finally {
    db.close();
  }
}
