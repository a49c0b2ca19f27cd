/** Which column the cell at a place of the schema belongs to. */
import type { Column } from './csv-columns.ts';
import { findPlace, type Layout } from './csv-transcode-layout.ts';
import { buffers } from './transcode-buffers.ts';

/** A power of two, of which a thousand columns take a part. */
const tableSize = 4096;
/** Keys that are looked at for one of the same hash. What takes longer is left to JSON.parse. */
const maxTries = 8;

/** Whoever sends keys doesn't know which have the same hash. */
const seed = Math.floor(Math.random() * 2 ** 31) | 1;

const { input } = buffers;

export class SlotColumns {
  readonly count: number;
  /** The column of what has none: behind the others. */
  readonly none: number;
  /** By slot. */
  readonly bySlot: Int32Array;
  readonly #keys: (Buffer | undefined)[] = [];
  readonly #slots: number[] = [];
  /** By hash of a map's key. */
  readonly #table = new Int32Array(tableSize).fill(-1);

  constructor(layout: Layout, columns: readonly Column[]) {
    [this.count, this.none] = [columns.length, columns.length];
    this.bySlot = new Int32Array(layout.size).fill(this.none);
    for (const [column, { steps }] of columns.entries()) {
      const { slot, key } = findPlace(layout, steps) ?? {};
      if (slot === undefined) continue;
      if (key === undefined) this.bySlot[slot] = column;
      else this.#addKey(column, slot, Buffer.from(key));
    }
  }

  /** Of a map's key, from `start` to `end` in the input. @returns undefined when it can't be told quickly */
  find(slot: number, start: number, end: number): number | undefined {
    let place = hashOf(input, start, end);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const column = this.#table[place] ?? -1;
      if (column < 0) return this.none;
      if (this.#slots[column] === slot && isSame(this.#keys[column], start, end)) return column;
      place = (place + 1) % tableSize;
    }
    return undefined;
  }

  #addKey(column: number, slot: number, key: Buffer): void {
    [this.#keys[column], this.#slots[column]] = [key, slot];
    let place = hashOf(key, 0, key.length);
    while ((this.#table[place] ?? -1) >= 0) place = (place + 1) % tableSize;
    this.#table[place] = column;
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = seed;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) & (tableSize - 1);
}

function isSame(key: Buffer | undefined, start: number, end: number): boolean {
  if (key?.length !== end - start) return false;
  for (let at = 0; at < key.length; at += 1) if (key[at] !== input[start + at]) return false;
  return true;
}
