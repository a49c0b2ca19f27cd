/** Collects the rows that an import refuses: the first ones to be corrected in the page, all of them for a file. */
import type { Violation } from '../../domain/validation/errors.ts';
import { splitCells } from '../formats/csv/row-splitter.ts';
import { type FileFront, type FileRow, keyOf, type RejectPrinter } from '../formats/port/file-format.ts';
import { rejectedName } from '../formats/port/file-rows.ts';
import type { RejectedRow, Rejects, RowMistake } from './engine.ts';

/** Rows that are held in memory. */
const maxRows = 100;
/** Text that is collected before the browser gets it as a Blob, which it may keep on disk; in UTF-16 code units. */
const pieceLength = 1024 * 1024;

function explain(row: FileRow, violation: Violation): RowMistake {
  const { pointer, detail } = violation;
  return row.explain?.(violation) ?? { path: pointer.slice(1).replaceAll('/', '.'), detail };
}

export class CollectedRejects {
  readonly #printerOf: (front: FileFront | undefined) => RejectPrinter;
  readonly #rows: RejectedRow[] = [];
  readonly #keys = new Set<string>();
  /** What is printed, but for the text. */
  #file = new Blob();
  #text = '';
  #printer: RejectPrinter | undefined;
  front: FileFront | undefined;

  constructor(printerOf: (front: FileFront | undefined) => RejectPrinter) {
    this.#printerOf = printerOf;
  }

  get #headings(): readonly string[] {
    return (this.front?.table?.names ?? []).filter((heading) => heading !== rejectedName);
  }

  add(row: FileRow, violations: readonly Violation[]): void {
    this.#printer ??= this.#printerOf(this.front);
    const { open, between } = this.#printer;
    this.#text += (this.#keys.size === 0 ? open : between) + this.#printer.row(row, violations);
    this.#keys.add(keyOf(row.position));
    if (this.#rows.length < maxRows) this.#rows.push(this.#show(row, violations));
    if (this.#text.length < pieceLength) return;
    this.#file = new Blob([this.#file, this.#text]);
    this.#text = '';
  }

  #show(row: FileRow, violations: readonly Violation[]): RejectedRow {
    const { text, position: place, value } = row;
    const { length } = this.#headings;
    // Misplaced quotes are the usual reason why the cells of a row can't be told apart.
    const isSplit = length > 0 && (value !== undefined || !text.includes('"'));
    const cells = isSplit ? splitCells(text, this.front?.table?.delimiter ?? ',') : [];
    return {
      ...{ key: keyOf(place), place, text },
      mistakes: violations.map((violation) => explain(row, violation)),
      ...(isSplit && cells.length === length ? { cells } : {}),
    };
  }

  /** @returns undefined where no row was refused */
  finish(): Rejects | undefined {
    if (this.#printer === undefined) return undefined;
    return {
      file: new Blob([this.#file, this.#text, this.#printer.close]),
      rows: this.#rows,
      headings: this.#headings,
      keys: this.#keys,
    };
  }
}
