/**
 * Accesses files and folders that an operator names. They are checked first, since reading a FIFO or device may never end. Publishes complete
 * files only: a file is written beside its target, under a name with the process id (`partOf`), and then renamed.
 *
 * Beside it: `errors.ts` reads errors of the system, `clock-and-ids.ts` tells the time and makes ids and versions, and `program.ts` knows the
 * program's own folder and version.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lchownSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf } from './errors.ts';

/** Opening a FIFO must not wait for a writer. Windows has no O_NONBLOCK. */
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

interface ReadOptions {
  /** Refuses a file with permissions for group or others. Ignored on Windows, which has no such bits. */
  readonly isPrivate: boolean;
}

/** Refuses a FIFO or a device, where reading could block or never end. @throws Error that may not name the file */
export function readRegularFile(file: string, { isPrivate }: ReadOptions): string {
  const fd = openSync(file, openFlags);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error('it is not a regular file');
    if (isPrivate && process.platform !== 'win32' && (stat.mode & 0o077) !== 0)
      throw new Error('others than its owner have rights on it; run chmod 600 on it');
    // With an encoding, Node reads 8 KiB at a time: ten times as long for ten thousand keys.
    return readFileSync(fd).toString();
  } finally {
    closeSync(fd);
  }
}

/** Resolves symbolic links; the file itself need not exist. */
export function toRealPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(resolve(path));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : resolve(path);
}

/** Linux file systems that only expose kernel state, by magic number (statfs(2)). */
const kernelFileSystems: ReadonlyMap<number, string> = new Map([
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

/** Checks the nearest existing folder; `path` itself need not exist. @throws Error naming the file system when it can't store a file */
export function assertKeepsFiles(path: string): void {
  let there = path;
  while (statSync(there, { throwIfNoEntry: false }) === undefined && dirname(there) !== there)
    there = dirname(there);
  const kind = process.platform === 'linux' ? kernelFileSystems.get(statfsSync(there).type) : undefined;
  if (kind !== undefined) throw new Error(`${path} would be on a file system that keeps no files (${kind})`);
}

/**
 * Creates a folder and its missing parents with mode 0700. Doesn't use Node's `recursive`, which never ends where the system returns ENOENT
 * for a new folder.
 * @throws Error naming the folder that can't be created
 */
export function makeFolder(folder: string): void {
  const there = statSync(folder, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there !== undefined) throw new Error(`${folder} is not a directory`);
  assertKeepsFiles(folder);
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}

/**
 * Gives a file that root writes the owner of the file that it replaces, or of the folder if it replaces none: the service's own account
 * could not open a file of root's.
 */
export function keepFileOwner(part: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(existsSync(file) ? file : dirname(file));
  // Does not follow a link: the account could put one there meanwhile, and would get the file that it leads to.
  lchownSync(part, uid, gid);
}

export function forceToDisk(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A new or renamed file is durable only after its folder is synced. Windows can't open folders and doesn't need this. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') forceToDisk(folder);
}

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
