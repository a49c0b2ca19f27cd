/**
 * Splits a table into rows, and valid rows into cells (RFC 4180); and prints rows. Libraries can't read hostile files safely: csv-parse doesn't count empty
 * cells, so a gigabyte of commas fills the memory; it can't find the next row after a misplaced quote; and its errors have no column.
 */

import { type Delimiter, delimiters } from '../port/file-format.ts';
import { type Position, UnreadableError } from '../text/positions.ts';

/** A complete row, not yet split into cells. */
export interface RawRow {
  /** The row without its line end. */
  readonly text: string;
  /** The position of its first cell. */
  readonly position: Position;
  readonly cells: number;
  /** Set for misplaced quotes: the row then extends to the end of the line. */
  readonly fault?: { readonly detail: string; readonly position: Position };
}

const anyDelimiter: readonly number[] = Object.values(delimiters).map((delimiter) => delimiter.charCodeAt(0));
const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const isLineEnd = (unit: number): boolean => unit === lineFeed || unit === carriageReturn;

const misplaced = {
  opening:
    'a quote stands within a cell that does not begin with one: put quotes around the cell, and double those in it',
  closing: 'text follows the closing quote of a cell: double the quotes in a cell',
};

/** The state of the scan. `closed` is after a quote in a quoted cell: the cell ends, or the quote is escaped by a second one. */
type State = 'cell' | 'plain' | 'quoted' | 'closed' | 'faulty';

/**
 * Finds rows in text that arrives in pieces. LF, CR LF and CR end a row. Empty rows are skipped. Positions are rows and columns as a
 * spreadsheet numbers them: a row with line ends in its cells is one, and an empty row counts.
 */
export class RowFinder {
  /** Undefined while every delimiter counts: in the header, and in tables whose delimiter is not sure. */
  #delimiter: number | undefined;
  readonly #maxLength: number;
  #state: State = 'cell';
  #row: number;
  /** The text of the incomplete row. */
  #pieces: string[] = [];
  #length = 0;
  #cells = 1;
  #fault: string | undefined;
  /** CR and LF of one line end may come in different pieces. */
  #afterReturn = false;

  /** @param row the number of the first row */
  constructor(maxLength: number, row = 1) {
    [this.#maxLength, this.#row] = [maxLength, row];
  }

  /** Applies from the next row on. */
  useDelimiter(delimiter: Delimiter): void {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** Numbers the rows as if the last one, which spreadsheets hide, weren't there. */
  hideRow(): void {
    this.#row -= 1;
  }

  /** The position of the current cell. */
  get position(): Position {
    return { line: this.#row, column: this.#cells };
  }

  /** @throws UnreadableError for a row that is too long */
  *find(text: string): Generator<RawRow> {
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
      this.#row += 1;
    }
    if (at > from) this.#afterReturn = at === text.length && text.endsWith('\r');
    return at;
  }

  /** Call after the last piece. @throws UnreadableError for an unclosed quote */
  end(): RawRow | undefined {
    if (this.#state === 'quoted')
      throw new UnreadableError('a quote opens here and is never closed', this.position);
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
      this.#step(unit);
      at += 1;
    }
    return text.length;
  }

  /** Processes one character outside quotes. */
  #step(unit: number): void {
    if (this.#state === 'faulty') return;
    if (this.#isDelimiter(unit)) {
      this.#cells += 1;
      this.#state = 'cell';
    } else if (unit === quote && this.#state !== 'plain') {
      this.#state = 'quoted';
    } else if (unit === quote || this.#state === 'closed') {
      this.#fault = unit === quote ? misplaced.opening : misplaced.closing;
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
      throw new UnreadableError(detail, this.position);
    }
    throw new UnreadableError(`the row has more than ${this.#maxLength} characters`, {
      line: this.#row,
      column: 1,
    });
  }

  /** Ends the row. @returns undefined for an empty row */
  #take(): RawRow | undefined {
    const text = this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join('');
    const fault =
      this.#fault === undefined ? {} : { fault: { detail: this.#fault, position: this.position } };
    const frame = { text, position: { line: this.#row, column: 1 }, cells: this.#cells, ...fault };
    this.#row += 1;
    [this.#pieces, this.#length, this.#cells] = [[], 0, 1];
    [this.#state, this.#fault] = ['cell', undefined];
    return text === '' ? undefined : frame;
  }
}

/** Readers also end a line at a lone CR or LF, and may take another delimiter for theirs. */
const needsQuotes = /[,;\t"\r\n]/;

export const quoteCell = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** A row with its line end. */
export function printRow(cells: readonly string[], delimiter: Delimiter): string {
  let row = '';
  for (const cell of cells) row += (needsQuotes.test(cell) ? quoteCell(cell) : cell) + delimiter;
  return `${row.slice(0, -1)}\r\n`;
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
