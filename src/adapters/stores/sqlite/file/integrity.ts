/** Checks before a file is used: that no other process has it open, and that it is not damaged. */

import { linkSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { wordsOf } from '../../../system/program.ts';
import { type Connection, openConnection } from './connection.ts';
import { sharedMemoryOf, walOf } from './database-files.ts';
import { isDamage, isLocked } from './sqlite-errors.ts';

/** In bytes. The check of larger files would take longer than a supervisor waits for a start: some seconds on a slow disk. */
const checkedUpTo = 512 * 2 ** 20;

let aliases = 0;

/**
 * Runs `during` with the file locked exclusively; its WAL is left alone.
 * @throws Error with the code EBUSY when another process has it open
 */
export async function runWhileUnused<T>(file: string, during: () => T | Promise<T>): Promise<T> {
  // SQLite locks the file itself, but finds the WAL by the file's name: under another name the lock holds, and the WAL is left alone.
  aliases += 1;
  const alias = join(dirname(file), `.in-use-${process.pid}-${aliases}`);
  rmSync(alias, { force: true });
  linkSync(file, alias);
  let db: Connection | undefined;
  try {
    db = new Database(alias, { fileMustExist: true, timeout: 0 });
    lock(db);
    return await during();
  } finally {
    db?.close();
    for (const path of [alias, walOf(alias), sharedMemoryOf(alias)]) rmSync(path, { force: true });
  }
}

function lock(db: Connection): void {
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
    db.exec('ROLLBACK');
  } catch (cause) {
    if (isLocked(cause))
      throw Object.assign(new Error('the service, or another program, has it open', { cause }), {
        code: 'EBUSY',
      });
    // A file that is not a database can't be open as one.
    if (!isDamage(cause)) throw cause;
  }
}

/** Reads all of the file; `integrity_check` also compares tables with their indexes. @throws Error when it is damaged */
export function assertIntegrity(db: Connection, check: 'quick_check' | 'integrity_check'): void {
  const found = firstFault(db, check);
  if (found !== 'ok') throw new Error(`it is damaged (${found})`);
}

function firstFault(db: Connection, check: string): string {
  try {
    return String(db.pragma(`${check}(1)`, { simple: true }));
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    return cause instanceof Error ? cause.message : '';
  }
}

/** Checks a file that was not closed properly, unless it is too large or another process has it open. @throws Error when it is damaged */
export async function assertUndamaged(file: string): Promise<void> {
  const logSize = statSync(walOf(file), { throwIfNoEntry: false })?.size ?? 0;
  if (logSize === 0 || statSync(file).size > checkedUpTo || (await isInUse(file))) return;
  const db = openConnection(file, { readonly: true, busyTimeout: 1000 });
  try {
    assertIntegrity(db, 'quick_check');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'it is damaged';
    throw new Error(`${reason}; restore a backup: ${wordsOf('restore')} BACKUP`, { cause });
  } finally {
    db.close();
  }
}

/** True also if that can't be determined, as without hard links. */
async function isInUse(file: string): Promise<boolean> {
  try {
    await runWhileUnused(file, () => undefined);
    return false;
  } catch {
    return true;
  }
}
