/**
 * The files of a database: the file itself and what SQLite keeps beside it. What is not a regular file is refused before SQLite opens it; a
 * watch tells when the file at the path is no longer the one that is open.
 */
import { openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { assertKeepsFiles, toRealPath } from '../../../system/files.ts';

/** SQLite looks for them beside the file itself, not beside a link to it. */
export const walOf = (file: string): string => `${file}-wal`;
export const sharedMemoryOf = (file: string): string => `${file}-shm`;

/** The file, and what SQLite keeps beside it. */
export const withFilesBeside = (file: string): readonly string[] => [
  file,
  walOf(file),
  sharedMemoryOf(file),
  `${file}-journal`,
];

/** As `withFilesBeside`; for a link, the files of its target. */
export const filesOf = (file: string): readonly string[] => withFilesBeside(toRealPath(file));

/** How many stores of this process have a file open, by its real path. */
const openHere = new Map<string, number>();

/** @returns to be called when all connections of the store are closed */
export function markOpen(file: string): () => void {
  const path = toRealPath(file);
  const count = (change: number) => openHere.set(path, (openHere.get(path) ?? 0) + change);
  count(1);
  return () => count(-1);
}

/** Such a file must not be opened and closed except by SQLite: this would release the locks of its connections in this process (fcntl). */
export const isOpenHere = (file: string): boolean => (openHere.get(toRealPath(file)) ?? 0) > 0;

/** The state of webhooks beside the file (../deliveries.ts). */
export const deliveryFilesOf = (file: string): readonly [rows: string, lock: string] => [
  `${toRealPath(file)}-webhooks`,
  `${toRealPath(file)}-webhooks-lock`,
];

function kindOf(stat: Stats): string | undefined {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a FIFO';
  if (stat.isSocket()) return 'a socket';
  if (stat.isCharacterDevice() || stat.isBlockDevice()) return 'a device';
  return undefined;
}

/**
 * SQLite would wait for a FIFO for ever, and take a device for an empty database. A missing file is usable if its folder can keep it.
 * @throws Error that names the obstacle: a folder, a FIFO, a device, a loop of links, a file system of the kernel's own
 */
export function assertUsableFile(file: string): void {
  for (const path of withFilesBeside(file)) {
    const stat = statSync(path, { throwIfNoEntry: false });
    const kind = stat && kindOf(stat);
    if (kind !== undefined) throw new Error(`${path} is ${kind}, not a file`);
  }
  assertKeepsFiles(file);
}

/** The `code` of the error, as in errno: the open file is no longer the one at its path. */
export const staleCode = 'ESTALE';

export const isStale = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === staleCode;

/** Device and inode of the file at the path. Undefined when there is none. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

const staleError = (path: string | undefined, happened: string): Error =>
  Object.assign(new Error(`${path} was ${happened} while it was in use`), { code: staleCode });

/** In bytes: SQLite's magic string, the page size and the flag of WAL mode. */
const beginningLength = 20;

export class FileWatch {
  readonly #watched: readonly { readonly path: string; readonly identity: string | undefined }[];
  /** Stays open until the thread ends: closing it would release the locks of this process's connections. */
  readonly #fd: number;
  readonly #beginning: Buffer;

  /** @param file on which a connection is open: its WAL and shared memory exist */
  constructor(file: string) {
    const real = realpathSync(file);
    this.#watched = [file, walOf(real), sharedMemoryOf(real)].map((path) => ({
      path,
      identity: identityOf(path),
    }));
    this.#fd = openSync(real, 'r');
    this.#beginning = this.#read();
  }

  /** True if only the WAL has lost its name: it can still be copied into the file. */
  lostOnlyTheLog(): boolean {
    const lost = this.#watched.filter(({ path, identity }) => identityOf(path) !== identity);
    return lost.length === 1 && lost[0] === this.#watched[1];
  }

  /** Takes a few microseconds. @throws Error with `staleCode`, which names the file that was removed, moved or replaced */
  assertInPlace(): void {
    for (const { path, identity } of this.#watched) {
      const found = identityOf(path);
      if (found !== undefined && found === identity) continue;
      const happened = found === undefined ? 'removed or moved away' : 'replaced by another file';
      throw staleError(path, happened);
    }
    // It is the same file, but was emptied, or a backup without a WAL was copied over it.
    if (!this.#read().equals(this.#beginning)) throw staleError(this.#watched[0]?.path, 'written over');
  }

  #read(): Buffer {
    const bytes = Buffer.alloc(beginningLength);
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, beginningLength, 0));
  }
}
