/** The interface of a format for user files of any size. file-formats.ts is the registry. */

import type { TObject } from 'typebox';
import type { ImportRow } from '../../../domain/import/import-options.ts';
import type { Violation } from '../../../domain/validation/errors.ts';
import { codePages, type Encoding } from '../text/decoding.ts';
import type { Position } from '../text/positions.ts';
import type { Naming } from './format.ts';

/** A mistake in a table, as a person finds it in a spreadsheet. */
export interface CellMistake {
  /** The number of the row, from 1 on; the header is the first. */
  readonly row: number;
  /** The column, from 1 on, and its heading. Undefined for the row as a whole. */
  readonly cell?: { readonly column: number; readonly heading: string };
  /** The number of the value in a cell with several, from 1 on. */
  readonly value?: number;
  /** The path of a value without a cell; empty: none. */
  readonly path: string;
  /** Never quotes the row. */
  readonly detail: string;
}

/** One user in a file, as read by the format. */
export interface FileRow extends ImportRow {
  /** Where it begins. */
  readonly position: Position;
  /** The original text, for a reject file; a row that lacks cells has empty ones at its end. Never logged. */
  readonly text: string;
  /** The position of a violation's pointer in the file, if the format knows it better than `position`. */
  locate?(pointer: string): Position | undefined;
  /** Replaces `locate`, for people who know spreadsheets and not pointers. */
  explain?(violation: Violation): CellMistake;
}

