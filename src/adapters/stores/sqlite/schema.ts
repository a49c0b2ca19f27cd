/**
 * The file's layout, and how a file of an earlier release is brought up to it.
 *
 * `user_keys` is the index behind every filter, whichever there are. It has no second index by user: the
 * old keys of a user are computed from the document that is being replaced, which the version check reads
 * anyway. That halves the index pages an insert touches, and a replace writes only the keys that changed.
 * Where somebody else has written the document the keys are looked for instead, in all there are: slow, and rare.
 * It holds because `indexed_by` says which rules made the keys (domain/keys.ts): a release that has other rules reindexes on
 * opening, and a release that finds its keys reindexed by another one stops writing.
 */
import { filterNames } from '../../../domain/filters.ts';
import { compareKeyRules, type KeyRules, keyRules, searchRules } from '../../../domain/keys.ts';
import type { Connection } from './connection.ts';
import { openConnection } from './connection.ts';
import { versionIn, versionMask } from './log-mark.ts';
import { reindex } from './reindex.ts';
import { createSortKeys, createWordBlocks } from './search-rows.ts';
import { createSharedKeys } from './shared-keys.ts';
import { createWords } from './word-index.ts';

/** "udir" in ASCII: tells our files from any other program's. */
const applicationId = 0x75646972;

/** The mark of a file that has documents from before the column `writes`: its value is the last id that was looked at. */
export const adoptionMark = 'documents judged up to';

/** The mark that says by which rules `search`, `sorts` and what is made from them were made. */
export const searchRulesMark = 'search and sorts made by';

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
   INSERT INTO marks VALUES ('${adoptionMark}', '');`,
  // `n` names the user in the index of words, which knows numbers only; unlike a rowid it outlives VACUUM. `search` and `sorts` say what
  // the user is found by there and in sort_keys, where an empty key stands for none. `totals` has one row, and no trigger
  // that counts: see `count` in writes.ts.
  `ALTER TABLE users ADD COLUMN n INTEGER;
   ALTER TABLE users ADD COLUMN search TEXT;
   ALTER TABLE users ADD COLUMN sorts TEXT;
   CREATE UNIQUE INDEX users_n ON users (n);
   ${createSortKeys};
   ${createWords};
   ${createWordBlocks};
   ${createSharedKeys};
   CREATE TABLE totals (users INTEGER NOT NULL);
   INSERT INTO totals VALUES (0);
   INSERT INTO marks VALUES ('${searchRulesMark}', '');`,
];

export const schemaVersion = migrations.length;

/** In the order that `sorts` has them. */
export const currentSearchRules = searchRules.join();

interface State {
  readonly mapping: number;
  readonly filters: string;
  readonly schema: number;
}

const readState = `SELECT mapping, filters,
  (SELECT user_version & ${versionMask} FROM pragma_user_version) AS schema FROM indexed_by`;

const readSearchRules = 'SELECT value FROM marks WHERE name = ?';

/** In front of the rules while users are indexed by them; the id that it has come to follows after a space. */
export const begunMark = 'begun ';

/** @throws Error when the rules are those of a later release */
export function assertNotNewerSearch(mark: string): void {
  const [rules = ''] = mark.replace(begunMark, '').split(' ');
  const found = { mapping: keyRules.mapping, indexes: [...filterNames, ...rules.split(',')] };
  if (rules === currentSearchRules || compareKeyRules(found) !== 'usable') return;
  throw new Error('a newer release wrote what it is searched by; it was left as it is');
}

/** The function tells if what users are searched and sorted by was made, all of it, by the rules of this release. */
export function makeSearchCheck(db: Connection): () => boolean {
  const search = db.prepare<[string], string>(readSearchRules).pluck();
  return () => search.get(searchRulesMark) === currentSearchRules;
}

/** Of names and filters: search and sorts have rules of their own. */
const rulesIn = ({ mapping, filters }: State): KeyRules => ({
  mapping,
  indexes: [...filters.split(','), ...searchRules],
});

function readNumber(db: Connection, pragma: 'user_version' | 'application_id'): number {
  return Number(db.pragma(pragma, { simple: true }));
}

/**
 * Looks at a file without changing a byte of it.
 * @returns the version of its layout; 0 when it is empty
 * @throws Error when it isn't ours or a newer release wrote it
 */
export function assertReadable(file: string): number {
  const db = openConnection(file, { readonly: true, busyTimeout: 1000 });
  try {
    const version = versionIn(readNumber(db, 'user_version'));
    const isEmpty = version === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
    if (isEmpty) return 0;
    if (readNumber(db, 'application_id') !== applicationId) throw new Error('it is not a user directory');
    assertNotNewer(version, schemaVersion);
    const state = db.prepare<[], State>(readState).get();
    assertNotNewerRules(state);
    if (version > 2)
      assertNotNewerSearch(db.prepare<[string], string>(readSearchRules).pluck().get(searchRulesMark) ?? '');
    return version;
  } finally {
    db.close();
  }
}

const newerReleaseError = (what: string, found: number, known: number): Error =>
  new Error(`a newer release wrote it (${what} ${found}, this one knows ${known}); it was left as it is`);

function assertNotNewer(version: number, known: number): void {
  if (version > known) throw newerReleaseError('schema', version, known);
}

function assertNotNewerRules(state: State | undefined): void {
  if (state === undefined || compareKeyRules(rulesIn(state)) !== 'newer') return;
  throw newerReleaseError('userName mapping', state.mapping, keyRules.mapping);
}

/**
 * Brings the file up to `steps`, each in its own transaction: stopped on the way, it goes on from there next time.
 * @throws Error when a newer release was quicker; SqliteError of a step that failed, which then left no trace
 */
export function migrate(db: Connection, steps: readonly string[] = migrations): void {
  const step = db.transaction((): boolean => {
    const userVersion = readNumber(db, 'user_version');
    const version = versionIn(userVersion);
    assertNotNewer(version, steps.length);
    const sql = steps[version];
    if (sql === undefined) return false;
    db.exec(sql);
    db.pragma(`user_version = ${userVersion + 1}`);
    return true;
  });
  while (step.immediate());
}

/** In one transaction. @throws Error as `reindex`, or when a newer release was here */
export function reindexIfOutdated(db: Connection): void {
  const refresh = db.transaction(() => {
    const state = db.prepare<[], State>(readState).get();
    assertNotNewerRules(state);
    if (isCurrent(state)) return;
    reindex(db);
    // Shared keys are counted, and stand among the words.
    db.prepare("UPDATE marks SET value = '' WHERE name = ?").run(searchRulesMark);
    // It may have been emptied: then nothing is known of the keys, and there is no row to update.
    db.exec('DELETE FROM indexed_by');
    db.prepare('INSERT INTO indexed_by (mapping, filters) VALUES (?, ?)').run(
      keyRules.mapping,
      filterNames.join(),
    );
  });
  refresh.immediate();
}

/** The check is for within a transaction: it throws when another release has changed the layout or the keys since. */
export function makeReleaseCheck(db: Connection): () => void {
  const statement = db.prepare<[], State>(readState);
  const hasSearch = makeSearchCheck(db);
  return () => {
    if (!isCurrent(statement.get()) || !hasSearch())
      throw new Error('another release has changed the file since');
  };
}

/** The rules are noted once for all keys: those for more filters would not be kept up by our writes. */
function isCurrent(state: State | undefined): boolean {
  return state?.schema === schemaVersion && compareKeyRules(rulesIn(state)) === 'current';
}
