/**
 * The mark by which a file and its WAL are known to belong together. SQLite doesn't ask: it plays any WAL that it finds into the file of its
 * name, such as a backup that was put there.
 *
 * Each time that a WAL begins anew, SQLite counts up the first salt in its header (https://www.sqlite.org/fileformat2.html#walformat): the
 * WAL's generation. The mark is a generation, in the high bits of `user_version`. It is written to the WAL whenever that begins anew, and so
 * gets into the file before the next generation begins.
 *
 * A bit of the mark is set right before a checkpoint, and cleared right after, in the WAL. So it is set in a file that is in use and needs its
 * WAL, but not in a file that was closed, nor in copies made through SQLite.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Connection } from '../file/connection.ts';
import { walOf } from '../file/database-files.ts';

export interface Mark {
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
  /** The last generation that `follow` has seen. */
  #seen: number | undefined;
  /** A checkpoint that another process has begun; it may have died since. */
  #othersBeginning: number | undefined;

  constructor(db: Connection) {
    this.#db = db;
  }

  /**
   * For right before a checkpoint.
   * @returns false when another process is about to make one. It may have died: asked again with nothing changed, this one goes ahead
   */
  begin(): boolean {
    const { isFile, generation } = markIn(this.#userVersion());
    const isOthers = isFile && generation !== this.#othersBeginning;
    this.#othersBeginning = isOthers ? generation : undefined;
    if (!isOthers) this.write(true);
    return !isOthers;
  }

  /** Twice when the first write has begun the WAL anew. */
  write(isFile = false): void {
    let generation: number;
    do {
      generation = this.#generation();
      this.#set({ isFile, generation });
    } while (generation !== this.#generation());
  }

  /** For after every commit: marks a WAL that any process has begun anew. Microseconds. @returns whether it has begun anew */
  follow(): boolean {
    const generation = this.#generation();
    if (generation === this.#seen) return false;
    if (markIn(this.#userVersion()).generation !== generation) this.write();
    this.#seen = generation;
    return true;
  }

  /** Whether nothing has been written to the WAL since it was emptied. */
  get isEmpty(): boolean {
    return fstatSync(this.#open()).size === 0;
  }

  /** Of a copy. */
  clear(): void {
    this.#set({ isFile: false, generation: 0 });
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
  }

  #set(mark: Mark): void {
    const write = this.#db.transaction(() => {
      this.#db.pragma(`user_version = ${userVersionOf(versionIn(this.#userVersion()), mark)}`);
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

  /** SQLite never locks the WAL itself, so it may be opened and closed beside it. */
  #open(): number {
    this.#fd ??= openSync(walOf(this.#db.name), 'r');
    return this.#fd;
  }
}
