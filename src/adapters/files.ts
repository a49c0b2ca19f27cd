/** Files and folders that an operator names: looked at before they are used, since some never answer. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Windows has no such flag. */
const withoutWaiting = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export interface ReadOptions {
  /** Refuses a file on which group or others have rights. Windows has no such bits: there the folder's own rights decide. */
  readonly isPrivate: boolean;
}

/**
 * The text of a regular file. A FIFO or a device in its place is refused, where reading would wait for ever or find no end.
 * @throws Error that doesn't always name the file
 */
export function readRegularFile(file: string, { isPrivate }: ReadOptions): string {
  const fd = openSync(file, withoutWaiting);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (isPrivate && process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
      throw new Error('others than its owner have rights on it; run chmod 600 on it');
    return readFileSync(fd, 'utf8');
  } finally {
    closeSync(fd);
  }
}

/** Linux's file systems that show the kernel and keep nothing, by their number (statfs(2)). */
const kernelsOwn: ReadonlyMap<number, string> = new Map([
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x27e0eb, 'cgroup'],
  [0x63677270, 'cgroup2'],
  [0x64626720, 'debugfs'],
  [0x74726163, 'tracefs'],
  [0x73636673, 'securityfs'],
  [0x62656570, 'configfs'],
  [0x6165676c, 'pstore'],
  [0xcafe4a11, 'bpf'],
  [0x1cd1, 'devpts'],
]);

/**
 * Refuses a place that can't keep a file. `path` need not exist: its nearest folder that does is looked at.
 * @throws Error naming what is in the way
 */
export function assertKeepsFiles(path: string): void {
  let there = path;
  while (statSync(there, { throwIfNoEntry: false }) === undefined && dirname(there) !== there)
    there = dirname(there);
  const kind = process.platform === 'linux' ? kernelsOwn.get(statfsSync(there).type) : undefined;
  if (kind !== undefined) throw new Error(`${path} would be on a file system that keeps no files (${kind})`);
}

/**
 * Makes a folder, and those above it that are missing, for their owner alone. One by one: Node's own `recursive` never comes to an
 * end where the system says of a new folder that there is no such thing.
 * @throws Error naming the folder that can't be made
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  assertKeepsFiles(folder);
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process was quicker.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/** A file that was made or renamed is durable once its folder is; Windows can't open one, and needs no help. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
