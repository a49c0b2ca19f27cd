/**
 * The length of the WAL as SQLite keeps it for all processes, in the header of the memory that they share
 * (https://www.sqlite.org/walformat.html#the_wal_index_header). `PRAGMA wal_checkpoint(NOOP)` tells it, too, but is compiled anew each time:
 * after each commit of a client that is alone, it took as long as a twelfth of the write.
 */
import { openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import { sharedMemoryOf } from '../file/file-watch.ts';

/** In bytes. */
const lengthPosition = 16;

export class WalIndex {
  readonly #file: string;
  readonly #bytes = Buffer.alloc(4);
  /** Never closed before the thread ends, by which it is: closing it would take the locks of this process's connections away. */
  #fd: number | undefined;

  /** @param file the database, on which a connection is open */
  constructor(file: string) {
    this.#file = file;
  }

  /** In pages. */
  length(): number {
    this.#fd ??= openSync(sharedMemoryOf(this.#file), 'r');
    readSync(this.#fd, this.#bytes, 0, this.#bytes.length, lengthPosition);
    return endianness() === 'LE' ? this.#bytes.readUInt32LE() : this.#bytes.readUInt32BE();
  }
}
