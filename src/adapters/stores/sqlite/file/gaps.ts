/**
 * Clears what SQLite leaves of removed rows although it overwrites them (`secure_delete`): when it distributes rows among pages anew, copies of some
 * may stay in the unused middle of a page, its gap. Nothing ever reads a gap, so zeros may be written over it in the file itself, beside readers,
 * and a kill does no harm. But no one else may write the page meanwhile: neither from the WAL, nor from a cache that has the old gap.
 *
 * The layout of pages: https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
import { fdatasyncSync, openSync, readSync } from 'node:fs';
import type { Connection } from './connection.ts';
import { writeZeros } from './space.ts';

/** In bytes of the file: read at once, and searched in one step, which takes some 4 ms if the system has them in memory. */
const [blockLength, stepLength] = [2 ** 18, 2 ** 24];

/** Pages whose gaps are cleared in one step, which keeps other writers out for some 40 ms. */
const clearedAtOnce = 2 ** 12;

/** In bytes: the length of a page's header, by its first byte, for pages of tables and indexes. The first page of the file, with the schema, is none of them. */
const headerLengths: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };

/** Other pages begin with a page number of four bytes. Below this many pages its first byte is none of the above. */
const maxPages = 2 ** 25;

/**
 * Gaps also hold old offsets of rows, of two bytes each, which may stay: in pages of up to 8 KiB their first byte, at an even place, is below this.
 * Of any two adjacent letters, one stands at an even place and is at least this.
 */
const leastLetter = 0x20;

/** In bytes; undefined if the page has no gap. */
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
  /** In bytes: how far the file has been searched. */
  #looked = 0;
  /** In bytes: the places of pages that have to be cleared. */
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
   * Searches a part of the file. The WAL must be copied before the first part: rows that are moved later weren't removed before.
   * @returns whether there is more to search
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
   * Clears some of the pages that were found. To be called in a transaction while the WAL is empty. The pages stay clear once the transaction is
   * committed and no connection has an older cache. @throws SqliteError when the storage fails
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

  /** To be called when the pages stay clear. */
  next(): void {
    this.#found = this.#found.slice(clearedAtOnce);
  }

  /** Whether pages of tables and indexes can be told from others. */
  #isKnown(): boolean {
    const [pages, autoVacuum] = ['page_count', 'auto_vacuum'].map((name) =>
      Number(this.#db.pragma(name, { simple: true })),
    );
    return Number(pages) < maxPages && autoVacuum === 0;
  }
}
