/**
 * The file's layout (tables.ts): its number, and the files that are refused. The table `key_rules` has the rules (domain/find/keys.ts) by which the
 * derived rows of each kind were made, and the progress of a rebuild.
 */

import { beingFilled, isFilling } from '../../../../domain/changes/moves.ts';
import { type Asked, assertBuilt, isDeclared } from '../../../../domain/find/building.ts';
import { compareKeyRules, isVersioned, parseKeyRules, printKeyRules } from '../../../../domain/find/keys.ts';
import { declaredOtherwise } from '../../../../domain/kinds/attributes/compare.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { type Kinds, kindsOf } from '../../../../domain/kinds.ts';
import { DomainError } from '../../../../domain/validation/errors.ts';
import { wordsOf } from '../../../system/program.ts';
import { createLog, type LogState, stateSql } from '../changes/tables.ts';
import { type Connection, withConnection } from '../file/connection.ts';
import { describeError, sqliteCode } from '../file/sqlite-errors.ts';
import { versionIn, versionMask } from '../wal/wal-mark.ts';
import { compareForReads, parseBuilding } from './building.ts';
import { createDeclared, makeDeclaredCheck } from './declared-attributes.ts';
import { type AllTables, createTables } from './tables.ts';

/** "udir" in ASCII: marks the files of this program. */
const applicationId = 0x75646972;

/** Raise it with any change of the tables, and add a migration (migrations/index.ts). */
export const layoutNumber = 10;

/** The first layout that migrations begin with. Files with earlier ones are refused, with the commands that move their content. */
const oldestMigrated = 9;

/** A row for each migration that is not finished. */
export const createMigrations =
  'CREATE TABLE migrations (layout INTEGER PRIMARY KEY, progress INTEGER NOT NULL);';

const createRules =
  'CREATE TABLE key_rules (kind TEXT NOT NULL PRIMARY KEY, rules TEXT NOT NULL) WITHOUT ROWID;';

/** This release's rules, in their stored form. */
export const currentRules = ({ keyRules }: Kind): string => printKeyRules(keyRules);

const otherRelease = 'another release has changed the file since';

const readSql = 'SELECT rules FROM key_rules WHERE kind = ?';

export const readRules = (db: Connection, { name }: Kind): string =>
  db.prepare<[string], string>(readSql).pluck().get(name) ?? '';

export const writeRules = (db: Connection, { name }: Kind, rules: string): void =>
  void db.prepare('INSERT OR REPLACE INTO key_rules (kind, rules) VALUES (?, ?)').run(name, rules);

/** @throws Error when a later release made the rows. Releases that differ in filters can't be ordered: the rows are rebuilt */
export function assertNotNewerRules(db: Connection, kind: Kind): void {
  const found = parseKeyRules(readRules(db, kind));
  const versioned = found.indexes.filter((index) => isVersioned(index) && !isDeclared(index));
  const comparison = compareKeyRules(
    { mapping: found.mapping, indexes: [...kind.filterNames, ...versioned] },
    kind.keyRules,
  );
  if (comparison !== 'newer' && comparison !== 'usable') return;
  throw new Error(
    `a newer release wrote it (rules of ${kind.plural} ${found.mapping} ${versioned.join()}, this one knows ${currentRules(kind)}); it was left as it is`,
  );
}

/** The function throws unless the kind's derived rows were made by the rules of this process, or are built by them in the background. */
function makeRulesCheck(db: Connection, kind: Kind): () => void {
  const rules = db.prepare<[string], string>(readSql).pluck();
  const current = currentRules(kind);
  return () => {
    const found = rules.get(kind.name) ?? '';
    if (found === current || parseBuilding(found, current)) return;
    throw new Error(compareForReads(found, kind) ? declaredOtherwise : otherRelease);
  };
}

/**
 * To be called before reads by derived rows, with a query that may need declared indexes. The function throws DomainError `unavailable` while
 * a later release rebuilds the derived rows by its own rules, or the query needs an index that isn't whole.
 */
export function makeRulesAssertion(db: Connection, kind: Kind): (asked?: Asked) => void {
  const rules = db.prepare<[string], string>(readSql).pluck();
  const current = currentRules(kind);
  return (asked) => {
    const found = rules.get(kind.name) ?? '';
    if (found === current) return;
    const building = parseBuilding(found, current) ?? compareForReads(found, kind);
    if (building === undefined)
      throw new DomainError('unavailable', 'Another release is at work on the file.');
    if (asked) assertBuilt(building, asked);
  };
}

const readNumber = (db: Connection, pragma: 'user_version' | 'application_id'): number =>
  Number(db.pragma(pragma, { simple: true }));

export const readLayout = (db: Connection): number => versionIn(readNumber(db, 'user_version'));

/** The other bits of the number belong to the WAL. */
export const setLayout = (db: Connection, layout: number): void =>
  void db.pragma(`user_version = ${readNumber(db, 'user_version') - readLayout(db) + layout}`);

