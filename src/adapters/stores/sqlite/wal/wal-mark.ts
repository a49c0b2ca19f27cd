/**
 * The mark that shows whether a file and a WAL belong together. SQLite doesn't check: it plays any WAL that it finds into the file of that name, such
 * as a backup that was put there.
 *
 * Each time a WAL begins anew, SQLite increments the first salt in its header (https://www.sqlite.org/fileformat2.html#walformat): the WAL's
 * generation. The mark is a generation, in the high bits of `user_version`. It is written to the WAL whenever that begins anew, so it is in the file
 * before the next generation begins.
 *
 * A kill may leave a WAL of a new generation without commits. SQLite then gives it a random number if the next connection that writes has begun no
 * WAL itself. So the mark in the file is written again first: its generation in that WAL shows that the WAL was begun over the file.
 *
 * One bit of the mark is set right before a checkpoint, and cleared in the WAL right after. So it is set in a file that is in use and needs its WAL,
 * but neither in a closed file nor in copies made through SQLite.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Connection } from '../file/connection.ts';
import { walOf } from '../file/database-files.ts';

interface Mark {
  readonly isFile: boolean;
  /** 16 bits. */
  readonly generation: number;
}

const versionBits = 14;
export const versionMask = 2 ** versionBits - 1;

export const versionIn = (userVersion: number): number => userVersion & versionMask;

export const markIn = (userVersion: number): Mark => ({
  isFile: (userVersion & (1 << versionBits)) !== 0,
  generation: userVersion >>> 16,
});

/** SQLite's header field, a signed number of 32 bits. */
const userVersionOf = (version: number, { isFile, generation }: Mark): number =>
  (generation << 16) | (Number(isFile) << versionBits) | version;

export const walHeaderLength = 32;

/** @param header of the WAL */
export const generationIn = (header: Buffer): number => header.readUInt16BE(18);

export class WalMark {
  readonly #db: Connection;
  readonly #header = Buffer.alloc(walHeaderLength);
  #fd: number | undefined;
  /** The last generation that `follow` saw. */
  #seen: number | undefined;
  /** A checkpoint that another process has begun; it may have died since. */
  #othersBeginning: number | undefined;

  constructor(db: Connection) {
    this.#db = db;
  }

  /**
   * To be called right before a checkpoint.
   * @returns false if another process is about to make one. It may have died: if nothing has changed at the next call, this process goes ahead
   */
  begin(): boolean {
    const { isFile, generation } = markIn(this.#userVersion());
    const isOthers = isFile && generation !== this.#othersBeginning;
    this.#othersBeginning = isOthers ? generation : undefined;
    if (isOthers) this.#writeAgain();
    else this.write(true);
    return !isOthers;
  }

  /** Writes twice if the first write has begun the WAL anew. */
  write(isFile = false): void {
    let generation: number;
    do {
      generation = this.#generation();
      this.#set(() => ({ isFile, generation }));
    } while (generation !== this.#generation());
  }

  /**
   * Writes the mark after the copy, also if that has failed: SQLite copies the rest, and removes the WAL, when the last connection is closed, as
   * the end of a thread closes it. The file must not ask for that WAL.
   */
  clearingAfter<T>(copy: () => T): T {
    try {
      return copy();
    } finally {
      this.write();
    }
  }

  /** Marks a WAL that any process has begun anew. To be called after each commit; it takes microseconds. @returns whether it has begun anew */
  follow(): boolean {
    const generation = this.#generation();
    if (generation === this.#seen) return false;
    if (markIn(this.#userVersion()).generation !== generation) {
      this.#writeAgain();
      this.write();
    }
    this.#seen = generation;
    return true;
  }

  /** Whether nothing has been written to the WAL since it was emptied. */
  get isEmpty(): boolean {
    return fstatSync(this.#open()).size === 0;
  }

  /** For a copy. */
  clear(): void {
    this.#set(() => ({ isFile: false, generation: 0 }));
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }

  #writeAgain(): void {
    this.#set((mark) => mark);
  }

  #set(next: (mark: Mark) => Mark): void {
    const write = this.#db.transaction(() => {
      const before = this.#userVersion();
      this.#db.pragma(`user_version = ${userVersionOf(versionIn(before), next(markIn(before)))}`);
    });
    write.immediate();
  }

  #userVersion(): number {
    return Number(this.#db.pragma('user_version', { simple: true }));
  }

  #generation(): number {
    readSync(this.#open(), this.#header, 0, walHeaderLength, 0);
    return generationIn(this.#header);
  }

  /** SQLite never locks the WAL itself, so this may be closed. */
  #open(): number {
    this.#fd ??= openSync(walOf(this.#db.name), 'r');
    return this.#fd;
  }
}
