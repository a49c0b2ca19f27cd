/** Detects that the file at the path is no longer the one that was opened: SQLite's writes would be lost. */
import { openSync, readSync, realpathSync, statSync } from 'node:fs';

/** The `code` of the error, as in errno: the open file is no longer the one at its path. */
export const staleCode = 'ESTALE';

export const isStale = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === staleCode;

interface Watched {
  readonly path: string;
  readonly identity: string | undefined;
}

/** Device and inode of the file at the path. Undefined when there is none. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

const staleError = (path: string | undefined, happened: string): Error =>
  Object.assign(new Error(`${path} was ${happened} while it was in use`), { code: staleCode });

/** The names of what SQLite keeps beside a file, which it looks for beside the file itself, not beside a link to it. */
export const logOf = (file: string): string => `${file}-wal`;
export const sharedMemoryOf = (file: string): string => `${file}-shm`;

/** In bytes: SQLite's magic string, the page size, and the flag that it keeps a log. */
const beginningLength = 20;

export class FileWatch {
  readonly #watched: readonly Watched[];
  /** Never closed before the thread ends, by which it is: closing it would take the locks of this process's connections away. */
  readonly #fd: number;
  readonly #beginning: Buffer;

  /** @param file in use: its WAL and shared memory exist as long as a connection is open */
  constructor(file: string) {
    const real = realpathSync(file);
    this.#watched = [file, logOf(real), sharedMemoryOf(real)].map((path) => ({
      path,
      identity: identityOf(path),
    }));
    this.#fd = openSync(real, 'r');
    this.#beginning = this.#read();
  }

  /** True when only the log has lost its name: its content can still be copied into the file. */
  lostOnlyTheLog(): boolean {
    const lost = this.#watched.filter(({ path, identity }) => identityOf(path) !== identity);
    return lost.length === 1 && lost[0] === this.#watched[1];
  }

  /** A few microseconds. @throws Error with `staleCode`, naming what was removed, moved or replaced */
  assertInPlace(): void {
    for (const { path, identity } of this.#watched) {
      const found = identityOf(path);
      if (found !== undefined && found === identity) continue;
      const happened = found === undefined ? 'removed or moved away' : 'replaced by another file';
      throw staleError(path, happened);
    }
    // Emptied, or a backup copied over it, which keeps no log: it is the same file all the same.
    if (!this.#read().equals(this.#beginning)) throw staleError(this.#watched[0]?.path, 'written over');
  }

  #read(): Buffer {
    const bytes = Buffer.alloc(beginningLength);
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, beginningLength, 0));
  }
}
