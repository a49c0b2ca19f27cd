/** Publishes complete files only: a file is written beside its target, under a name with the process id, and then renamed. */
import { existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { codeOf } from './errors.ts';
import { forceToDisk, syncFolder } from './files.ts';

type Remove = (path: string) => void;

export const removeFile: Remove = (path) => rmSync(path, { force: true });

/**
 * A temporary name with this process's id, since another process may write the same target at the same time. Deletes the temporary files of
 * processes that no longer run.
 */
export function partOf(target: string, remove: Remove = removeFile): string {
  const own = `${target}.${process.pid}.part`;
  for (const name of readdirSync(dirname(target))) {
    const [, pid] = name.startsWith(`${basename(target)}.`) ? (/\.(\d+)\.part$/.exec(name) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid))) remove(join(dirname(target), name));
  }
  remove(own);
  return own;
}

/** Whether a process of any user has this id. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return codeOf(cause) === 'EPERM';
  }
}

/** @throws Error when the target exists, even if it was created meanwhile; it stays unchanged */
export function publish(part: string, target: string, remove: Remove = removeFile): void {
  forceToDisk(part);
  try {
    linkSync(part, target);
  } catch {
    if (existsSync(target)) throw new Error(`${target} is there already`);
    // Some file systems have no hard links.
    renameSync(part, target);
  }
  remove(part);
  syncFolder(dirname(target));
}

/** Replaces an existing target. */
export function publishOver(part: string, target: string): void {
  forceToDisk(part);
  renameSync(part, target);
  syncFolder(dirname(target));
}
