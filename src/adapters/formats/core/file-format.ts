/** The interface of a format for files of users, whatever their size. file-formats.ts is the registry. */
import type { TObject } from 'typebox';
import type { Violation } from '../../../domain/base/errors.ts';
import type { ImportRow } from '../../../domain/import/import-users.ts';
import type { DocumentKind, Naming, Position } from './format.ts';

/** A user of a file, as far as the format understands it. */
export interface FileRow extends ImportRow {
  /** Where it begins. */
  readonly position: Position;
  /** As it stands in the file, for a file of rejects. Never logged. */
  readonly text: string;
  /** Where in the file a violation's pointer leads, if the format can tell it better than `position`. */
  locate?(pointer: string): Position | undefined;
}

/** Names of encodings, as in `--encoding`. */
export const fileEncodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1'] as const;
export type FileEncoding = (typeof fileEncodings)[number];

export interface FileReadOptions {
  /** Left out: by byte order mark, else as the document declares it, else UTF-8. A byte order mark goes before it. */
  readonly encoding?: FileEncoding | undefined;
  /** The most UTF-16 code units of a row, or of what stands between two. No more of the file is held in memory at a time. */
  readonly maxRowLength: number;
  /** Of formats with empty cells: they take away what is there. Left out, they leave it. */
  readonly emptyRemoves?: boolean | undefined;
  /** Of formats for spreadsheets: an apostrophe in front of what a spreadsheet would run is taken away again. */
  readonly spreadsheet?: boolean | undefined;
  /** Of formats whose last row may lack its end and not show it: it is taken without a line break behind it, too. */
  readonly takesLastLine?: boolean | undefined;
  /** Called before the first batch, of formats with something in front of the rows that a file of rejects needs too: for `rejectPrinter`. */
  readonly onHeader?: ((header: string) => void) | undefined;
}

export interface FilePrintOptions {
  /** Of formats with columns, which must have some: the paths to print, in this order. */
  readonly columns?: readonly string[] | undefined;
  /** Of formats for spreadsheets: an apostrophe stands in front of cells that a spreadsheet would run, and a byte order mark in front of all. */
  readonly spreadsheet?: boolean | undefined;
}

/** Prints a file: what `open` gives, the rows with `between` between them, and `close`. */
export interface FilePrinter<T> {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  row(value: T): string;
  /** The same of a user whose canonical JSON is at hand, as the stores keep it. Only of formats that save work by it. */
  rowOfJson?(text: string): string;
}

/** Prints what was not taken, so that the file can be mended and read again: the reason stands beside each, where a reader passes over it. */
export interface RejectPrinter extends Pick<FilePrinter<FileRow>, 'open' | 'between' | 'close'> {
  row(rejected: FileRow, violations: readonly Violation[]): string;
}

/** Finds the columns that users need, for formats whose columns stand in front of the rows. */
export interface ColumnCollector<T> {
  /** @throws Error when there are too many columns; it says to choose some */
  add(user: T): void;
  /** How many columns were found. */
  readonly size: number;
  /** In the schema's order, for `FilePrintOptions.columns`. */
  columns(): readonly string[];
}

/** Reads and prints the users of one schema in one file format. */
export interface FileCodec<T> {
  /**
   * A batch of rows at a time, as they arrive: 256, or fewer that have 64 KiB of text. A row that can't be read, of a format where the
   * next one begins for sure, is a row with violations. Closes the chunks when it ends early.
   * @throws UnreadableError with the position, after yielding the rows before it: where nothing beyond can be understood, and where the
   * file was cut off
   */
  read(
    chunks: AsyncIterable<Uint8Array>,
    options: FileReadOptions,
  ): AsyncGenerator<readonly FileRow[], void, undefined>;
  /** @throws Error for columns that the schema doesn't have or that stand twice, which it names, and for none where there must be some */
  printer(options?: FilePrintOptions): FilePrinter<T>;
  /** @param header what `onHeader` was called with, if it was */
  rejectPrinter(header?: string): RejectPrinter;
  /** Only of formats with columns. */
  collectColumns?(): ColumnCollector<T>;
}

export interface FileFormat {
  /** As in `--format`. */
  readonly name: string;
  /** Of files' names, with the dot, in lower case. */
  readonly endings: readonly string[];
  /** What a row is: `patch` where a row may leave members as they are. */
  readonly rows: DocumentKind;
  /** Its columns can be chosen, and it has spreadsheets for readers. */
  readonly hasColumns: boolean;
  codec<T>(schema: TObject, naming: Naming): FileCodec<T>;
}
