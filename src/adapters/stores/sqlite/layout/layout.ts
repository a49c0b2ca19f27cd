/**
 * The file's layout: its tables, the number that names them, and which files are refused.
 *
 * `users`, `groups` and `memberships` are what the service stores; the other tables that begin with `user_` and `group_` are derived from
 * them (rebuild.ts). Every index holds `n`, the number of the user or group, by which sets are made (search/);
 * it doesn't recur, so that a row that another program has removed leaves nothing to the next one. What was derived from a document
 * stands beside it, in `search`, `sorts` and `filters`: so `user_keys` needs no second index by user, and a document that another
 * program has changed is replaced and removed like any other.
 *
 * The members of a group are a numbered set, whose number is in `groups.members`: `memberships` has the sets of each user, and `user_keys`
 * the users of each set, under the filter `group`. A group that is removed, or gets other members as a whole, leaves its set behind; its
 * number doesn't recur, nobody finds it any more, and its rows are removed in steps (write/members.ts).
 */
import { wordsOf } from '../../../../config/base/environment.ts';
import { type Connection, describeError, openConnection, sqliteCode } from '../file/connection.ts';
import { groupRows, sqlFor, userRows } from '../index/row-type.ts';
import { createWords } from '../index/words.ts';
import { versionIn, versionMask } from '../wal/wal-mark.ts';
import { assertNotNewerRules, makeRulesCheck } from './rules.ts';

/** "udir" in ASCII: tells our files from any other program's. */
const applicationId = 0x75646972;

const createDerivedRows = `
  CREATE TABLE user_keys (
    filter TEXT NOT NULL, key TEXT NOT NULL, user_id TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (filter, key, user_id)
  ) WITHOUT ROWID;
  CREATE TABLE user_sort_keys (
    sort INTEGER NOT NULL, key TEXT NOT NULL, id TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (sort, key, id)
  ) WITHOUT ROWID;
  CREATE TABLE user_counts (
    filter TEXT NOT NULL, key TEXT NOT NULL, users INTEGER NOT NULL,
    PRIMARY KEY (filter, key)
  ) WITHOUT ROWID;
  ${createWords};`;

const dropDerivedRows =
  'DROP TABLE user_keys; DROP TABLE user_sort_keys; DROP TABLE user_counts; DROP TABLE user_words;';

export const rowTypes = [userRows, groupRows] as const;
const forEachKind = (sql: string): string => rowTypes.map(({ kind }) => sqlFor(kind, sql)).join('');

export const createDerived = forEachKind(createDerivedRows);
export const dropDerived = forEachKind(dropDerivedRows);

/** The layout that the first step makes. Earlier ones were never released. */
const firstLayout = 7;

/** The first makes the tables; a later release adds a step to those before it, and never changes one that was released. */
const layoutSteps: readonly string[] = [
  `${forEachKind(`CREATE TABLE users (
     n INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     user_name_key TEXT NOT NULL UNIQUE,
     version TEXT NOT NULL,
     search TEXT,
     sorts TEXT,
     filters TEXT,
     document TEXT NOT NULL,
     CHECK (json_extract(document, '$.id') IS id AND json_extract(document, '$.meta.version') IS version)
   );
   CREATE INDEX users_without_keys ON users (n) WHERE search IS NULL;`)}
   ALTER TABLE groups ADD COLUMN members INTEGER;
   ALTER TABLE groups ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
   CREATE UNIQUE INDEX groups_by_members ON groups (members);
   CREATE TABLE memberships (n INTEGER NOT NULL, members INTEGER NOT NULL, PRIMARY KEY (n, members)) WITHOUT ROWID;
   CREATE TABLE member_sets (members INTEGER PRIMARY KEY AUTOINCREMENT, is_dropped INTEGER NOT NULL DEFAULT 0);
   CREATE INDEX dropped_sets ON member_sets (members) WHERE is_dropped;
   CREATE TABLE marks (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
   ${createDerived}
   CREATE VIEW members_by_id AS SELECT users.id, memberships.members FROM memberships JOIN users USING (n);
   CREATE VIEW member_counts AS SELECT key AS members, users AS count FROM user_counts WHERE filter = 'group';
   PRAGMA application_id = ${applicationId};`,
];

export const layoutNumber = firstLayout + layoutSteps.length - 1;

function readNumber(db: Connection, pragma: 'user_version' | 'application_id'): number {
  return Number(db.pragma(pragma, { simple: true }));
}

/** @throws Error when the layout is not one that `upgradeLayout` takes */
function assertKnown(version: number, known: number): void {
  if (version > known)
    throw new Error(
      `a newer release wrote it (layout ${version}, this one knows ${known}); it was left as it is`,
    );
  if (version < firstLayout)
    throw new Error(
      `it has layout ${version}, of a build before the first release, which this one can't read: export its users with the build that wrote it (${wordsOf('export')} users.jsonl), and import them into a new file (${wordsOf('import')} users.jsonl --keep-meta); it was left as it is`,
    );
}

/**
 * Looks at a file without changing a byte.
 * @returns the number of its layout; 0 when it is empty
 * @throws Error when it isn't ours, is damaged, has an earlier layout, or a newer release wrote it
 */
export function assertReadable(file: string): number {
  const db = openConnection(file, { readonly: true, busyTimeout: 1000 });
  try {
    const version = versionIn(readNumber(db, 'user_version'));
    const isEmpty = version === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (isEmpty) return 0;
    if (readNumber(db, 'application_id') !== applicationId) throw new Error('it is not a user directory');
    assertKnown(version, layoutNumber);
    assertNotNewerRules(db);
    return version;
  } catch (cause) {
    if (sqliteCode(cause)?.startsWith('SQLITE_CORRUPT'))
      throw new Error(`it is damaged (${describeError(cause)})`, { cause });
    throw cause;
  } finally {
    db.close();
  }
}

/**
 * Brings an empty file, or one of an earlier release, up to the layout, each step in a transaction of its own: after an
 * interruption it continues from there.
 * @throws Error when another release was quicker; SqliteError of a step that failed and left no trace
 */
export function upgradeLayout(db: Connection, steps: readonly string[] = layoutSteps): void {
  const step = db.transaction((): boolean => {
    const userVersion = readNumber(db, 'user_version');
    const version = versionIn(userVersion);
    if (version > 0) assertKnown(version, firstLayout + steps.length - 1);
    const sql = steps[version === 0 ? 0 : version - firstLayout + 1];
    if (sql === undefined) return false;
    db.exec(sql);
    db.pragma(`user_version = ${userVersion - version + (version === 0 ? firstLayout : version + 1)}`);
    return true;
  });
  while (step.immediate());
}

/** For within a transaction. The function throws when another release has changed the layout or the derived rows since the file was opened. */
export function makeReleaseCheck(db: Connection): () => void {
  const layout = db
    .prepare<[], number>(`SELECT user_version & ${versionMask} FROM pragma_user_version`)
    .pluck();
  const hasOurRules = makeRulesCheck(db);
  return () => {
    if (layout.get() !== layoutNumber || !hasOurRules())
      throw new Error('another release has changed the file since');
  };
}
