/** The interface of a format for files of users, whatever their size. file-formats.ts is the registry. */
import type { TObject } from 'typebox';
import type { Violation } from '../../domain/errors.ts';
import type { ImportRow } from '../../domain/import-users.ts';
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

export interface FileReadOptions {
  /** By name as in `--encoding`; left out: by byte order mark, else as the format says. */
  readonly encoding?: string | undefined;
  /** The most UTF-16 code units of a row, or of what stands between two. No more of the file is held in memory at a time. */
  readonly maxRowLength: number;
  /** Of formats with empty cells: they take away what is there. Left out, they leave it. */
  readonly emptyRemoves?: boolean | undefined;
  /** Of formats for spreadsheets: an apostrophe in front of what a spreadsheet would run is taken away again. */
  readonly spreadsheet?: boolean | undefined;
}

export interface FilePrintOptions {
  /** Of formats with columns: the paths to print, in this order. Left out: all of the schema's that are asked for by `columnsOf`. */
  readonly columns?: readonly string[] | undefined;
  /** Of formats for spreadsheets: an apostrophe stands in front of cells that a spreadsheet would run. */
  readonly spreadsheet?: boolean | undefined;
}

/** Prints a file: what `open` gives, the rows with `between` between them, and `close`. */
export interface FilePrinter<T> {
  readonly open: string;
  readonly between: string;
  readonly close: string;
  row(value: T): string;
}

/** Prints what was not taken, so that the file can be mended and read again: the reason stands beside each, where a reader passes over it. */
export interface RejectPrinter extends Pick<FilePrinter<FileRow>, 'open' | 'between' | 'close'> {
  row(rejected: FileRow, violations: readonly Violation[]): string;
}

/** Reads and prints the users of one schema in one file format. */
export interface FileCodec<T> {
  /**
   * A batch of rows at a time, as they arrive. A row that can't be read, of a format where the next one begins for sure, is a row with
   * violations. Closes the chunks when it ends early.
   * @throws UnreadableError with the position, after yielding the rows before it: where nothing beyond can be understood
   */
  read(
    chunks: AsyncIterable<Uint8Array>,
    options: FileReadOptions,
  ): AsyncGenerator<readonly FileRow[], void, undefined>;
  /** @throws Error for columns that the schema doesn't have, which it names */
  printer(options?: FilePrintOptions): FilePrinter<T>;
  /** @param header what stood in front of the rows read, such as the columns of CSV */
  rejectPrinter(header?: string): RejectPrinter;
}

export interface FileFormat {
  /** As in `--format`. */
  readonly name: string;
  /** Of files' names, with the dot, in lower case. */
  readonly endings: readonly string[];
  /** What a row is: `patch` where a row may leave members as they are. */
  readonly rows: DocumentKind;
  codec<T>(schema: TObject, naming: Naming): FileCodec<T>;
}
