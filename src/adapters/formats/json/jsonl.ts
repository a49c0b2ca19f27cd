/**
 * JSON Lines: one user per line, in the format of the API. A line ends with LF. White space around the user, such as a CR, is ignored, and
 * so are blank lines.
 */

import type { TObject } from 'typebox';
import type { FileCodec, FileFormat, FileReadOptions, FileRow } from '../port/file-format.ts';
import { batchRows, describeRejection, isRejection } from '../port/file-rows.ts';
import { decodeFile } from '../text/file-text.ts';
import { type Position, UnreadableError } from '../text/positions.ts';
import { findPlace } from './diagnostics.ts';
import { parseDocument } from './json.ts';
import { ItemEndFinder } from './list-scanner.ts';

const lineFeed = 0x0a;
const blanks: readonly number[] = [lineFeed, 0x0d, 0x20, 0x09];

const isBlank = (line: string): boolean => /^[ \t\r]*$/.test(line);

/** Finds lines in text that arrives in pieces. */
class LineReader {
  readonly #schema: TObject;
  readonly #maxLength: number;
  #number = 1;
  /** The text of the incomplete line. */
  #pieces: string[] = [];
  #length = 0;

  constructor(schema: TObject, maxLength: number) {
    [this.#schema, this.#maxLength] = [schema, maxLength];
  }

  *read(text: string): Generator<FileRow> {
    let from = this.#skipBlank(text, 0);
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
      this.#lengthen(text, from, end);
      yield* this.#endLine();
      this.#number += 1;
      from = this.#skipBlank(text, end + 1);
    }
    this.#lengthen(text, from, text.length);
  }

  /** Skips blank lines, of which a small packed file can have millions. @returns the start of the next line */
  #skipBlank(text: string, from: number): number {
    let start = from;
    if (this.#pieces.length > 0) return start;
    for (let at = from; at < text.length && at - start <= this.#maxLength; at += 1) {
      const unit = text.charCodeAt(at);
      if (!blanks.includes(unit)) break;
      if (unit !== lineFeed) continue;
      start = at + 1;
      this.#number += 1;
    }
    return start;
  }

  /** Call after the last piece. @throws UnreadableError for a truncated last line: an incomplete value without a line break */
  *end(): Generator<FileRow> {
    const line = withoutReturns(this.#pieces.join(''));
    if (isUnfinished(line))
      throw new UnreadableError('the file is cut off: its last line is not whole', {
        line: this.#number,
        column: 1 + line.length,
      });
    yield* this.#endLine();
  }

  *#endLine(): Generator<FileRow> {
    const line = this.#pieces.length === 1 ? this.#pieces[0] : this.#pieces.join('');
    [this.#pieces, this.#length] = [[], 0];
    if (line === undefined || isBlank(line)) return;
    const row = readLine(this.#schema, line, this.#number);
    if (row !== undefined) yield row;
  }

  #lengthen(text: string, from: number, to: number): void {
    if (from === to) return;
    this.#length += to - from;
    if (this.#length > this.#maxLength) {
      const detail = `the line has more than ${this.#maxLength} characters`;
      throw new UnreadableError(detail, { line: this.#number, column: 1 });
    }
    this.#pieces.push(text.slice(from, to));
  }
}

/** Removes CRs at the end. The pattern /\r+$/ is quadratic: it retries at every CR. */
function withoutReturns(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === '\r') end -= 1;
  return line.slice(0, end);
}

/** True while brackets or quotes are open. */
function isUnfinished(line: string): boolean {
  const finder = new ItemEndFinder();
  finder.find(line, 0);
  return finder.isWithin;
}

/** @returns undefined for the reasons of a rejected row */
function readLine(schema: TObject, line: string, number: number): FileRow | undefined {
  const position: Position = { line: number, column: 1 };
  const text = withoutReturns(line);
  try {
    // JSON allows a tab wherever it allows a CR, and a tab isn't a line end in positions.
    const { value, violations } = parseDocument(schema, text.replaceAll('\r', '\t'));
    const locate = (pointer: string) => ({ line: number, column: 1 + findPlace(text, pointer) });
    return isRejection(value) ? undefined : { value, violations, position, text, locate };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    const place = { line: number, column: error.position?.column ?? 1 };
    const violations = [{ pointer: '', detail: error.message }];
    return { value: undefined, violations, position, text, locate: () => place };
  }
}

async function* readLines(
  schema: TObject,
  chunks: AsyncIterable<Uint8Array>,
  { encoding, maxRowLength }: FileReadOptions,
): AsyncGenerator<Iterable<FileRow>> {
  const reader = new LineReader(schema, maxRowLength);
  for await (const text of decodeFile(chunks, encoding)) yield reader.read(text);
  yield reader.end();
}

const lines = { open: '', between: '', close: '' };

function codec<T>(schema: TObject): FileCodec<T> {
  const rowOfJson = (text: string): string => `${text}\n`;
  return {
    read: (chunks, options) => batchRows(readLines(schema, chunks, options)),
    printer: () => ({ ...lines, row: (value) => rowOfJson(JSON.stringify(value)), rowOfJson }),
    rejectPrinter: () => ({
      ...lines,
      row: (row, violations) => `${JSON.stringify(describeRejection(row, violations))}\n${row.text}\n`,
    }),
  };
}

export const jsonl: FileFormat = { name: 'jsonl', endings: ['.jsonl', '.ndjson'], hasColumns: false, codec };
