/** Backups: copies of the file that are complete without a WAL, and how a copy replaces the file. */

import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { codeOf, withFileName } from '../../system/errors.ts';
import { forceToDisk, keepFileOwner, partOf, publish, syncFolder } from '../../system/files.ts';
import { assertDriverLoads, withConnection } from './file/connection.ts';
import { assertUsableFile, sharedMemoryOf, walOf } from './file/database-files.ts';
import { assertIntegrity, runWhileUnused } from './file/integrity.ts';
import { assertReadableFile, countUsers } from './layout/layout.ts';
import { finishCopy, removeCopy, vacuumInto } from './wal/closed-copy.ts';
import { assertWalFits, hasItsWal } from './wal/wal-fit.ts';

/**
 * Writes one state of the file to another file; the service may run meanwhile.
 * @returns the number of users in the copy
 * @throws Error when the target exists, or the file can't be read or is damaged; no target is left then
 */
export async function backUp(path: string, targetPath: string): Promise<number> {
  const [file, target] = [resolve(path), resolve(targetPath)];
  if (existsSync(target)) throw new Error(`${target} is there already`);
  if (!existsSync(file)) throw new Error(`${file} is not there`);
  assertDriverLoads();
  await assertWalFits(file);
  assertReadableFile(file);
  const part = partOf(target, removeCopy);
  // SQLite fills an empty file; a file that it creates itself is readable by all users of the system.
  closeSync(openSync(part, 'wx', 0o600));
  try {
    try {
      vacuumInto(file, part);
    } catch (cause) {
      // SQLite doesn't say which of the two files has no room.
      throw codeOf(cause) === 'SQLITE_FULL' ? withFileName(target, cause) : cause;
    }
    const count = finishCopy(part, countUsers);
    publish(part, target, removeCopy);
    return count;
  } catch (cause) {
    removeCopy(part);
    throw cause;
  }
}

/**
 * Reads all of a backup, and changes nothing.
 * @returns its number of users
 * @throws Error when it is another program's file, damaged, still open, or of another release
 */
export function verifyBackup(path: string): number {
  const backup = realpathSync(path);
  assertDriverLoads();
  assertUsableFile(backup);
  assertClosed(backup);
  assertFilled(backup);
  return withConnection(backup, { readonly: true, busyTimeout: 1000 }, (db) => {
    assertIntegrity(db, 'integrity_check');
    return countUsers(db);
  });
}

/** A backup of an earlier release is migrated when the service starts with it. @param name of the original, if `file` is a copy */
function assertFilled(file: string, name = file): void {
  if (!assertReadableFile(file, { acceptsEarlier: true })) throw new Error(`${name} is empty`);
}

function assertClosed(backup: string): void {
  if (existsSync(walOf(backup)))
    throw new Error(
      `${backup} has a log beside it, so it is in use or was not closed: make a backup of it first`,
    );
}

interface Restored {
  readonly users: number;
  /** The new path of the previous file and its WAL; undefined if there was no file. */
  readonly before?: string | undefined;
}

/**
 * Replaces the file by a copy of a backup, and keeps the previous file beside it, with its WAL. The file itself may be the backup, to drop a WAL
 * that belongs to another file; its own WAL is taken with it, as far as that can be read.
 * @throws Error when the backup is another program's file, damaged, in use, or of another release, or the file is in use; nothing has changed
 *   then
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
  // If it is the file itself, closing it releases the lock (fcntl).
  const opened = openSync(backup, 'r');
  const replaceFile = async (): Promise<Restored> => {
    try {
      await writeFile(part, createReadStream('', { fd: opened, autoClose: false }), copyOptions);
      const users = completeCopy(backup, part, withLog);
      return { users, before: replace(part, file) };
    } catch (cause) {
      removeCopy(part);
      throw cause;
    }
  };
  try {
    return await (existsSync(file) ? runWhileUnused(file, replaceFile) : replaceFile());
  } finally {
    closeSync(opened);
  }
}

const copyOptions = { flag: 'wx', mode: 0o600 };

function completeCopy(backup: string, part: string, withLog: boolean): number {
  if (withLog) copyFileSync(walOf(backup), walOf(part));
  assertFilled(part, backup);
  return finishCopy(part, countUsers);
}

/**
 * Keeps the previous file beside the new one, with its WAL.
 * @returns the path of the previous file; undefined if there was none
 * @throws Error when that can't be done; the previous file and its WAL are back in their place then
 */
function replace(part: string, file: string): string | undefined {
  const kept = `${file}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const hasLog = existsSync(walOf(file));
  const isThere = existsSync(file);
  if (isThere) linkSync(file, kept);
  // The WAL is moved first: after an interruption the next start notices a missing WAL, but would not notice a WAL without its file.
  if (hasLog) renameSync(walOf(file), walOf(kept));
  try {
    keepFileOwner(part, file);
    forceToDisk(part);
    if (isThere) renameSync(part, file);
    else publish(part, file, removeCopy);
  } catch (cause) {
    if (hasLog) renameSync(walOf(kept), walOf(file));
    if (isThere) rmSync(kept);
    throw cause;
  }
  rmSync(sharedMemoryOf(file), { force: true });
  syncFolder(dirname(file));
  return isThere ? kept : undefined;
}
