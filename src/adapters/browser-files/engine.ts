/**
 * Files of users and groups in a browser: what a page asks for, and what it provides. Only types, so that a page knows nothing else of the service;
 * it loads `index.ts`.
 */
export type FileKindName = 'user' | 'group';
export type FormatName = 'jsonl' | 'json' | 'xml' | 'csv';
export type Encoding =
  | ('utf-8' | 'utf-16le' | 'utf-16be' | 'iso-8859-1' | 'iso-8859-2' | 'iso-8859-15' | 'macintosh')
  | `windows-${1250 | 1251 | 1252 | 1253 | 1254 | 1257}`
  | ('shift_jis' | 'gbk' | 'big5' | 'euc-kr');
export type DelimiterName = 'comma' | 'semicolon' | 'tab';
export type DayOrder = 'day-first' | 'month-first';
export type Mode = 'create' | 'upsert' | 'update';

/** How a file is read: options of the command `import`. A missing one is recognized, or has the command's default. */
export interface ReadWishes {
  readonly kind: FileKindName;
  readonly format: FormatName;
  readonly encoding?: Encoding | undefined;
  readonly delimiter?: DelimiterName | undefined;
  /** A word for true and one for false. */
  readonly booleans?: readonly [string, string] | undefined;
  /** How to read days with two readings, such as 1/2/2026. */
  readonly dates?: DayOrder | undefined;
  /** The time zone of days, for users without a time zone of their own. */
  readonly timeZone?: string | undefined;
  readonly emptyRemoves?: boolean | undefined;
  readonly spreadsheet?: boolean | undefined;
  readonly lastLine?: boolean | undefined;
  /** The column of each heading; empty if it is left out. */
  readonly headings?: ReadonlyMap<string, string> | undefined;
  /** Rows as a person has corrected them, by their keys. */
  readonly corrections?: ReadonlyMap<string, CorrectedRow> | undefined;
  /** Only the rows with these keys. */
  readonly rows?: ReadonlySet<string> | undefined;
}

/** The cells of a row of a table, or its text; an empty text leaves the row out. */
export type CorrectedRow = readonly string[] | string;

export interface ImportWishes extends ReadWishes {
  readonly mode: Mode;
  /** One of `matchMembers`. */
  readonly match: string;
  readonly isDryRun: boolean;
}

export interface Preview {
  /** The headings of a table, each with the path of its column if it has one. For other files, only the paths. */
  readonly headings: readonly { readonly heading: string; readonly path: string | undefined }[];
  /** The cells of the first rows. */
  readonly rows: readonly (readonly string[])[];
  /** For a table: how it was recognized. */
  readonly delimiter?: DelimiterName | undefined;
  readonly encoding?: string | undefined;
  /** Undefined also if its columns have different ones. */
  readonly dates?: DayOrder | undefined;
  readonly failure: FileFailure | undefined;
}

/** Why reading or writing ended. */
export interface FileFailure {
  /** The place in the file, if it is known: in a table the row and the column of a cell. */
  readonly place: Place | undefined;
  /** The message, in English. */
  readonly detail: string;
}

/** Both numbers begin at 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A document of a resource, as the API shows it. */
export type Document = Readonly<Record<string, unknown>>;

/** One mistake, as in a problem of the API. */
export interface Mistake {
  readonly pointer: string;
  readonly detail: string;
}

/**
 * How a write ended. `stale`: another version is stored, or none. `taken`: another resource has the id or the unique name. `refused`: a rule
 * of the service. A failure that concerns every row is thrown.
 */
export type WriteEnd =
  | 'done'
  | 'stale'
  | { readonly taken: 'id' | 'name' }
  | { readonly refused: readonly Mistake[] };

/**
 * The directory over its public API; `kind` is that of the rows, or `user` for users that they name. Each method waits when the service asks for
 * it, and throws once the run is stopped. An error ends the run.
 */
