/** How a copy gets its name: whole, never over another unseen, and at no moment is nothing there. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { logOf, sharedMemoryOf } from './file-watch.ts';

export function forceToDisk(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** With what SQLite keeps beside it. */
export function removeCopy(part: string): void {
  for (const path of [part, logOf(part), sharedMemoryOf(part), `${part}-journal`])
    rmSync(path, { force: true });
}

/**
 * The name of a copy while it is made: this process's own, since another that makes one of the same name at the same time would
 * take it for its own. What processes have left that were killed is removed.
 */
export function partOf(target: string): string {
  const own = `${target}.${process.pid}.part`;
  for (const name of readdirSync(dirname(target))) {
    const [, pid] = name.startsWith(`${basename(target)}.`) ? (/\.(\d+)\.part$/.exec(name) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid))) removeCopy(join(dirname(target), name));
  }
  removeCopy(own);
  return own;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

/** @throws Error when the target is there, also since a moment ago; it is left as it is */
export function publish(part: string, target: string): void {
  forceToDisk(part);
  try {
    linkSync(part, target);
  } catch {
    if (existsSync(target)) throw new Error(`${target} is there already`);
    // Not every file system has links.
    renameSync(part, target);
  }
  removeCopy(part);
  forceToDisk(dirname(target));
}

/**
 * What was there is kept beside it, with its log.
 * @returns where it is kept; undefined when there was nothing
 * @throws Error when that can't be done; what was there is there again, with its log
 */
export function replace(part: string, file: string): string | undefined {
  const kept = `${file}.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  const hasLog = existsSync(logOf(file));
  const isThere = existsSync(file);
  if (isThere) linkSync(file, kept);
  // The log before the file: ended in between, the next start misses it, and would not notice one too many.
  if (hasLog) renameSync(logOf(file), logOf(kept));
  try {
    forceToDisk(part);
    if (isThere) renameSync(part, file);
    else publish(part, file);
  } catch (cause) {
    if (hasLog) renameSync(logOf(kept), logOf(file));
    if (isThere) rmSync(kept);
    throw cause;
  }
  rmSync(sharedMemoryOf(file), { force: true });
  forceToDisk(dirname(file));
  return isThere ? kept : undefined;
}