/** Values of `--encoding`. */
export const fileEncodings = [
  ...(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1'] as const),
  ...codePages,
];
export type FileEncoding = (typeof fileEncodings)[number];

/** Values of `--delimiter`, and what they stand for. */
export const delimiters = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type DelimiterName = keyof typeof delimiters;
export type Delimiter = (typeof delimiters)[DelimiterName];

/** Values of `--dates`. */
export const dayOrders = ['day-first', 'month-first'] as const;
export type DayOrder = (typeof dayOrders)[number];

/** How a table is written: as recognized, or as the options say. */
export interface TableForm {
  readonly delimiter: Delimiter;
  readonly encoding: Encoding;
  /** The file begins with a byte order mark. */
  readonly hasMark: boolean;
  /** True if the file is a file of rejects. */
  readonly hasReasons: boolean;
  /** All headings. */
  readonly names: readonly string[];
  /** The columns of headings that differ from the column's path; undefined for a heading that is left out. */
  readonly headings: ReadonlyMap<string, string | undefined>;
  /** The words for true and false that were read so far: more are added. */
  readonly words: ReadonlySet<string>;
  /** The order of day and month in columns of days, by heading, as far as rows were read. */
  readonly dates: ReadonlyMap<string, DayOrder>;
  /** How many cells so far have the apostrophe of `--spreadsheet`, and were read without that option. */
  readonly apostrophes: { readonly count: number };
}

/** Identifies rows of a file by their beginning. */
export const keyOf = ({ line, column }: Position): string => `${line}:${column}`;

/** `asked` is for a preview, before a person says what headings mean: it works like `left out`, and also leaves out headings that repeat a column. */
export type UnknownHeadings = 'refused' | 'left out' | 'asked';

/** The part of a file before the rows. */
export interface FileFront {
  readonly text: string;
  readonly table?: TableForm;
}

/** For imports, in UTF-16 code units: a resource has at most 16 KiB as JSON, and a few times that in XML or with white space. */
export const maxRowLength = 256 * 1024;

export interface FileReadOptions {
  /** A byte order mark overrides it. Default: the encoding that the document declares, else UTF-8. */
  readonly encoding?: FileEncoding | undefined;
  /**
   * The maximum length of a row, or of the text between two rows, in UTF-16 code units. No more of the file is held in memory at a time.
   */
  readonly maxRowLength: number;
  /** For formats with cells: an empty cell removes the value. Default: it keeps the value. */
  readonly emptyRemoves?: boolean | undefined;
  /** For spreadsheet formats: removes the apostrophe that keeps a spreadsheet from running a cell. */
  readonly spreadsheet?: boolean | undefined;
  /** For formats in which a truncated last row may look complete: accepts it without a line break. */
  readonly lastLine?: boolean | undefined;
  /** For tables. Default: recognized from the header. */
  readonly delimiter?: Delimiter | undefined;
  /** For tables: headings with the path of their column; empty for one that is left out. Other headings are paths or labels. */
  readonly headings?: ReadonlyMap<string, string> | undefined;
  /** For tables: how headings without a column are handled. Default: `refused`. */
  readonly unknown?: UnknownHeadings | undefined;
  /** For tables: cells, or the text of a row, that replace rows, by `keyOf`. */
  readonly corrections?: ReadonlyMap<string, readonly string[] | string> | undefined;
  /** For tables: only these rows are read, by `keyOf`. Default: all. */
  readonly rows?: ReadonlySet<string> | undefined;
  /** For tables: a word for true and one for false, which may be empty, besides the usual ones. */
  readonly booleans?: readonly [string, string] | undefined;
  /** For tables: the order of day and month in columns whose days have two readings. Default: such days are refused, unless they have dots. */
  readonly dates?: DayOrder | undefined;
  /** For tables: the time zone of days, for resources that have none. Default: UTC. */
  readonly timeZone?: string | undefined;
  /** Called before the first batch, if the format has a front that `rejectPrinter` needs. */
  readonly onFront?: ((front: FileFront) => void) | undefined;
}

export interface FilePrintOptions {
  /** Required in formats with columns: the paths to print, in this order. */
  readonly columns?: readonly string[] | undefined;
  /** The names of users by id, for columns with names instead of ids. Read when a row is printed. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  /** For spreadsheet formats: adds a byte order mark, and an apostrophe before each cell that a spreadsheet would run. */
  readonly spreadsheet?: boolean | undefined;
  /** For tables. Default: a comma. */
  readonly delimiter?: Delimiter | undefined;
  /** For tables: adds a byte order mark. Default: as `spreadsheet`. */
  readonly bom?: boolean | undefined;
}

/** Prints a file: `open`, the rows separated by `between`, and `close`. */
export interface FilePrinter<T> {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  row(value: T): string;
  /** As `row`, for a user's canonical JSON as the stores keep it. Only in formats where this is faster. */
  rowOfJson?(text: string): string;
}

/** Prints rejected rows, so that the file can be corrected and read again. Readers skip the reasons beside each row. */
export interface RejectPrinter extends Pick<FilePrinter<FileRow>, 'open' | 'between' | 'close'> {
  row(rejected: FileRow, violations: readonly Violation[]): string;
}

/** Finds the columns that users need, for formats whose header lists the columns. */
export interface ColumnCollector<T> {
  /** @throws Error for too many columns; its message suggests choosing some */
  add(user: T): void;
  /** The number of columns found. */
  readonly size: number;
  /** In the schema's order, for `FilePrintOptions.columns`. */
  columns(): readonly string[];
}

/** Reads and prints the users of one schema in one file format. */
export interface FileCodec<T> {
  /**
   * Yields rows in batches as they arrive: 256, or fewer that have 64 KiB of text. In formats where the start of the next row is certain,
   * an unreadable row has violations. Closes the chunks when it ends early.
   * @throws UnreadableError with the position, after yielding the rows before it, when the rest can't be understood or the file is
   * truncated
   */
  read(
    chunks: AsyncIterable<Uint8Array>,
    options: FileReadOptions,
  ): AsyncGenerator<readonly FileRow[], void, undefined>;
  /** @throws Error naming unknown or duplicate columns, and for no columns in a format that needs them */
  printer(options?: FilePrintOptions): FilePrinter<T>;
  /** @param front the argument of `onFront`, if it was called @param options `spreadsheet` as the file was read with */
  rejectPrinter(front?: FileFront, options?: Pick<FilePrintOptions, 'spreadsheet'>): RejectPrinter;
  /** Only in formats with columns. */
  collectColumns?(): ColumnCollector<T>;
  /** Only in formats with columns: those that people have a name for. */
  namedColumns?(): readonly string[];
  /** Left out: by line and column. */
  describePosition?(position: Position): string;
}

export interface FileFormat {
  /** The value of `--format`. */
  readonly name: string;
  /** File name extensions, with the dot, in lower case. */
  readonly endings: readonly string[];
  /** Columns can be selected, and spreadsheets can read the files. */
  readonly hasColumns: boolean;
  codec<T>(schema: TObject, naming: Naming): FileCodec<T>;
}

const compressed = '.gz';

/** @param file a path; a final `.gz` is ignored @returns undefined for an unknown extension */
export function findByExtension(formats: readonly FileFormat[], file: string): FileFormat | undefined {
  const name = file.toLowerCase();
  const plain = name.endsWith(compressed) ? name.slice(0, -compressed.length) : name;
  return formats.find(({ endings }) => endings.some((ending) => plain.endsWith(ending)));
}
