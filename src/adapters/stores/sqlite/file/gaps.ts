/**
 * What SQLite leaves of removed rows although it overwrites them (`secure_delete`): when it divides rows among pages anew, copies of some may
 * stay in the unused middle of a page, its gap. Nothing ever reads a gap, so zeros may be written over it in the file itself, beside readers;
 * a kill in between does no harm. But no one else may be writing the page: not from the WAL, and not from a cache that has the gap as it was.
 *
 * The layout of pages: https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
import { fdatasyncSync, openSync, readSync } from 'node:fs';
import type { Connection } from './connection.ts';
import { writeZeros } from './space.ts';

/** In bytes, of the file: read at once, and looked through in one step, some 4 ms when the system has them in memory. */
const [blockLength, stepLength] = [2 ** 18, 2 ** 24];

/** Pages whose gaps are cleared in one step, while no other process writes: some 40 ms. */
const clearedAtOnce = 2 ** 12;

/** In bytes, by the first byte of a page: the header of those of tables and indexes. The first page is none: it has the schema. */
const headerLengths: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };

/** Other pages begin with the number of a page, of four bytes: up to here the first of them is none of the above. */
const maxPages = 2 ** 25;

/**
 * Most pages from which a row was removed also have old offsets of rows in the gap, two bytes each. They stay: in pages of up to 8 KiB their first byte
 * is below this. Of any two adjacent letters one stands at an even place, and is not below it.
 */
const leastLetter = 0x20;

/** From where to where, in bytes; undefined when the page has none. */
function gapIn(page: Buffer): { readonly from: number; readonly to: number } | undefined {
  const headerLength = headerLengths[page.readUInt8()];
  if (headerLength === undefined) return undefined;
  const from = headerLength + 2 * page.readUInt16BE(3);
  const to = page.readUInt16BE(5);
  return from < to && to <= page.length ? { from, to } : undefined;
}

function hasLetters(page: Buffer): boolean {
  const { from, to } = gapIn(page) ?? { from: 0, to: 0 };
  for (let at = from; at < to; at += 2) if ((page[at] ?? 0) >= leastLetter) return true;
  return false;
}

export class Gaps {
  readonly #db: Connection;
  readonly #pageSize: number;
  /** Stays open until the thread ends: closing it would release the locks of this process's connections. */
  readonly #fd: number;
  /** In bytes: how far the file has been looked through. */
  #looked = 0;
  /** Where the pages are that have to be cleared, in bytes. */
  #found: number[] = [];

  constructor(db: Connection) {
    this.#db = db;
    this.#pageSize = Number(db.pragma('page_size', { simple: true }));
    this.#fd = openSync(db.name, 'r+');
  }

  /** Whether there is something to clear. */
  get hasFound(): boolean {
    return this.#found.length > 0;
  }

  /**
   * Looks through a part of the file. Before the first, the WAL has to be copied: what is moved from then on wasn't removed before.
   * @returns whether there is more to look through
   */
  look(): boolean {
    const end = this.#looked + stepLength;
    let hasMore = true;
    while (hasMore && this.#looked < end) hasMore = this.#lookAtBlock();
    if (!hasMore) this.#looked = 0;
    return hasMore;
  }

  #lookAtBlock(): boolean {
    const bytes = Buffer.allocUnsafe(blockLength);
    const length = readSync(this.#fd, bytes, 0, blockLength, this.#looked);
    for (let at = 0; at + this.#pageSize <= length; at += this.#pageSize)
      if (hasLetters(bytes.subarray(at, at + this.#pageSize))) this.#found.push(this.#looked + at);
    this.#looked += length;
    return length === blockLength;
  }

  /**
   * Clears some of what was found. To be called in a transaction while the WAL is empty; it is done for good once that is committed and no
   * connection has a cache from before. @throws SqliteError when the storage fails
   */
  clear(): void {
    if (!this.#isKnown()) return;
    const page = Buffer.alloc(this.#pageSize);
    for (const at of this.#found.slice(0, clearedAtOnce)) {
      const isWhole = readSync(this.#fd, page, 0, page.length, at) === page.length;
      const gap = isWhole ? gapIn(page) : undefined;
      if (gap) writeZeros(this.#fd, at + gap.from, at + gap.to);
    }
    fdatasyncSync(this.#fd);
  }

  /** To be called once that is done for good. */
  next(): void {
    this.#found = this.#found.slice(clearedAtOnce);
  }

  /** Whether all pages that look like those of tables and indexes are. */
  #isKnown(): boolean {
    const [pages, autoVacuum] = ['page_count', 'auto_vacuum'].map((name) =>
      Number(this.#db.pragma(name, { simple: true })),
    );
    return Number(pages) < maxPages && autoVacuum === 0;
  }
}
