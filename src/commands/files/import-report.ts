/**
 * What an import reports besides its counts: rejected rows, the first ones to the operator and all of them in a file that can be corrected and
 * imported again; and how a table was read, so that a wrong guess is seen.
 */

import {
  type DelimiterName,
  delimiters,
  type FileCodec,
  type FileFront,
  type FileReadOptions,
  type FileRow,
  type RejectPrinter,
  type TableForm,
} from '../../adapters/formats/port/file-format.ts';
import { describeMistakes } from '../../adapters/formats/port/mistakes.ts';
import { describeCount, type Noun } from '../../domain/validation/describe-count.ts';
import type { Violation } from '../../domain/validation/errors.ts';
import { printLine, toPrintable } from '../../process/output/progress.ts';
import type { Target } from './target.ts';

/** Rows that are reported line by line. */
const maxTold = 20;
/** The length of a line, in UTF-16 code units: it has names from the file. */
const maxShown = 300;

const cut = (text: string): string => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

export class RejectReport {
  readonly #noun: Noun;
  readonly #codec: Pick<FileCodec<never>, 'rejectPrinter'>;
  readonly #target: Target | undefined;
  readonly #options: Pick<FileReadOptions, 'spreadsheet'>;
  #printer: RejectPrinter | undefined;
  #count = 0;

  /** @param noun for the rows @param target undefined: no file is written @param options those for reading the file */
  constructor(
    noun: Noun,
    codec: Pick<FileCodec<never>, 'rejectPrinter'>,
    target: Target | undefined,
    options: Pick<FileReadOptions, 'spreadsheet'> = {},
  ) {
    [this.#noun, this.#codec] = [noun, codec];
    [this.#target, this.#options] = [target, options];
  }

  /** The front of the source file, if it has one; set before the first reject. */
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

const names = new Map(
  Object.entries(delimiters).map(([name, delimiter]) => [delimiter, name as DelimiterName]),
);
const plurals: Readonly<Record<DelimiterName, string>> = {
  comma: 'commas',
  semicolon: 'semicolons',
  tab: 'tabs',
};

/** The length of a heading, in UTF-16 code units. */
const maxHeading = 64;

/** How a table was read, for programs. */
export const summarizeTable = ({ delimiter, encoding, headings, words, dates }: TableForm) => ({
  delimiter: names.get(delimiter) ?? 'comma',
  encoding,
  headings: Object.fromEntries(
    [...headings].map(([heading, path]) => [heading.slice(0, maxHeading), path ?? null]),
  ),
  booleans: [...words],
  dates: Object.fromEntries([...dates].map(([heading, order]) => [heading.slice(0, maxHeading), order])),
});

/** How a table was read, for people. */
export function describeTable(table: TableForm): string {
  const { delimiter, encoding, headings: paths, booleans } = summarizeTable(table);
  const headings = Object.entries(paths).map(([heading, path]) => `"${heading}" is ${path ?? 'left out'}`);
  const orders = Object.entries(summarizeTable(table).dates).map(
    ([heading, order]) => `the dates of "${heading}" have the ${order.split('-')[0]} first`,
  );
  const begin = describeCount(table.apostrophes.count, 'cell begins', 'cells begin');
  const words = booleans.map((word) => (word === '' ? 'an empty cell' : word));
  return [
    `Read as a table with ${plurals[delimiter]}, in ${encoding.startsWith('utf') ? encoding.toUpperCase() : encoding}`,
    ...(headings.length > 0 ? [headings.join(', ')] : []),
    ...(words.length > 0 ? [`true and false are ${words.join(', ')}`] : []),
    ...orders,
    ...(table.apostrophes.count > 0
      ? [`${begin} with an apostrophe, as export --spreadsheet writes: import --spreadsheet removes it`]
      : []),
  ].join('; ');
}
