/**
 * The file's layout, and how a file of an earlier release is brought up to it.
 *
 * `user_keys` is the index behind every filter, whichever there are. It has no second index by user: what
 * a user was found under is computed from the document that is being replaced, which the version check reads
 * anyway. That halves the index pages an insert touches, and a replace writes only the keys that changed.
 * Where somebody else has written the document the keys are looked for instead, in all there are: slow, and rare.
 * It holds because `indexed_by` says what made the keys: a release that makes others rebuilds them all on opening,
 * and one that finds them rebuilt under its feet stops writing.
 */
import { filterNames } from '../../domain/filters.ts';
import { mappingVersion } from '../../domain/user-name.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';
import { versionIn, versionMask } from './log-mark.ts';
import { rebuildKeys } from './rebuild-keys.ts';

/** "udir" in ASCII: tells our files from any other program's. */
const applicationId = 0x75646972;

/** The mark of a file whose documents were written before `writes` was there: its value is the last id that was looked at. */
export const unjudged = 'documents judged up to';

/** One step per schema version, in order; what was released is never changed, only added to. */
export const migrations: readonly string[] = [
  `CREATE TABLE users (
     id TEXT NOT NULL PRIMARY KEY,
     user_name_key TEXT NOT NULL UNIQUE,
     mapping INTEGER NOT NULL,
     version TEXT NOT NULL,
     document TEXT NOT NULL
   );
   CREATE TABLE user_keys (
     filter TEXT NOT NULL,
     key TEXT NOT NULL,
     user_id TEXT NOT NULL,
     PRIMARY KEY (filter, key, user_id)
   ) WITHOUT ROWID;
   CREATE TABLE indexed_by (mapping INTEGER NOT NULL, filters TEXT NOT NULL);
   INSERT INTO indexed_by VALUES (0, '');
   PRAGMA application_id = ${applicationId};`,
  // `writes` counts our writes of the document; whoever changes a row without raising it, or inserts one, leaves it null.
  `ALTER TABLE users ADD COLUMN writes INTEGER;
   CREATE TRIGGER users_edited AFTER UPDATE OF id, version, document ON users WHEN NEW.writes IS OLD.writes
     BEGIN UPDATE users SET writes = NULL WHERE id = NEW.id; END;
   CREATE TABLE marks (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
   INSERT INTO marks VALUES ('${unjudged}', '');`,
];

export const schemaVersion = migrations.length;
const filterList = filterNames.join();

interface State {
  readonly mapping: number;
  readonly filters: string;
  readonly schema: number;
}

const readState = `SELECT mapping, filters,
  (SELECT user_version & ${versionMask} FROM pragma_user_version) AS schema FROM indexed_by`;

function numberOf(db: Connection, pragma: 'user_version' | 'application_id'): number {
  return Number(db.pragma(pragma, { simple: true }));
}

/**
 * Looks at a file without changing a byte of it.
 * @returns the version of its layout; 0 when it is empty
 * @throws Error when it isn't ours or a newer release wrote it
 */
export function assertReadableBy(file: string): number {
  const db = openConnection(file, { readonly: true, busyTimeout: 1000 });
  try {
    const version = versionIn(numberOf(db, 'user_version'));
    const isEmpty = version === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (isEmpty) return 0;
    if (numberOf(db, 'application_id') !== applicationId) throw new Error('it is not a user directory');
    assertNotNewer('schema', version, schemaVersion);
    const state = db.prepare<[], State>(readState).get();
    assertNotNewer('userName mapping', state?.mapping ?? 0, mappingVersion);
    return version;
  } finally {
    db.close();
  }
}

function assertNotNewer(what: string, found: number, known: number): void {
  if (found > known) {
    throw new Error(
      `a newer release wrote it (${what} ${found}, this one knows ${known}); it was left as it is`,
    );
  }
}

/**
 * Brings the file up to `steps`, each in its own transaction: stopped on the way, it goes on from there next time.
 * @throws Error when a newer release was quicker; SqliteError of a step that failed, which then left no trace
 */
export function migrate(db: Connection, steps: readonly string[] = migrations): void {
  const step = db.transaction((): boolean => {
    const userVersion = numberOf(db, 'user_version');
    const version = versionIn(userVersion);
    assertNotNewer('schema', version, steps.length);
    const sql = steps[version];
    if (sql === undefined) return false;
    db.exec(sql);
    db.pragma(`user_version = ${userVersion + 1}`);
    return true;
  });
  while (step.immediate());
}

/** Makes every key anew if others made them: an earlier mapping of names, another set of filters. All or nothing. */
export function refreshKeys(db: Connection): void {
  const refresh = db.transaction(() => {
    const state = db.prepare<[], State>(readState).get();
    assertNotNewer('userName mapping', state?.mapping ?? 0, mappingVersion);
    if (isCurrent(state)) return;
    rebuildKeys(db);
    // It may have been emptied: then nothing is known of the keys, and there is no row to update.
    db.exec('DELETE FROM indexed_by');
    db.prepare('INSERT INTO indexed_by (mapping, filters) VALUES (?, ?)').run(mappingVersion, filterList);
  });
  refresh.immediate();
}

/** A check, for within a transaction, that no other release has changed the file's layout or keys since. */
export function currencyCheck(db: Connection): () => void {
  const statement = db.prepare<[], State>(readState);
  return () => {
    if (!isCurrent(statement.get())) throw new Error('another release has changed the file since');
  };
}

function isCurrent(state: State | undefined): boolean {
  return state?.schema === schemaVersion && state.mapping === mappingVersion && state.filters === filterList;
}
