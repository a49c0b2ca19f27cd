/** How every connection to the file is opened, so that none of them forgets what durability rests on. */
import Database from 'better-sqlite3';
import { messageOf } from '../../../system/errors.ts';
import { assertSupportedNode } from '../../../system/program.ts';

export type Connection = Database.Database;

export interface ConnectionOptions {
  readonly readonly: boolean;
  /** How long a statement blocks its thread while another connection holds the lock it needs, in milliseconds. */
  readonly busyTimeout: number;
  /** In KiB; `cacheSize` when left out. */
  readonly cache?: number | undefined;
}

/** In KiB, per connection. A cache rather than a memory map, through which an I/O error would be a SIGBUS. */
const cacheSize = 32 * 1024;

/** In milliseconds, of connections that only read. With a write-ahead log they never wait; if they should, the event loop must not be blocked for long. */
export const readBusyTimeout = 100;

/** For a command that reads all users once: a cache gains little, and the service beside it needs the memory. */
export const smallCaches = { reader: 4 * 1024, writer: 16 * 1024 };

/** In bytes: SQLite cuts the log to this length when it begins anew. */
export const logSizeLimit = 16 * 2 ** 20;

/**
 * To be called before a database is opened. better-sqlite3 brings a binary for each platform that it supports; none loads elsewhere, or on a Node
 * that is too old.
 * @throws Error that says what an operator can do
 */
export function assertDriverLoads(): void {
  assertSupportedNode();
  try {
    new Database(':memory:').close();
  } catch (cause) {
    const [reason = ''] = messageOf(cause).split('\n');
    throw new Error(
      `better-sqlite3 does not load on this platform (${process.platform}-${process.arch}): ${reason}; it supports Linux, macOS and Windows on x64 and arm64: on one of these, install the packages again, rather than copy node_modules from another platform`,
      { cause },
    );
  }
}

/**
 * Opens a file that exists; an empty one will do when it may be written.
 * @throws SqliteError when it can't be opened or is no database
 */
export function openConnection(
  file: string,
  { readonly, busyTimeout, cache = cacheSize }: ConnectionOptions,
): Connection {
  const db = new Database(file, { readonly, fileMustExist: true, timeout: busyTimeout });
  try {
    if (!readonly) {
      switchToWal(db);
      // By each write, not only by an erasure: that couldn't find what writes before it have left of the person. It costs next to nothing.
      db.pragma('secure_delete = ON');
    }
    // The driver's build falls back to NORMAL for a file that is in WAL mode already: an answered write could be lost.
    db.pragma('synchronous = FULL');
    db.pragma(`cache_size = -${cache}`);
    db.pragma('trusted_schema = OFF');
    // Checkpoints are made by hand: SQLite keeps it to itself when its own fail.
    db.pragma('wal_autocheckpoint = 0');
    db.pragma(`journal_size_limit = ${logSizeLimit}`);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** With a write-ahead log readers and the writer, in whichever process, don't wait for each other. */
function switchToWal(db: Connection): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') throw new Error(`write-ahead logging is not available here (journal mode ${mode})`);
}

/** The code of an error of SQLite's, extended ones included, such as `SQLITE_IOERR_FSYNC`; else undefined. */
export function sqliteCode(cause: unknown): string | undefined {
  return cause instanceof Database.SqliteError ? cause.code : undefined;
}

/** SQLite keeps nothing of the transaction that had no room. */
export const isFull = (cause: unknown): boolean => sqliteCode(cause) === 'SQLITE_FULL';

/** Busy or full: SQLite surely keeps nothing of the transaction, and the next one may succeed. */
export const isPassing = (cause: unknown): boolean => /^SQLITE_(?:BUSY|FULL)/.test(sqliteCode(cause) ?? '');

/** The storage is not what it should be; as opposed to being busy, full, or asked something wrong. */
export function isStorageFault(cause: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB|IOERR|CANTOPEN|READONLY|PROTOCOL)/.test(sqliteCode(cause) ?? '');
}

/**
 * One line for the log without users' data: SQLite names columns, never values, and our own errors are plain ones. Of any
 * other only the name is shown: a SyntaxError of JSON quotes the text that it could not read.
 */
export function describeError(cause: unknown): string {
  const code = sqliteCode(cause);
  if (!(cause instanceof Error)) return 'thrown';
  const isOurs = Object.getPrototypeOf(cause) === Error.prototype;
  return code !== undefined || isOurs ? `${code ?? cause.name}: ${cause.message}` : cause.name;
}
