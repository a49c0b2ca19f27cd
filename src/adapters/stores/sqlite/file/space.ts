/** The space on the disk of the file. */
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Connection } from './connection.ts';

/** In bytes. */
export function freeSpaceBeside(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

/**
 * In bytes: free space that a transaction must leave. Creations leave room for changes, which may need a page for an index; changes leave
 * room for removals, which need little.
 */
const reserves = { create: 2 ** 20, change: 2 ** 19, remove: 0 };

/**
 * For within a transaction, before its commit: a commit goes into the WAL, and the file grows only when the WAL is copied. Without space for
 * that, the WAL could not begin anew, and would take no write any more, not even one that makes room.
 * @returns a function that throws SqliteError `SQLITE_FULL`; its parameter tells what the transaction does at most
 */
export function makeRoomCheck(
  db: Connection,
  freeSpace = () => freeSpaceBeside(db.name),
): (most: keyof typeof reserves) => void {
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  const pageCount = db.prepare<[], number>('PRAGMA page_count').pluck();
  let fileSize = 0;
  return (most) => {
    const size = pageSize * (pageCount.get() ?? 0);
    if (size <= fileSize) return;
    fileSize = statSync(db.name).size;
    const needed = size - fileSize + reserves[most];
    if (size <= fileSize || needed <= freeSpace()) return;
    // In SQLite's own words, which operators know.
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
  };
}