export interface Directory {
  /** Undefined if no resource has this id. */
  read(id: string, kind: FileKindName): Promise<Document | undefined>;
  /** @param member one of `matchMembers` except `id`, or a unique attribute */
  findBy(member: string, value: string, limit: number, kind: FileKindName): Promise<readonly Document[]>;
  /** All resources, page by page; undefined if there are more than `most`. */
  list(most: number): Promise<AsyncIterable<readonly Document[]> | undefined>;
  /** @param document whole, with an id */
  create(document: Document): Promise<WriteEnd>;
  /** @param version of the resource that it replaces */
  replace(document: Document, version: string): Promise<WriteEnd>;
  /** A new id. */
  id(): string;
}

export interface Counts {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly rejected: number;
}

export interface Reports {
  readonly signal: AbortSignal;
  /** @param done the completed part, from 0 to 1 */
  onProgress(counts: Counts, done: number): void;
}

export interface RowMistake {
  /** The column, from 1 on, and its heading. Undefined for mistakes without a cell and in other files. */
  readonly cell?: { readonly column: number; readonly heading: string };
  /** The number of the value in a cell with several, from 1 on. */
  readonly value?: number;
  /** The path of a value without a cell, like the path of a column; empty for the row as a whole. */
  readonly path: string;
  /** The message, in English. */
  readonly detail: string;
}

export interface RejectedRow {
  /** Distinguishes it from the other rows of the file. */
  readonly key: string;
  readonly place: Place;
  /** In a table, a cell for each heading. Undefined if the cells can't be told apart, and in other files. */
  readonly cells?: readonly string[];
  readonly text: string;
  readonly mistakes: readonly RowMistake[];
}

/** The rows that were refused. */
export interface Rejects {
  /** All of them with their reasons, in the command's words. */
  readonly file: Blob;
  /** The first ones. */
  readonly rows: readonly RejectedRow[];
  /** The headings of the cells; empty for files that are not tables. */
  readonly headings: readonly string[];
  /** The keys of all refused rows. */
  readonly keys: ReadonlySet<string>;
}

export interface ImportResult {
  readonly counts: Counts;
  /** Why it ended early. Counted rows are done. */
  readonly failure: FileFailure | undefined;
  readonly rejects: Rejects | undefined;
}

export interface ExportWishes extends Pick<ReadWishes, 'kind' | 'format' | 'spreadsheet' | 'delimiter'> {
  /**
   * For a table: these fields with everything inside them, and the unique name; managers by name. Default: all fields that the documents
   * have, managers by id, and by name in a column that imports leave out.
   */
  readonly fields?: readonly string[] | undefined;
  /** The heading of a column: words that `pathOf` reads as its path, or else the path. A path that begins with `@` has names instead of ids. */
  readonly headingOf: (path: string) => string;
}

export interface FileEngine {
  /** Finds the format by the ending of the name, with or without `.gz`. */
  findFormat(file: string): FormatName | undefined;
  /** The file extensions of all formats. */
  readonly endings: readonly string[];
  /** The paths of the usual columns of a table. */
  columnsOf(kind: FileKindName): readonly string[];
  /** The path of the column that a heading names, if any. */
  pathOf(kind: FileKindName, heading: string): string | undefined;
  /** Values of the option `--encoding`. */
  readonly encodings: readonly Encoding[];
  /** Members by which rows are matched with stored resources. */
  matchMembers(kind: FileKindName): readonly string[];
  preview(file: File, wishes: ReadWishes): Promise<Preview>;
  importFile(file: File, wishes: ImportWishes, directory: Directory, reports: Reports): Promise<ImportResult>;
  /** A table for spreadsheets, which run none of its cells. Commas by default. */
  printTable(rows: readonly (readonly string[])[], delimiter?: DelimiterName): string;
  /** @returns undefined unless there are two different words with a slash between them; the second may be empty */
  readBooleans(text: string): readonly [string, string] | undefined;
  /** What spreadsheets call a column, from 1 on: `A` to `Z`, `AA` and so on. */
  lettersOf(column: number): string;
  /**
   * @param readPages all documents, page by page; for a table it is called twice, first to find the columns
   * @returns the number of written documents
   * @throws Error as `readPages` and `write` do; if documents have changed since the first call and need other columns; for too many columns
   */
  exportFile(
    wishes: ExportWishes,
    directory: Directory,
    readPages: () => AsyncIterable<readonly Document[]>,
    write: (text: string) => Promise<void>,
  ): Promise<number>;
}
