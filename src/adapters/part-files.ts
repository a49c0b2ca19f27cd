/** A file gets its name when it is whole: until then it is written beside it, under a name of this process's own. */
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
import { syncFolder } from './files.ts';

export function forceToDisk(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

type Remove = (path: string) => void;

export const removeFile: Remove = (path) => rmSync(path, { force: true });

/**
 * The name of a file while it is made: this process's own, since another that makes one of the same name at the same time would
 * take it for its own. What processes have left that were killed is removed.
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

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

/** @throws Error when the target is there, also since a moment ago; it is left as it is */
export function publish(part: string, target: string, remove: Remove = removeFile): void {
  forceToDisk(part);
  try {
    linkSync(part, target);
  } catch {
    if (existsSync(target)) throw new Error(`${target} is there already`);
    // Not every file system has links.
    renameSync(part, target);
  }
  remove(part);
  syncFolder(dirname(target));
}

/** Puts it in the place of whatever is there. */
export function publishOver(part: string, target: string): void {
  forceToDisk(part);
  renameSync(part, target);
  syncFolder(dirname(target));
}
