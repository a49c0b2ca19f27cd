/** Reads a table row by row; `csv.ts` lists the steps. */

import type { TObject } from 'typebox';
import { canonicalUuid } from '../../../domain/validation/plain-values.ts';
import { type DayOrder, type FileReadOptions, type FileRow, keyOf } from '../port/file-format.ts';
import { batchRows, rejectedName } from '../port/file-rows.ts';
import type { Encoding } from '../text/decoding.ts';
import { decodeFile } from '../text/file-text.ts';
import { documentStart, type Position, UnreadableError } from '../text/positions.ts';
import { recognizeEncoding } from '../text/recognize-encoding.ts';
import { BooleanWords, trimBlanks, unprotectCell } from './cells.ts';
import type { Column } from './columns.ts';
import {
  type HeaderRow,
  isAbove,
  isTemplateVersion,
  measureRow,
  readHeader,
  readSeparatorLine,
} from './header.ts';
import { explainMistake } from './places.ts';
import { RowCells } from './row-cells.ts';
import {
  countUserCells,
  describeCells,
  isBlankRow,
  isComplete,
  refuseRow,
  takeOffReasons,
} from './row-end.ts';
import { printRow, type RawRow, RowFinder, splitCells } from './row-splitter.ts';
import { hasYearLast, WrittenDays } from './written-days.ts';

/** The first bytes of workbooks: a zip (xlsx, ods) or an OLE file (xls). */
const workbooks: readonly string[] = ['504b0304', 'd0cf11e0'];

class TableReader {
  readonly #schema: TObject;
  readonly #options: FileReadOptions;
  readonly #finder: RowFinder;
  readonly #words: BooleanWords;
  readonly #apostrophes = { count: 0 };
  /** How columns of days are read, by the index of the column. */
  readonly #days = new Map<number, WrittenDays>();
  readonly #dates = new Map<string, DayOrder>();
  #encoding: Encoding = 'utf-8';
  #hasMark = false;
  /** The table is a template of Entra ID's bulk operations. */
  #isTemplate = false;
  #separator: RawRow | undefined;
  #header: HeaderRow | undefined;

