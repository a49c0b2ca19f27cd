/** Notes where the cells of a user stand in canonical JSON; csv-transcode-source.ts writes what goes through the members. */
import { maxColumns } from './csv-columns.ts';
import type { SlotColumns } from './csv-transcode-columns.ts';
import {
  buffers,
  byteSet,
  countBefore,
  markLow,
  markZeros,
  namePart,
  unexpected,
} from './transcode-buffers.ts';
import { wordAt } from './transcode-source.ts';

const { input, from } = buffers;

export const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [colon, brace, braceEnd, bracket, bracketEnd, space] = [0x3a, 0x7b, 0x7d, 0x5b, 0x5d, 0x20];

/** Behind a backslash. The others are left to JSON.parse. */
const escapes = byteSet('"\\nrt');

const [trueWord, falseWord, endOfFalse] = [wordAt('true', 0), wordAt('false', 0), 0x65];

/**
 * Of four bytes, the highest bit of each that may not just be copied, or ends a text: quote, backslash, `|`, comma, and what is below a
 * space. Above the lowest such byte others may be marked too.
 */
function markSpecial(word: number): number {
  // Those two differ in one bit.
  const backslashes = (word & 0xdfdfdfdf) ^ 0x5c5c5c5c;
  const [quotes, commas] = [word ^ 0x22222222, word ^ 0x2c2c2c2c];
  return (markZeros(backslashes) | markZeros(quotes) | markZeros(commas) | markLow(word)) & 0x80808080;
}

/** Methods that note take a place in the input, and a slot or column, and return the place behind what is noted. They throw `unexpected`. */
export class NoteCursor {
  readonly input = input;
  readonly from = from;
  columns: SlotColumns;
  /** By column: where its cell begins, behind the quote of a text. Below `begin`, it is none of this user's. */
  readonly starts = new Int32Array(maxColumns + 2);
  /** By column: where its cell ends; below zero of one that can't just be copied. */
  readonly ends = new Int32Array(maxColumns + 2);
  /** Where the user begins. */
  begin = 0;

  constructor(columns: SlotColumns) {
    this.columns = columns;
  }

  /** To be called when there is something else in the input. */
  clear(): void {
    this.starts.fill(-1);
  }

  /** A string, true or false. Numbers aren't among them: no user has one. */
  note(start: number, slot: number): number {
    return this.#note(start, this.columns.bySlot[slot] ?? 0);
  }

  /** Of values, which are one cell. */
  noteList(start: number, slot: number): number {
    if (input[start] !== bracket) throw unexpected;
    let at = start;
    do {
      if (input[at + 1] !== quote) throw unexpected;
      at = this.#findEnd(at + 2) + 1;
    } while (input[at] === comma);
    if (input[at] !== bracketEnd) throw unexpected;
    this.#put(this.columns.bySlot[slot] ?? 0, start, -at);
    return at + 1;
  }

  noteMap(start: number, slot: number): number {
    const { columns, starts, begin } = this;
    if (input[start] !== brace) throw unexpected;
    let at = start;
    do {
      if (input[at + 1] !== quote) throw unexpected;
      let end = at + 2;
      while (namePart[input[end] ?? 0] === 1) end += 1;
      if (input[end] !== quote || input[end + 1] !== colon) throw unexpected;
      const column = columns.find(slot, at + 2, end);
      // Of a key that stands there twice, JSON.parse knows which counts.
      if (column === undefined || (column !== columns.none && (starts[column] ?? 0) >= begin))
        throw unexpected;
      at = this.#note(end + 2, column);
    } while (input[at] === comma);
    if (input[at] !== braceEnd) throw unexpected;
    return at + 1;
  }

  refuse(): never {
    throw unexpected;
  }

  #note(start: number, column: number): number {
    if (input[start] !== quote) return this.#noteLiteral(start, column);
    let at = start + 1;
    let marks = markSpecial(from.getInt32(at, true));
    while (marks === 0) {
      at += 4;
      marks = markSpecial(from.getInt32(at, true));
    }
    at += countBefore(marks);
    const isPlain = input[at] === quote;
    if (!isPlain) at = this.#findEnd(at);
    this.#put(column, start + 1, isPlain ? at : -at);
    return at + 1;
  }

  #noteLiteral(start: number, column: number): number {
    const word = from.getInt32(start, true);
    const length = word === trueWord ? 4 : 5;
    if (length === 5 && (word !== falseWord || input[start + 4] !== endOfFalse)) throw unexpected;
    this.#put(column, start, start + length);
    return start + length;
  }

  #put(column: number, start: number, end: number): void {
    this.starts[column] = start;
    this.ends[column] = end;
  }

  /** @returns the place of a text's closing quote */
  #findEnd(start: number): number {
    for (let at = start; ; at += 1) {
      let marks = markSpecial(from.getInt32(at, true));
      while (marks === 0) {
        at += 4;
        marks = markSpecial(from.getInt32(at, true));
      }
      at += countBefore(marks);
      const byte = input[at] ?? 0;
      if (byte === quote) return at;
      if (byte < space) throw unexpected;
      if (byte !== backslash) continue;
      at += 1;
      if (escapes[input[at] ?? 0] === 0) throw unexpected;
    }
  }
}
