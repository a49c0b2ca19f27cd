/** Collects the rows that an import refuses: the first ones to be corrected in the page, all of them for a file. */
import type { Violation } from '../../domain/base/errors.ts';
import {
  type Delimiter,
  type FileFront,
  type FileRow,
  keyOf,
  type RejectPrinter,
} from '../formats/core/file-format.ts';
import { rejectedName } from '../formats/core/reject-reasons.ts';
import { splitCells } from '../formats/csv/row-splitter.ts';
import type { RejectedRow, Rejects, RowMistake } from './engine.ts';

/** Rows that are held in memory. */
const maxRows = 100;
/** Text that is collected before the browser gets it as a Blob, which it may keep on disk; in UTF-16 code units. */
const pieceLength = 1024 * 1024;

interface Refused {
  readonly row: FileRow;
  readonly violations: readonly Violation[];
}

function explain(row: FileRow, violation: Violation): RowMistake {
  const { pointer, detail } = violation;
  return row.explain?.(violation) ?? { path: pointer.slice(1).replaceAll('/', '.'), detail };
}

export class CollectedRejects {
  readonly #printerOf: (front: FileFront | undefined) => RejectPrinter;
  readonly #first: Refused[] = [];
  /** Printed rows behind the first ones. */
  #rest = new Blob();
  #text = '';
  readonly #keys = new Set<string>();
  #count = 0;
  #printer: RejectPrinter | undefined;
  front: FileFront | undefined;

  constructor(printerOf: (front: FileFront | undefined) => RejectPrinter) {
    this.#printerOf = printerOf;
  }

  add(row: FileRow, violations: readonly Violation[]): void {
    this.#printer ??= this.#printerOf(this.front);
    this.#keys.add(keyOf(row.position));
    this.#count += 1;
    if (this.#first.length < maxRows) {
      this.#first.push({ row, violations });
      return;
    }
    this.#text +=
      (this.#count === maxRows + 1 ? '' : this.#printer.between) + this.#printer.row(row, violations);
    if (this.#text.length < pieceLength) return;
    this.#rest = new Blob([this.#rest, this.#text]);
    this.#text = '';
  }

  /** @returns undefined where no row was refused */
  finish(): Rejects | undefined {
    const printer = this.#printer;
    if (printer === undefined) return undefined;
    const { delimiter = ',', names = [] } = this.front?.table ?? {};
    const headings = names.filter((heading) => heading !== rejectedName);
    const first = this.#first.map(({ row, violations }) => printer.row(row, violations));
    const between = this.#count > maxRows ? printer.between : '';
    return {
      file: new Blob([
        ...[printer.open, first.join(printer.between), between],
        ...[this.#rest, this.#text, printer.close],
      ]),
      rows: this.#first.map((refused) => toRejectedRow(refused, headings, delimiter)),
      headings,
      keys: this.#keys,
    };
  }
}

function toRejectedRow(
  { row, violations }: Refused,
  headings: readonly string[],
  delimiter: Delimiter,
): RejectedRow {
  const { text, position: place, value } = row;
  const mistakes = violations.map((violation) => explain(row, violation));
  // Misplaced quotes are the usual reason why the cells of a row can't be told apart.
  const isSplit = headings.length > 0 && (value !== undefined || !text.includes('"'));
  const cells = isSplit ? splitCells(text, delimiter) : [];
  return {
    key: keyOf(place),
    place,
    text,
    mistakes,
    ...(isSplit && cells.length === headings.length ? { cells } : {}),
  };
}
