/**
 * The meaning of SQLite's error codes for the store. write/group-commit.ts decides what a failed transaction means; store.ts and write/writer.ts
 * decide what a failed read or step means for the process.
 *
 * No write is run again after SQLITE_BUSY: SQLite itself waits for the lock during `busyTimeout` (connection.ts), then the write is `unavailable`.
 */
import Database from 'better-sqlite3';

/** The code of an error of SQLite's, extended ones included, such as `SQLITE_IOERR_FSYNC`; else undefined. */
export const sqliteCode = (cause: unknown): string | undefined =>
  cause instanceof Database.SqliteError ? cause.code : undefined;

const hasCode = (codes: RegExp) => (cause: unknown) => codes.test(sqliteCode(cause) ?? '');

/** The disk is full, or a quota is used up. SQLite keeps nothing of the transaction. */
export const isFull = hasCode(/^SQLITE_FULL$/);

/** Busy or full: SQLite keeps nothing of the transaction, and the next one may succeed. */
export const isPassing = hasCode(/^SQLITE_(?:BUSY|FULL)/);

/** Another connection holds the file. */
export const isLocked = hasCode(/^SQLITE_(?:BUSY|LOCKED)/);

/** The file is no database, or a damaged one. */
export const isDamage = hasCode(/^SQLITE_(?:CORRUPT|NOTADB)/);

/** The storage fails; as opposed to a busy file, a full disk or a wrong statement. */
export const isStorageFault = hasCode(/^SQLITE_(?:CORRUPT|NOTADB|IOERR|CANTOPEN|READONLY|PROTOCOL)/);

/** An id or a name is taken. */
export const isConflict = hasCode(/^SQLITE_CONSTRAINT_(?:PRIMARYKEY|UNIQUE)$/);

/** One write is to blame: our code threw, or SQLite refused its values. Any other error concerns the whole transaction. */
export const isOwnFault = (cause: unknown): boolean =>
  sqliteCode(cause) === undefined || hasCode(/^SQLITE_(?:CONSTRAINT|TOOBIG|MISMATCH)/)(cause);

/**
 * One line for the log without users' data: SQLite names columns, never values, and our own errors are safe. For all others only the name is shown: a
 * SyntaxError of JSON quotes the text that it could not read.
 */
export function describeError(cause: unknown): string {
  const code = sqliteCode(cause);
  if (!(cause instanceof Error)) return 'thrown';
  const isOurs = Object.getPrototypeOf(cause) === Error.prototype;
  return code !== undefined || isOurs ? `${code ?? cause.name}: ${cause.message}` : cause.name;
}

/** For an operator. SQLite's message alone, such as "disk I/O error", would not name the file. */
export const reasonOf = (cause: unknown): string => {
  if (sqliteCode(cause) !== undefined) return describeError(cause);
  return cause instanceof Error ? cause.message : describeError(cause);
};
