/** The declarations of attributes that the file was last served with (domain/kinds/attributes/compare.ts), as a text; empty before the first time. */

import { declaredOtherwise, isOutdated } from '../../../../domain/kinds/attributes/compare.ts';
import { type Connection, readBusyTimeout, withConnection } from '../file/connection.ts';

/** In ms: writers hold the lock for tenths of a second. */
const replaceTimeout = 10_000;

/** At most one row. */
export const createDeclared =
  'CREATE TABLE IF NOT EXISTS declared (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), declarations TEXT NOT NULL);';

const readSql = 'SELECT declarations FROM declared';
const hasTable = "SELECT 1 FROM sqlite_schema WHERE name = 'declared'";

/** An error of `makeDeclaredCheck`: nothing was written, and reads go on. */
export const isDeclaredOtherwise = (cause: unknown): boolean =>
  cause instanceof Error && cause.message === declaredOtherwise;

/** The function throws an Error if a process with other declarations has been started since. @param own of this process */
export function makeDeclaredCheck(db: Connection, own: string): () => void {
  const stored = db.prepare<[], string>(readSql).pluck();
  return () => {
    if (isOutdated(stored.get(), own)) throw new Error(declaredOtherwise);
  };
}

export const findDeclared = (db: Connection): string =>
  db.prepare(hasTable).get() === undefined ? '' : (db.prepare<[], string>(readSql).pluck().get() ?? '');

export const readDeclared = (file: string): string =>
  withConnection(file, { readonly: true, busyTimeout: readBusyTimeout }, findDeclared);

/** Call it while another connection is open, so that this one is not the last. @returns false if the stored declarations are not `before` */
export function replaceDeclared(file: string, before: string, next: string): boolean {
  return withConnection(file, { readonly: false, busyTimeout: replaceTimeout }, (db) => {
    // Without the lock, since nearly every start finds its own declarations there.
    if (findDeclared(db) !== before) return false;
    const replace = db.transaction((): boolean => {
      if (findDeclared(db) !== before) return false;
      db.prepare('INSERT OR REPLACE INTO declared (only_row, declarations) VALUES (1, ?)').run(next);
      return true;
    });
    return replace.immediate();
  });
}
