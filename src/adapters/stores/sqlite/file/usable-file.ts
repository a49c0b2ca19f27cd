/** Refuses what is not a regular file before SQLite opens it: SQLite would wait for ever, or take it for an empty database. */
import { type Stats, statSync } from 'node:fs';
import { assertKeepsFiles, toRealPath } from '../../../system/files.ts';

/** The database, and what SQLite keeps beside it. */
const suffixes = ['', '-wal', '-shm', '-journal'];

/** Of a link, those of the file that it leads to. */
export function filesOf(file: string): readonly string[] {
  const real = toRealPath(file);
  return suffixes.map((suffix) => real + suffix);
}

function kindOf(stat: Stats): string | undefined {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a FIFO';
  if (stat.isSocket()) return 'a socket';
  if (stat.isCharacterDevice() || stat.isBlockDevice()) return 'a device';
  return undefined;
}

/**
 * A file that is missing is usable, if its place is one that can keep it.
 * @throws Error saying what is in the way: a folder, a FIFO, a device, a loop of links, a file system of the kernel's own
 */
export function assertUsableFile(file: string): void {
  for (const path of suffixes.map((suffix) => file + suffix)) {
    const stat = statSync(path, { throwIfNoEntry: false });
    const kind = stat && kindOf(stat);
    if (kind !== undefined) throw new Error(`${path} is ${kind}, not a file`);
  }
  assertKeepsFiles(file);
}
