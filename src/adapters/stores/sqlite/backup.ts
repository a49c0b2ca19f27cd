/** Copies of the file that are whole by themselves, and how one is put in the file's place. */

import {
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { codeOf, withFileName } from '../../system/errors.ts';
import { forceToDisk, keepFileOwner, syncFolder } from '../../system/files.ts';
import { partOf, publish } from '../../system/part-files.ts';
import { assertDriverLoads, openConnection } from './file/connection.ts';
import { logOf, sharedMemoryOf } from './file/file-watch.ts';
import { assertIntegrity, runWhileUnused } from './file/integrity.ts';
import { assertUsableFile } from './file/usable-file.ts';
import { assertReadable, countUsers } from './layout/layout.ts';
import { assertWalFits, hasItsWal } from './wal/wal-fit.ts';
import { WalMark } from './wal/wal-mark.ts';

/** Makes the copy one that was closed in order, and looks through it. @returns how many users are in it */
function finishCopy(copy: string): number {
  const db = new Database(copy, { fileMustExist: true });
  try {
    db.pragma('synchronous = FULL');
    db.pragma('journal_mode = DELETE');
    assertIntegrity(db, 'integrity_check');
    new WalMark(db).clear();
    return countUsers(db);
  } finally {
    db.close();
  }
}

/**
 * Writes one state of the file to another one, while the service runs or not. It is read by one statement: a copy page by page
 * begins anew at every write of another process.
 * @returns how many users are in it
 * @throws Error when the target exists, or the file can't be read or is damaged; no target is left then
 */
export async function backUp(path: string, targetPath: string): Promise<number> {
  const [file, target] = [resolve(path), resolve(targetPath)];
  if (existsSync(target)) throw new Error(`${target} is there already`);
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  assertDriverLoads();
  await assertWalFits(file);
  assertReadable(file);
  const part = partOf(target, removeCopy);
  // SQLite fills an empty file; a file that it creates itself is readable by all users of the system.
  closeSync(openSync(part, 'wx', 0o600));
  try {
    const db = openConnection(file, { readonly: true, busyTimeout: 5000 });
    try {
      db.prepare('VACUUM INTO ?').run(part);
    } catch (cause) {
      // SQLite doesn't say which of the two files has no room.
      throw codeOf(cause) === 'SQLITE_FULL' ? withFileName(target, cause) : cause;
    } finally {
      db.close();
    }
    const count = finishCopy(part);
    publish(part, target, removeCopy);
    return count;
  } catch (cause) {
    removeCopy(part);
    throw cause;
  }
}

/**
 * Reads all of a backup, and changes nothing.
 * @returns how many users are in it
 * @throws Error when it is none of ours, damaged, not closed, or of a newer release
 */
export function verifyBackup(path: string): number {
  const backup = realpathSync(path);
  assertDriverLoads();
  assertUsableFile(backup);
  assertClosed(backup);
  assertFilled(backup);
  const db = openConnection(backup, { readonly: true, busyTimeout: 1000 });
  try {
    assertIntegrity(db, 'integrity_check');
    return countUsers(db);
  } finally {
    db.close();
  }
}

/** @param name of what `file` is a copy of */
function assertFilled(file: string, name = file): void {
  if (!assertReadable(file)) throw new Error(`${name} is empty`);
}

function assertClosed(backup: string): void {
  if (existsSync(logOf(backup)))
    throw new Error(
      `${backup} has a log beside it, so it is in use or was not closed: make a backup of it first`,
    );
}

export interface Restored {
  readonly users: number;
  /** Where the file is now that was there before, with its log; undefined when there was none. */
  readonly before?: string | undefined;
}

/**
 * Puts a copy of a backup in the file's place. What was there is kept beside it, with its log. The file itself may be the
 * backup: then it is taken as it lies there, without its log, or with as much of it as can be read when it is damaged.
 * @throws Error when the backup is none of ours, damaged, in use, or of a newer release, or the file is in use; nothing has changed then
 */
export async function restore(backupPath: string, path: string): Promise<Restored> {
  const backup = realpathSync(backupPath);
  assertDriverLoads();
  assertUsableFile(backup);
  const file = existsSync(path) ? realpathSync(path) : resolve(path);
  if (backup !== file) assertClosed(backup);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const part = partOf(file, removeCopy);
  const withLog = backup === file && hasItsWal(file);
  const replaceFile = (): Restored => {
    try {
      const users = copyBackup(backup, part, withLog);
      return { users, before: replace(part, file) };
    } catch (cause) {
      removeCopy(part);
      throw cause;
    }
  };
  return existsSync(file) ? runWhileUnused(file, replaceFile) : replaceFile();
}

function copyBackup(backup: string, part: string, withLog: boolean): number {
  closeSync(openSync(part, 'wx', 0o600));
  copyFileSync(backup, part);
  if (withLog) copyFileSync(logOf(backup), logOf(part));
  assertFilled(part, backup);
  return finishCopy(part);
}

/** With what SQLite keeps beside it. */
function removeCopy(part: string): void {
  for (const path of [part, logOf(part), sharedMemoryOf(part), `${part}-journal`])
    rmSync(path, { force: true });
}

/**
 * Keeps the previous file beside it, with its WAL.
 * @returns where it is kept; undefined when there was none
 * @throws Error when that can't be done; the previous file is restored, with its WAL
 */
function replace(part: string, file: string): string | undefined {
  const kept = `${file}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const hasLog = existsSync(logOf(file));
  const isThere = existsSync(file);
  if (isThere) linkSync(file, kept);
  // The WAL before the file: after an interruption the next start notices a missing WAL, but not one too many.
  if (hasLog) renameSync(logOf(file), logOf(kept));
  try {
    keepFileOwner(part, file);
    forceToDisk(part);
    if (isThere) renameSync(part, file);
    else publish(part, file, removeCopy);
  } catch (cause) {
    if (hasLog) renameSync(logOf(kept), logOf(file));
    if (isThere) rmSync(kept);
    throw cause;
  }
  rmSync(sharedMemoryOf(file), { force: true });
  syncFolder(dirname(file));
  return isThere ? kept : undefined;
}
