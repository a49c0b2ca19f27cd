/**
 * How every connection to the file is opened.
 *
 * A write-ahead log, a busy timeout and a cache are one line of pragmas elsewhere. The others stand for promises: an answered write survives
 * a power cut (`synchronous`), no file keeps erased values (`secure_delete`), and a checkpoint that fails is reported before the WAL fills the
 * disk (`wal_autocheckpoint`; wal/checkpoints.ts).
 */
import Database from 'better-sqlite3';
import { messageOf } from '../../../system/errors.ts';
import { assertSupportedNode } from '../../../system/program.ts';

export type Connection = Database.Database;

interface ConnectionOptions {
  readonly readonly: boolean;
  /** In ms: how long a statement blocks its thread while another connection holds the lock that it needs. */
  readonly busyTimeout: number;
  /** In KiB; `cacheSize` by default. */
  readonly cache?: number | undefined;
}

/** In KiB, per connection. A cache rather than a memory map, through which an I/O error would be a SIGBUS. */
const cacheSize = 32 * 1024;

/** In ms, for connections that only read. They hardly ever wait, and must not block the event loop for long if they do. */
export const readBusyTimeout = 100;

/** For a command that reads all users once: a cache gains little, and the service beside it needs the memory. */
export const smallCaches = { reader: 4 * 1024, writer: 16 * 1024 };

/** In bytes: SQLite cuts the WAL to this length when it begins anew. */
export const logSizeLimit = 16 * 2 ** 20;

/**
 * To be called before a database is opened. better-sqlite3 has a binary for each platform that it supports. On other platforms, and on old versions
 * of Node, none loads.
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

/** Opens an existing file, which may be empty unless `readonly`. @throws SqliteError when it can't be opened or is no database */
export function openConnection(
  file: string,
  { readonly, busyTimeout, cache = cacheSize }: ConnectionOptions,
): Connection {
  const db = new Database(file, { readonly, fileMustExist: true, timeout: busyTimeout });
  try {
    if (!readonly) {
      switchToWal(db);
      // For every write, since an erasure couldn't find what earlier writes had left in the file. It costs next to nothing.
      db.pragma('secure_delete = ON');
    }
    // The driver's build uses NORMAL for a file that is in WAL mode already: an answered write could be lost.
    db.pragma('synchronous = FULL');
    db.pragma(`cache_size = -${cache}`);
    db.pragma('trusted_schema = OFF');
    // SQLite doesn't report when its own checkpoints fail.
    db.pragma('wal_autocheckpoint = 0');
    db.pragma(`journal_size_limit = ${logSizeLimit}`);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** @returns what `use` does with a connection of its own, which is closed then */
export function withConnection<T>(file: string, options: ConnectionOptions, use: (db: Connection) => T): T {
  const db = openConnection(file, options);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** In this mode readers and the writer, of all processes, don't wait for each other. */
function switchToWal(db: Connection): void {
  const mode = db.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal') throw new Error(`write-ahead logging is not available here (journal mode ${mode})`);
}
