/**
 * Splits a table into rows, and valid rows into cells (RFC 4180). Libraries can't read hostile files safely: csv-parse doesn't count empty
 * cells, so a gigabyte of commas fills the memory; it can't find the next row after a misplaced quote; and its errors have no column.
 */
import { documentStart, type Position, UnreadableError } from '../core/format.ts';
import { positionAt, toWholePosition } from '../core/positions.ts';

export const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

/** A complete row, not yet split into cells. */
export interface Frame {
  /** Without its line end. */
  readonly text: string;
  readonly position: Position;
  readonly cells: number;
  /** Set for misplaced quotes: the row then extends to the end of the line. */
  readonly fault?: { readonly detail: string; readonly position: Position };
}

const anyDelimiter: readonly number[] = delimiters.map((delimiter) => delimiter.charCodeAt(0));
const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const isLineEnd = (unit: number): boolean => unit === lineFeed || unit === carriageReturn;
const lineEnd = /\r\n?|\n/g;

const misplaced = {
  opening: 'a quote stands within a cell that does not begin with one',
  closing: 'something stands behind the closing quote of a cell',
};

/** The state of the scan. `closed` is after a quote in a quoted cell: the cell ends, or the quote is escaped by a second one. */
type State = 'cell' | 'plain' | 'quoted' | 'closed' | 'faulty';

/** Finds rows in text that arrives in pieces. LF, CR LF and CR end a row. Empty rows are skipped. */
export class FrameFinder {
  /** Undefined in the first row, the header, where every delimiter counts until the right one is known. */
  #delimiter: number | undefined;
  readonly #maxLength: number;
  #state: State = 'cell';
  #line = 1;
  /** The text of the incomplete row. */
  #pieces: string[] = [];
  #length = 0;
  #cells = 1;
  /** Index in the row of its last quoted cell, or of its fault. */
  #mark = 0;
  #fault: string | undefined;
  /** CR and LF of one line end may come in different pieces. */
  #afterReturn = false;

  constructor(maxLength: number, delimiter?: Delimiter) {
    this.#maxLength = maxLength;
    if (delimiter !== undefined) this.useDelimiter(delimiter);
  }

  /** Applies from the next row on. */
  useDelimiter(delimiter: Delimiter): void {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** @throws UnreadableError for a row that is too long */
  *find(text: string): Generator<Frame> {
    if (text === '') return;
    let from = this.#afterReturn && text.startsWith('\n') ? 1 : 0;
    this.#afterReturn = false;
    while (from < text.length) {
      from = this.#skipEmpty(text, from);
      if (from === text.length) return;
      const end = this.#scan(text, from);
      this.#lengthen(text.slice(from, end));
      if (end === text.length) return;
      const frame = this.#take();
      if (frame !== undefined) yield frame;
      from = end + (text.startsWith('\r\n', end) ? 2 : 1);
      this.#afterReturn = from === text.length && text.endsWith('\r');
    }
  }

  /** Skips empty rows, of which a small packed file can have millions. @returns the start of the next row */
  #skipEmpty(text: string, from: number): number {
    let at = from;
    if (this.#pieces.length > 0) return at;
    for (; at < text.length && isLineEnd(text.charCodeAt(at)); at += 1) {
      if (text.charCodeAt(at) === carriageReturn && text.charCodeAt(at + 1) === lineFeed) at += 1;
      this.#line += 1;
    }
    if (at > from) this.#afterReturn = at === text.length && text.endsWith('\r');
    return at;
  }

  /** Call after the last piece. @throws UnreadableError for an unclosed quote */
  end(): Frame | undefined {
    if (this.#state === 'quoted')
      throw new UnreadableError('a quote opens here and is never closed', this.#position(this.#mark));
    return this.#take();
  }

  /** @returns the index where the row or the text ends */
  #scan(text: string, from: number): number {
    let at = from;
    while (at < text.length) {
      if (this.#state === 'quoted') {
        const closing = text.indexOf('"', at);
        if (closing < 0) return text.length;
        this.#state = 'closed';
        at = closing + 1;
        continue;
      }
      const unit = text.charCodeAt(at);
      if (isLineEnd(unit)) return at;
      this.#step(unit, at - from);
      at += 1;
    }
    return text.length;
  }

  /** Processes one character outside quotes. @param offset from the start of this piece of the row */
  #step(unit: number, offset: number): void {
    if (this.#state === 'faulty') return;
    if (this.#isDelimiter(unit)) {
      this.#cells += 1;
      this.#state = 'cell';
    } else if (unit === quote && this.#state !== 'plain') {
      if (this.#state !== 'closed') this.#mark = this.#length + offset;
      this.#state = 'quoted';
    } else if (unit === quote || this.#state === 'closed') {
      this.#fault = unit === quote ? misplaced.opening : misplaced.closing;
      this.#mark = this.#length + offset;
      this.#state = 'faulty';
    } else this.#state = 'plain';
  }

  #isDelimiter(unit: number): boolean {
    return this.#delimiter === undefined ? anyDelimiter.includes(unit) : unit === this.#delimiter;
  }

  #lengthen(piece: string): void {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#length <= this.#maxLength) return;
    if (this.#state === 'quoted') {
      const detail = `a quote opens here and is not closed within the ${this.#maxLength} characters that a row may have`;
      throw new UnreadableError(detail, this.#position(this.#mark));
    }
    throw new UnreadableError(`the row has more than ${this.#maxLength} characters`, {
      ...documentStart,
      line: this.#line,
    });
  }

  /** Converts an index in the row to a position. */
  #position(at: number): Position {
    return toWholePosition({ line: this.#line, column: 1 }, positionAt(this.#pieces.join(''), at));
  }

  /** Ends the row. @returns undefined for an empty row */
  #take(): Frame | undefined {
    const text = this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join('');
    const fault =
      this.#fault === undefined
        ? {}
        : { fault: { detail: this.#fault, position: this.#position(this.#mark) } };
    const frame = { text, position: { line: this.#line, column: 1 }, cells: this.#cells, ...fault };
    this.#line += 1 + (text.includes('"') ? (text.match(lineEnd)?.length ?? 0) : 0);
    [this.#pieces, this.#length, this.#cells, this.#mark] = [[], 0, 1, 0];
    [this.#state, this.#fault] = ['cell', undefined];
    return text === '' ? undefined : frame;
  }
}

/** @param row without faults: a cell that begins with a quote ends with one */
export function splitCells(row: string, delimiter: Delimiter): readonly string[] {
  if (!row.includes('"')) return row.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; at <= row.length; at += 1) {
    const isQuoted = row[at] === '"';
    const end = isQuoted ? closingQuote(row, at + 1) : row.indexOf(delimiter, at);
    const cell = row.slice(isQuoted ? at + 1 : at, end < 0 ? row.length : end);
    cells.push(isQuoted ? cell.replaceAll('""', '"') : cell);
    at = end < 0 ? row.length : end + Number(isQuoted);
  }
  return cells;
}

/** Skips doubled quotes. */
function closingQuote(row: string, from: number): number {
  let at = row.indexOf('"', from);
  while (at >= 0 && row[at + 1] === '"') at = row.indexOf('"', at + 2);
  return at;
}
