/** Reads a table row by row: row-splitter.ts finds rows and cells. */
import type { TObject } from 'typebox';
import { describeCount } from '../../../domain/base/describe-count.ts';
import type { FileReadOptions, FileRow } from '../core/file-format.ts';
import { decodeFile } from '../core/file-text.ts';
import { documentStart, UnreadableError } from '../core/format.ts';
import { batchRows } from '../core/row-batches.ts';
import { type Header, joinHeader, locateCell, readHeader, readSeparatorLine } from './header.ts';
import { RowCells } from './row-cells.ts';
import { type Delimiter, type Frame, FrameFinder, splitCells } from './row-splitter.ts';

/** The start of the reasons after each row of a reject file. */
const reasonsStart = '"{""line"":';
const reasons = /^"\{""line"":[0-9]+,""column"":[0-9]+,""errors"":\[.*\]\}"$/s;

class TableReader {
  readonly #schema: TObject;
  readonly #options: FileReadOptions;
  readonly #finder: FrameFinder;
  #separator: { readonly line: string; readonly delimiter: Delimiter } | undefined;
  #header: Header | undefined;

  constructor(schema: TObject, options: FileReadOptions) {
    [this.#schema, this.#options] = [schema, options];
    this.#finder = new FrameFinder(options.maxRowLength);
  }

  /** The rows after the header. */
  async *findRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Iterable<Frame>> {
    for await (const text of decodeFile(chunks, this.#options.encoding))
      yield this.#passHeader(this.#finder.find(text));
    const last = this.#finder.end();
    if (last !== undefined) yield this.#passHeader([this.#checkLast(last)]);
    if (this.#header === undefined) throw new UnreadableError('the file is empty', documentStart);
  }

  /** Checks a last row without a line end. @throws UnreadableError for missing cells, and unless `takesLastLine` is set */
  #checkLast(frame: Frame): Frame {
    const header = this.#header;
    if (header !== undefined && takeOffReasons(frame, header).cells < countUserCells(header))
      throw new UnreadableError(`the file is cut off: ${describeCells(frame, header)}`, frame.position);
    if (this.#options.takesLastLine === true) return frame;
    const detail =
      'no line break ends the last line, and half a cell looks like a whole one: if the file was not cut off, --last-line takes it';
    throw new UnreadableError(detail, frame.position);
  }

  *#passHeader(frames: Iterable<Frame>): Generator<Frame> {
    for (const frame of frames)
      if (this.#header !== undefined) yield frame;
      else this.#readFront(frame);
  }

  #readFront(frame: Frame): void {
    const delimiter = this.#separator === undefined ? readSeparatorLine(frame) : undefined;
    if (delimiter === undefined) this.#readHeader(frame);
    else {
      this.#separator = { line: frame.text, delimiter };
      this.#finder.useDelimiter(delimiter);
    }
  }

  #readHeader(frame: Frame): void {
    const { line, delimiter } = this.#separator ?? {};
    this.#header = readHeader(this.#schema, frame, delimiter);
    this.#finder.useDelimiter(this.#header.delimiter);
    this.#options.onHeader?.(line === undefined ? frame.text : joinHeader(line, frame.text));
  }

  readRows(frames: readonly Frame[]): readonly FileRow[] {
    const header = this.#header;
    if (header === undefined) return [];
    return frames.flatMap((frame) => {
      const bare = takeOffReasons(frame, header);
      return (isSound(bare, header) ? this.#readRow(bare, header) : refuseRow(bare, header)) ?? [];
    });
  }

  #readRow(frame: Frame, { columns, delimiter }: Header): FileRow | undefined {
    const cells = splitCells(frame.text, delimiter);
    // Spreadsheets write rows like this after a user empties them.
    if (cells.every((cell) => cell === '')) return undefined;
    const { text, position } = frame;
    const row = new RowCells(columns, cells, this.#options);
    const locate = (pointer: string) => {
      const index = findCell(columns, pointer);
      return index < 0 ? undefined : locateCell(frame, delimiter, index);
    };
    return { value: row.toValue(), edit: row.edit, violations: [], text, position, locate };
  }
}

/** `isBare` is true if the reasons were removed. */
interface BareFrame extends Frame {
  readonly isBare?: boolean;
}

function takeOffReasons(frame: Frame, { hasReasons }: Header): BareFrame {
  const at = hasReasons && frame.text.endsWith('}"') ? frame.text.lastIndexOf(reasonsStart) : 0;
  if (at <= 0 || !reasons.test(frame.text.slice(at))) return frame;
  // Remove the delimiter before them, too.
  return { ...frame, text: frame.text.slice(0, at - 1), cells: frame.cells - 1, isBare: true };
}

const countUserCells = ({ columns, hasReasons }: Header): number => columns.length - (hasReasons ? 1 : 0);

/** A user who corrects a row may delete the reasons' cell, or only empty it. */
function isSound({ fault, cells, isBare = false }: BareFrame, header: Header): boolean {
  if (fault !== undefined) return false;
  return cells === countUserCells(header) || (!isBare && cells === header.columns.length);
}

const describeCells = ({ cells }: Pick<Frame, 'cells'>, header: Header): string =>
  `the row has ${describeCount(cells, 'cell', 'cells')}, the header ${countUserCells(header)}`;

function refuseRow({ text, position, cells, fault }: Frame, header: Header): FileRow {
  const detail = fault?.detail ?? describeCells({ cells }, header);
  return {
    value: undefined,
    violations: [{ pointer: '', detail }],
    text,
    position,
    locate: () => fault?.position,
  };
}

/** The cell whose column contains the pointer; otherwise the first cell inside the pointer's target. */
function findCell(columns: Header['columns'], pointer: string): number {
  if (pointer === '') return -1;
  const into = columns.findIndex((column) => column && `${pointer}/`.startsWith(`${column.pointer}/`));
  return into >= 0 ? into : columns.findIndex((column) => column?.pointer.startsWith(`${pointer}/`));
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
