import { closeSync, openSync, readSync } from 'node:fs';
import { logOf } from '../file/file-watch.ts';

/** In the log's header (https://www.sqlite.org/fileformat2.html#walformat): two numbers that change whenever the log begins anew. */
const [saltAt, saltBytes] = [16, 8];

/**
 * Tells the log's beginnings apart. Its length doesn't: the first commit of a new log may be longer than the whole log
 * before. The log itself is never locked, so it may be opened and closed beside SQLite.
 */
export class LogSalt {
  readonly #file: string;
  readonly #salt = Buffer.alloc(saltBytes);
  #fd: number | undefined;

  /** @param file the database's */
  constructor(file: string) {
    this.#file = logOf(file);
  }

  /** Empty while there is no log, or nothing in it. Microseconds. */
  read(): string {
    try {
      this.#fd ??= openSync(this.#file, 'r');
      const read = readSync(this.#fd, this.#salt, 0, saltBytes, saltAt);
      return read === saltBytes ? this.#salt.toString('latin1') : '';
    } catch {
      return '';
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}