  constructor(schema: TObject, options: FileReadOptions) {
    [this.#schema, this.#options] = [schema, options];
    this.#finder = new RowFinder(options.maxRowLength);
    this.#words = new BooleanWords(options.booleans);
  }

  /** The rows after the header. */
  async *findRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<RawRow>> {
    try {
      for await (const text of decodeFile(chunks, (sample, mark) => this.#recognize(sample, mark)))
        yield this.#passHeader(this.#finder.find(text));
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      throw new UnreadableError(error.message, this.#finder.position);
    }
    const last = this.#finder.end();
    if (last !== undefined) yield this.#passHeader([this.#checkLast(last)]);
    if (this.#header === undefined) throw new UnreadableError('the file is empty', documentStart);
  }

  #recognize(sample: Buffer, mark: Encoding | undefined): Encoding {
    if (workbooks.includes(sample.toString('hex', 0, 4)))
      throw new UnreadableError('this is a workbook, not CSV: save it as CSV in the spreadsheet');
    this.#hasMark = mark !== undefined;
    this.#encoding = mark ?? this.#options.encoding ?? recognizeEncoding(sample);
    return this.#encoding;
  }

  /** Checks a last row without a line end. @throws UnreadableError for missing cells, and unless `lastLine` is set */
  #checkLast(frame: RawRow): RawRow {
    const header = this.#header;
    // A last line of blanks has lost nothing.
    if (/^[^\S\t]+$/.test(frame.text)) return frame;
    if (header !== undefined && takeOffReasons(frame, header).cells < countUserCells(header))
      throw new UnreadableError(`the file is cut off: ${describeCells(frame, header)}`, frame.position);
    if (this.#options.lastLine === true) return frame;
    const detail =
      'no line break ends the last line, and half a cell looks like a whole one: if the file was not cut off, --last-line takes it';
    throw new UnreadableError(detail, frame.position);
  }

  *#passHeader(frames: Iterable<RawRow>): Generator<RawRow> {
    for (const frame of frames)
      if (this.#header !== undefined) yield frame;
      else this.#readFront(frame);
  }

  #readFront(frame: RawRow): void {
    this.#isTemplate ||= isTemplateVersion(frame);
    if (isAbove(frame)) return;
    const delimiter = this.#separator === undefined ? readSeparatorLine(frame) : undefined;
    if (delimiter === undefined) this.#readHeader(frame);
    else {
      this.#separator = frame;
      this.#finder.hideRow();
      this.#finder.useDelimiter(delimiter);
    }
  }

  #readHeader(frame: RawRow): void {
    const { delimiter, onFront, dates } = this.#options;
    const named = delimiter ?? (this.#separator && readSeparatorLine(this.#separator));
    const header = readHeader(this.#schema, frame, named, this.#options);
    if (this.#isTemplate && header.headings.length === 1)
      throw new UnreadableError(
        "this is Entra ID's template for deleting or restoring users, and an import only creates and changes users: to import these, delete the line with the version",
        frame.position,
      );
    this.#header = header;
    for (const [at, column] of header.columns.entries())
      if (column?.isDay === true) this.#days.set(at, new WrittenDays(dates));
    if (header.isDelimiterSure) this.#finder.useDelimiter(header.delimiter);
    const paths = header.headings.map((heading, at) => [heading, header.columns[at]?.path] as const);
    onFront?.({
      text: this.#separator === undefined ? frame.text : `${this.#separator.text}\r\n${frame.text}`,
      table: {
        delimiter: header.delimiter,
        encoding: this.#encoding,
        hasMark: this.#hasMark,
        hasReasons: header.hasReasons,
        names: header.headings,
        headings: new Map(paths.filter(([heading, path]) => heading !== path && heading !== rejectedName)),
        words: this.#words.seen,
        dates: this.#dates,
        apostrophes: this.#apostrophes,
      },
    });
  }

  readRows(frames: readonly RawRow[]): readonly FileRow[] {
    const header = this.#header;
    const { corrections, rows } = this.#options;
    if (header === undefined) return [];
    this.#learnDays(frames, header);
    return frames.flatMap((frame) => {
      if (rows?.has(keyOf(frame.position)) === false) return [];
      if (this.#isTemplate && /^"?Example: /.test(frame.text)) return [];
      const correction = corrections?.get(keyOf(frame.position));
      const bare =
        correction === undefined ? takeOffReasons(frame, header) : correct(frame, correction, header);
      if (isBlankRow(bare, header)) return [];
      return isComplete(bare, header) ? this.#readRow(bare, header) : refuseRow(bare, header);
    });
  }

  /** All rows count, also those that are not read: a second import of the refused ones reads them in the same way. */
  #learnDays(frames: readonly RawRow[], { delimiter, headings }: HeaderRow): void {
    const open = [...this.#days].filter(([, { isSettled }]) => !isSettled);
    if (open.length === 0) return;
    const rows = frames
      .filter(({ text, fault }) => fault === undefined && hasYearLast(text))
      .map(({ text }) => splitCells(text, delimiter));
    for (const [at, days] of open) {
      days.learn(rows.map((cells) => cells[at] ?? ''));
      if (days.isSettled && days.order !== undefined) this.#dates.set(headings[at] ?? '', days.order);
    }
  }

  /** @param ids of users that cells name, once they are known */
  #readRow(frame: RawRow, header: HeaderRow, ids?: ReadonlyMap<string, string>): FileRow {
    const { text, position } = frame;
    const { emptyRemoves, timeZone = 'UTC' } = this.#options;
    const isCounted = ids === undefined;
    const written = splitCells(text, header.delimiter).map((cell) => this.#readCell(cell, isCounted));
    const hasDays = this.#days.size > 0;
    const cells = hasDays ? written.map((cell, at) => this.#days.get(at)?.read(cell) ?? cell) : written;
    const { columns, claimed } = header;
    const row = new RowCells(columns, cells, { emptyRemoves, words: this.#words, timeZone, claimed, ids });
    const isName = (column: Column | undefined, cell = '') =>
      column?.isNamed === true && cell !== '' && canonicalUuid(cell) === undefined;
    const names = cells.filter((cell, at) => isName(columns[at], cell));
    const lost = columns.flatMap((column, at) =>
      column && ids && isName(column, cells[at]) && !ids.has(cells[at] ?? '') ? [column.pointer] : [],
    );
    return {
      ...{ value: row.toValue(), edit: row.edit, text, position },
      violations: lost.map((pointer) => ({ pointer, detail: 'no user has this user name' })),
      ...(names.length > 0 &&
        ids === undefined && { named: { names, resolve: (found) => this.#readRow(frame, header, found) } }),
      explain: ({ pointer, detail }) =>
        explainMistake(position.line, header, { pointer: row.locate(pointer), detail }, (at, item) =>
          this.#days.get(at)?.explain(written[at] ?? '', item, detail),
        ),
    };
  }

  #readCell(text: string, isCounted: boolean): string {
    const cell = trimBlanks(text);
    const unprotected = unprotectCell(cell);
    if (this.#options.spreadsheet === true) return trimBlanks(unprotected);
    if (isCounted && cell !== unprotected) this.#apostrophes.count += 1;
    return cell;
  }
}

/** A person may have typed anything: a mistake refuses only this row. */
function correct({ position }: RawRow, row: readonly string[] | string, { delimiter }: HeaderRow): RawRow {
  const text =
    typeof row === 'string' ? row.replace(/^[\r\n]+|[\r\n]+$/g, '') : printRow(row, delimiter).slice(0, -2);
  const refuse = (detail: string, at: Position = position): RawRow => ({
    ...{ text, position, cells: 1 },
    fault: { detail, position: at },
  });
  try {
    const frame = measureRow({ text, position }, delimiter);
    if (frame.fault !== undefined || frame.text === text) return frame;
    return refuse('a line break ends the row: put quotes around the cell', {
      ...position,
      column: frame.cells,
    });
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return refuse(error.message, error.position);
  }
}

export async function* readTable(
  schema: TObject,
  chunks: AsyncIterable<Uint8Array>,
  options: FileReadOptions,
): AsyncGenerator<readonly FileRow[], void, undefined> {
  const reader = new TableReader(schema, options);
  for await (const frames of batchRows(reader.findRows(chunks))) {
    const rows = reader.readRows(frames);
    if (rows.length > 0) yield rows;
  }
}