/** @throws Error when no migration begins with the layout, or a later release made it */
function assertKnown(version: number): void {
  if (version > layoutNumber)
    throw new Error(
      `a newer release wrote it (layout ${version}, this one knows ${layoutNumber}); it was left as it is`,
    );
  if (version < oldestMigrated)
    throw new Error(
      `it has layout ${version}, of an earlier release, which this one can't read; it was left as it is. With the release that wrote it, export its users (${wordsOf('export')} users.jsonl) and, where it has them, groups (--kind groups groups.jsonl) and memberships (--kind memberships memberships.jsonl). With this release, import them in this order into a new file (${wordsOf('import')} users.jsonl --keep-meta, --kind groups groups.jsonl --keep-meta, --kind memberships memberships.jsonl). It has no history`,
    );
}

const serve = wordsOf('serve');

/** @throws Error when a migration is due, or unfinished */
function assertMigrated(db: Connection, file: string): void {
  const layout = readLayout(db);
  if (layout < layoutNumber)
    throw new Error(
      `it has layout ${layout}, of an earlier release; it was left as it is. Start the service (${serve}): it copies the file to ${file}.layout-${layout} (unless USERS_SQLITE_COPY_BEFORE_MIGRATION is false), and migrates it to layout ${layoutNumber}`,
    );
  if (db.prepare('SELECT 1 FROM migrations').get() !== undefined)
    throw new Error(`its migration to layout ${layoutNumber} is not finished; start the service (${serve})`);
}

interface Accepted {
  readonly kinds?: Kinds;
  /** Whether a file may need a migration. */
  readonly acceptsEarlier?: boolean | undefined;
  /** See `StoreHooks.mayFill`. */
  readonly mayFill?: boolean | undefined;
}

/**
 * Checks a file, and changes nothing.
 * @returns false for an empty file
 * @throws Error when another program or release wrote it, or it is damaged
 */
export function assertReadableFile(
  file: string,
  { kinds = kindsOf(), acceptsEarlier = false, mayFill = false }: Accepted = {},
): boolean {
  return withConnection(file, { readonly: true, busyTimeout: 1000 }, (db) => {
    try {
      const version = versionIn(readNumber(db, 'user_version'));
      const isEmpty = version === 0 && db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
      if (isEmpty) return false;
      if (readNumber(db, 'application_id') !== applicationId) throw new Error('it is not a user directory');
      assertKnown(version);
      if (!acceptsEarlier) assertMigrated(db, file);
      if (!mayFill) makeFillingCheck(db)();
      for (const kind of kinds.all) assertNotNewerRules(db, kind);
      return true;
    } catch (cause) {
      if (sqliteCode(cause)?.startsWith('SQLITE_CORRUPT'))
        throw new Error(`it is damaged (${describeError(cause)})`, { cause });
      throw cause;
    }
  });
}

/** The layout of a file that `assertReadableFile` accepts. */
export const layoutIn = (file: string): number =>
  withConnection(file, { readonly: true, busyTimeout: 1000 }, readLayout);

/** For an operator. */
export const countUsers = (db: Connection): number =>
  Number(db.prepare('SELECT count(*) FROM users').pluck().get());

/** Makes the tables of an empty file, or of new kinds. @throws Error when another release was quicker */
export function createLayout(db: Connection, all: AllTables): void {
  const create = db.transaction(() => {
    const userVersion = readNumber(db, 'user_version');
    const version = versionIn(userVersion);
    if (version > 0) {
      assertKnown(version);
      if (version < layoutNumber) throw new Error('it needs a migration');
    } else
      db.exec(`${createRules}
        ${createLog}
        ${createMigrations}
        PRAGMA application_id = ${applicationId};
        PRAGMA user_version = ${userVersion + layoutNumber};`);
    db.exec(createDeclared);
    const isThere = db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?');
    const isKnown = db.prepare('SELECT 1 FROM key_rules WHERE kind = ?');
    for (const tables of all.values())
      if (isThere.get(tables.rows) === undefined && isKnown.get(tables.kind.name) === undefined)
        db.exec(createTables(tables));
  });
  create.immediate();
}

const makeFillingCheck = (db: Connection) => {
  const state = db.prepare<[], LogState>(stateSql);
  return () => {
    if (isFilling(state.get()?.line)) throw new Error(beingFilled);
  };
};

/**
 * The function throws when another process fills the file or has declared other attributes, or another release has changed the layout or the
 * derived rows, since the file was opened. To be called within a transaction. @param declared of this process
 */
export function makeReleaseCheck(
  db: Connection,
  all: AllTables,
  mayFill: boolean,
  declared: string,
): () => void {
  const assertDeclared = makeDeclaredCheck(db, declared);
  const layout = db
    .prepare<[], number>(`SELECT user_version & ${versionMask} FROM pragma_user_version`)
    .pluck();
  const checks = [...all.values()].map(({ kind }) => makeRulesCheck(db, kind));
  const assertFilled = mayFill ? () => {} : makeFillingCheck(db);
  return () => {
    assertFilled();
    assertDeclared();
    if (layout.get() !== layoutNumber) throw new Error(otherRelease);
    for (const assertOurRules of checks) assertOurRules();
  };
}
