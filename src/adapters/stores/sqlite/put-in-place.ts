/** Renames a copy into place: complete, never silently over another file, and without a moment in which no file exists. */
import { chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../../system/files.ts';
import { forceToDisk, publish } from '../../system/part-files.ts';
import { logOf, sharedMemoryOf } from './file/file-watch.ts';

/** With what SQLite keeps beside it. */
export function removeCopy(part: string): void {
  for (const path of [part, logOf(part), sharedMemoryOf(part), `${part}-journal`])
    rmSync(path, { force: true });
}

/** Root restores for the service's own account, which couldn't open a file of root's. */
function keepOwner(part: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(existsSync(file) ? file : dirname(file));
  chownSync(part, uid, gid);
}

/**
 * Keeps the previous file beside it, with its WAL.
 * @returns where it is kept; undefined when there was none
 * @throws Error when that can't be done; the previous file is restored, with its WAL
 */
export function replace(part: string, file: string): string | undefined {
  const kept = `${file}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const hasLog = existsSync(logOf(file));
  const isThere = existsSync(file);
  if (isThere) linkSync(file, kept);
  // The WAL before the file: after an interruption the next start notices a missing WAL, but not one too many.
  if (hasLog) renameSync(logOf(file), logOf(kept));
  try {
    keepOwner(part, file);
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
