/** Reports rejected rows: the first ones to the operator, all of them in a file that can be corrected and imported again. */

import type {
  FileCodec,
  FileFront,
  FileReadOptions,
  FileRow,
  RejectPrinter,
} from '../../adapters/formats/port/file-format.ts';
import { describeMistakes } from '../../adapters/formats/port/mistakes.ts';
import type { Noun } from '../../domain/validation/describe-count.ts';
import type { Violation } from '../../domain/validation/errors.ts';
import { toPrintable } from '../../process/output/printable.ts';
import { printLine } from '../../process/output/progress.ts';
import type { Target } from './target.ts';

/** Rows that are reported line by line. */
const maxTold = 20;
/** Of a line, which has names from the file. In UTF-16 code units. */
const maxShown = 300;

const cut = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

export class RejectReport {
  readonly #noun: Noun;
  readonly #codec: Pick<FileCodec<never>, 'rejectPrinter'>;
  readonly #target: Target | undefined;
  readonly #options: Pick<FileReadOptions, 'spreadsheet'>;
  #printer: RejectPrinter | undefined;
  #count = 0;

  /** @param noun of the rows @param target left out: no file is written @param options of the file that is read */
  constructor(
    noun: Noun,
    codec: Pick<FileCodec<never>, 'rejectPrinter'>,
    target: Target | undefined,
    options: Pick<FileReadOptions, 'spreadsheet'> = {},
  ) {
    [this.#noun, this.#codec] = [noun, codec];
    [this.#target, this.#options] = [target, options];
  }

  /** Of the source file; set before the first reject, if at all. */
  front: FileFront | undefined;

  /** @throws Error as the target does */
  async add(row: FileRow, violations: readonly Violation[]): Promise<void> {
    this.#count += 1;
    if (this.#count <= maxTold)
      for (const line of describeMistakes(row, violations)) printLine(toPrintable(cut(line)));
    if (this.#count === maxTold + 1)
      printLine(`More ${this.#noun.plural} are refused; they are not listed here`);
    if (this.#target === undefined) return;
    const before = this.#printer?.between;
    this.#printer ??= this.#codec.rejectPrinter(this.front, this.#options);
    await this.#target.write((before ?? this.#printer.open) + this.#printer.row(row, violations));
  }

  /** Creates the file only when a row was rejected. @throws Error as the target does */
  async finish(): Promise<void> {
    if (this.#target === undefined) return;
    if (this.#printer === undefined) return this.#target.discard();
    await this.#target.write(this.#printer.close);
    await this.#target.finish();
  }
}
