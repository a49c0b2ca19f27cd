/** The file's layout (tables.ts): the number that names it, and which files are refused. */
import { wordsOf } from '../../../../config/base/environment.ts';
import { type Kinds, kindsOf } from '../../../../domain/kinds.ts';
import { type Connection, describeError, openConnection, sqliteCode } from '../file/connection.ts';
import { versionIn, versionMask } from '../wal/wal-mark.ts';
import { assertNotNewerRules, createRules, makeRulesCheck } from './rules.ts';
import { type AllTables, createTables } from './tables.ts';

/** "udir" in ASCII: tells our files from any other program's. */
const applicationId = 0x75646972;

/** Raise it with any change of the tables. Earlier ones were never released. */
export const layoutNumber = 8;

function readNumber(db: Connection, pragma: 'user_version' | 'application_id'): number {
  return Number(db.pragma(pragma, { simple: true }));
}

/** @throws Error when the layout is not this release's */
function assertKnown(version: number): void {
  if (version > layoutNumber)
    throw new Error(
      `a newer release wrote it (layout ${version}, this one knows ${layoutNumber}); it was left as it is`,
    );
  if (version < layoutNumber)
    throw new Error(
      `it has layout ${version}, of a build before the first release, which this one can't read: export its users with the build that wrote it (${wordsOf('export')} users.jsonl), and import them into a new file (${wordsOf('import')} users.jsonl --keep-meta); it was left as it is`,
    );
}

/**
 * Looks at a file without changing a byte.
 * @returns false when it is empty
 * @throws Error when it isn't ours, is damaged, or another release wrote it
 */
export function assertReadable(file: string, kinds: Kinds = kindsOf()): boolean {
  const db = openConnection(file, { readonly: true, busyTimeout: 1000 });
  try {
    const version = versionIn(readNumber(db, 'user_version'));
    const isEmpty = version === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (isEmpty) return false;
    if (readNumber(db, 'application_id') !== applicationId) throw new Error('it is not a user directory');
    assertKnown(version);
    for (const kind of kinds.all) assertNotNewerRules(db, kind);
    return true;
  } catch (cause) {
    if (sqliteCode(cause)?.startsWith('SQLITE_CORRUPT'))
      throw new Error(`it is damaged (${describeError(cause)})`, { cause });
    throw cause;
  } finally {
    db.close();
  }
}

/** Makes the tables of an empty file, and those of kinds that are new to a file. @throws Error when another release was quicker */
export function createLayout(db: Connection, all: AllTables): void {
  const create = db.transaction(() => {
    const userVersion = readNumber(db, 'user_version');
    const version = versionIn(userVersion);
    if (version > 0) assertKnown(version);
    else
      db.exec(`${createRules}
        PRAGMA application_id = ${applicationId};
        PRAGMA user_version = ${userVersion + layoutNumber};`);
    const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
    const isKnown = db.prepare('SELECT 1 FROM key_rules WHERE kind = ?');
    for (const tables of all.values())
      if (isThere.get(tables.rows) === undefined && isKnown.get(tables.kind.name) === undefined)
        db.exec(createTables(tables));
  });
  create.immediate();
}

/** For within a transaction. The function throws when another release has changed the layout or the derived rows since the file was opened. */
export function makeReleaseCheck(db: Connection, all: AllTables): () => void {
  const layout = db
    .prepare<[], number>(`SELECT user_version & ${versionMask} FROM pragma_user_version`)
    .pluck();
  const checks = [...all.values()].map(({ kind }) => makeRulesCheck(db, kind));
  return () => {
    if (layout.get() !== layoutNumber || !checks.every((hasOurRules) => hasOurRules()))
      throw new Error('another release has changed the file since');
  };
}
