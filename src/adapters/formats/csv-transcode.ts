/** Prints rows from canonical JSON without making values of it, and finds those users whose values have other columns. */
import type { TObject } from 'typebox';
import type { Column } from './csv-columns.ts';
import { SlotColumns } from './csv-transcode-columns.ts';
import { NoteCursor } from './csv-transcode-cursor.ts';
import { layOut } from './csv-transcode-layout.ts';
import { writeProgram } from './csv-transcode-source.ts';
import type { KeptUser } from './file-format.ts';
import { buffers, divide, isUnexpected, loadTexts, unexpected } from './transcode-buffers.ts';

const { input, output, from } = buffers;

const lineFeed = 0x0a;

/** In bytes, of rows that are collected before they are taken from the output: the rest has room for a part's. */
const outputFull = 256 * 1024;

/** What is to be done with users. */
export interface CsvJob<T> {
  /** `takeOther` may put others here. */
  columns: SlotColumns;
  /** Whoever has a value without a column isn't transcoded. */
  readonly isComplete: boolean;
  /** Prints who was noted last, at a place in the output. @returns the place behind */
  readonly putRow?: (notes: NoteCursor, start: number) => number;
  /** Called with each who isn't transcoded. @returns the row */
  takeOther(user: KeptUser<T>): string;
}

type Program = (at: number) => number;

export interface CsvTranscoder {
  slotsOf(columns: readonly Column[]): SlotColumns;
  /**
   * Not transcoded is what isn't canonical JSON of the schema or is too large, and what is left to JSON.parse: numbers, null, `\u`, members
   * that stand twice, and names in a map that have other characters than letters, digits, _ and -. @returns the rows, in UTF-8
   */
  run<T>(users: readonly KeptUser<T>[], job: CsvJob<T>): Buffer;
}

export function compileCsvTranscoder(schema: TObject): CsvTranscoder {
  const layout = layOut(schema);
  const slotsOf = (columns: readonly Column[]) => new SlotColumns(layout, columns);
  // Compiled when it is first needed, which takes some milliseconds.
  let compiled: { readonly notes: NoteCursor; readonly program: Program } | undefined;
  function compile() {
    const notes = new NoteCursor(slotsOf([]));
    const make = new Function('cursor', 'input', 'from', 'unexpected', writeProgram(layout));
    return { notes, program: make(notes, input, from, unexpected) as Program };
  }
  return {
    slotsOf,
    run: (users, job) => {
      compiled ??= compile();
      return new Run(compiled.program, compiled.notes, job).take(users);
    },
  };
}

class Run<T> {
  readonly #program: Program;
  readonly #notes: NoteCursor;
  readonly #job: CsvJob<T>;
  /** Of the output. */
  #end = 0;
  readonly #parts: Buffer[] = [];

  constructor(program: Program, notes: NoteCursor, job: CsvJob<T>) {
    [this.#program, this.#notes, this.#job] = [program, notes, job];
  }

  take(users: readonly KeptUser<T>[]): Buffer {
    let first = 0;
    for (const texts of divide(users.map(({ text }) => text))) {
      this.#takePart(users.slice(first, first + texts.length), texts);
      first += texts.length;
    }
    this.#emptyOutput();
    const [one = Buffer.alloc(0)] = this.#parts;
    return this.#parts.length > 1 ? Buffer.concat(this.#parts) : one;
  }

  #takePart(users: readonly KeptUser<T>[], texts: readonly string[]): void {
    if (this.#end > outputFull) this.#emptyOutput();
    const length = loadTexts(texts);
    const taken = length === undefined ? 0 : this.#takeLoaded(users, texts, length);
    for (const user of users.slice(taken)) this.#takeOther(user);
  }

  /** @returns how many were taken: fewer when a text has a line feed inside, so that nobody knows whose row is whose */
  #takeLoaded(users: readonly KeptUser<T>[], texts: readonly string[], length: number): number {
    this.#notes.clear();
    let at = 0;
    for (let next = 0; ; next += 1) {
      const end = this.#end;
      const reached = this.#transcode(next, texts.length, at, length);
      const other = users[reached];
      if (other === undefined) return reached;
      at += lengthOf(texts.slice(next, reached));
      if (at !== this.#notes.begin) {
        this.#end = end;
        return next;
      }
      this.#takeOther(other);
      at += lengthOf([other.text]);
      next = reached;
    }
  }

  /** As many as are expected. @param at where the first of them begins @returns the first who isn't, and begins where the notes do */
  #transcode(first: number, count: number, at: number, length: number): number {
    const [program, notes, { columns, isComplete, putRow }] = [this.#program, this.#notes, this.#job];
    notes.columns = columns;
    let next = first;
    try {
      for (let begin = at; next < count; next += 1) {
        notes.begin = begin;
        const end = program(begin);
        if (next + 1 < count ? input[end] !== lineFeed : end !== length) throw unexpected;
        if (isComplete && (notes.starts[columns.none] ?? 0) >= begin) throw unexpected;
        if (putRow !== undefined) this.#end = putRow(notes, this.#end);
        begin = end + 1;
      }
    } catch (error) {
      if (!isUnexpected(error)) throw error;
    }
    return next;
  }

  #takeOther(user: KeptUser<T>): void {
    const row = this.#job.takeOther(user);
    if (row === '') return;
    this.#emptyOutput();
    this.#parts.push(Buffer.from(row));
  }

  #emptyOutput(): void {
    if (this.#end > 0) this.#parts.push(Buffer.from(output.subarray(0, this.#end)));
    this.#end = 0;
  }
}

/** Of texts with a line feed behind each, in bytes. */
const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((length, text) => length + Buffer.byteLength(text) + 1, 0);
