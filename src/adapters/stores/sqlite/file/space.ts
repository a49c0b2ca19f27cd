/** The space on the disk of the file. */

import { fstatSync, openSync, statfsSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf } from '../../../system/errors.ts';
import type { Connection } from './connection.ts';
import { isFull } from './sqlite-errors.ts';

/** In bytes. */
export function freeSpaceBeside(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

/**
 * The free space that a transaction must leave, as a share of `reserveOf`. Creations leave room for changes, which may need a page for an index.
 * Changes leave room for removals, which need the least.
 */
const reserves = { create: 1, change: 1 / 2, remove: 0 };

/** In bytes. Any write may make FTS5 merge parts of its index, which are larger in a large file. */
const reserveOf = (fileSize: number): number => Math.min(2 ** 23, Math.max(2 ** 20, fileSize / 2));

/** In bytes: zeros that are written at once. */
const blockSize = 2 ** 16;

// In SQLite's own words, which operators know.
const fullError = (): Error => new Database.SqliteError('database or disk is full', 'SQLITE_FULL');

/** @throws SqliteError as SQLite's own when it writes to the file */
export function writeZeros(fd: number, from: number, to: number): void {
  const zeros = Buffer.alloc(Math.min(blockSize, to - from));
  try {
    for (let at = from; at < to; ) at += writeSync(fd, zeros, 0, Math.min(zeros.length, to - at), at);
  } catch (cause) {
    if (codeOf(cause) === 'ENOSPC') throw fullError();
    throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_WRITE');
  }
}

/**
 * Lets the file grow before the commit of a transaction. A commit goes into the WAL, and SQLite lets the file grow only when it copies the WAL.
 * Without space for that, the WAL could not begin anew, and would take no more writes, not even those that make room. So the file grows here,
 * before the WAL takes the space. SQLite cuts it to its pages at the end of a copy.
 *
 * Another process may be copying earlier commits, including pages behind the end of the file. These pages count, but are not written here.
 * @returns `begin` is called right after the beginning of the transaction, `assertRoom` before its commit, with the most that the transaction does;
 *   it throws SqliteError `SQLITE_FULL`
 */
export function makeRoomCheck(
  db: Connection,
  freeSpace = () => freeSpaceBeside(db.name),
): { readonly begin: () => void; readonly assertRoom: (most: keyof typeof reserves) => void } {
  const pageSize = Number(db.pragma('page_size', { simple: true }));
  const [savepoint, release] = [db.prepare('SAVEPOINT room'), db.prepare('RELEASE room')];
  const pageCount = db.prepare<[], number>('PRAGMA page_count').pluck();
  // Stays open until the thread ends: closing it would release the locks of this process's connections.
  const fd = openSync(db.name, 'r+');
  const sizeOfPages = (): number => pageSize * (pageCount.get() ?? 0);
  let committed = 0;
  const begin = (): void => {
    committed = sizeOfPages();
  };
  const assertRoom = (most: keyof typeof reserves): void => {
    // At a savepoint FTS5 writes what it would otherwise write at the commit.
    savepoint.run();
    release.run();
    const size = sizeOfPages();
    const fileSize = fstatSync(fd).size;
    if (size <= fileSize) return;
    if (size - fileSize + reserves[most] * reserveOf(fileSize) > freeSpace()) throw fullError();
    try {
      writeZeros(fd, Math.max(fileSize, committed), size);
    } catch (cause) {
      // The disk has space, but this account has none, as beyond a quota: the WAL takes the transaction nevertheless.
      if (!isFull(cause)) throw cause;
    }
  };
  return { begin, assertRoom };
}
