/**
 * Rebuilds the derived rows when other rules made them, or another program has added or removed users. A page of users is a
 * transaction, after which the rebuild would continue when it is interrupted; several processes share the work. No process of the service
 * writes meanwhile: see `makeReleaseCheck`.
 */
import { keyRules, makeKeysOfStored, parkedName, parseKeyRules } from '../../../../domain/find/keys.ts';
import { type Connection, sqliteCode } from '../file/connection.ts';
import { IndexRows } from '../index/index-rows.ts';
import { printSorts } from '../index/sort-keys.ts';
import { documentColumn, readStored } from '../index/stored-document.ts';
import { createDerived, dropDerived } from './layout.ts';
import { assertNotNewerRules, currentRules, readRules, rulesMark } from './rules.ts';

/** In one transaction: the WAL stays short, and other processes get their turn. */
const pageSize = 500;

/** In milliseconds. */
const progressInterval = 10_000;

/** In front of the number of the last user whose rows are rebuilt. */
const begun = `${currentRules} `;

interface Row {
  readonly n: number;
  readonly id: string;
  readonly document: string;
}

const writeMark = (db: Connection, value: string): void =>
  void db.prepare('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)').run(rulesMark, value);

const pageAfter = (db: Connection, n: number): Row[] =>
  db
    .prepare<[number, number], Row>(
      `SELECT n, id, ${documentColumn('users')} AS document FROM users WHERE n > ? ORDER BY n LIMIT ?`,
    )
    .all(n, pageSize);

/** True when the derived rows are those of all users, by the rules of this release. */
function isWhole(db: Connection): boolean {
  const differs = db
    .prepare<[], number>(
      `SELECT EXISTS (SELECT 1 FROM users WHERE search IS NULL) OR
       (SELECT count(*) FROM users) <> ifnull((SELECT users FROM counts WHERE filter = '' AND key = ''), 0)`,
    )
    .pluck();
  return readRules(db) === currentRules && differs.get() === 0;
}

/** For within a transaction. */
function begin(db: Connection): void {
  assertNotNewerRules(db);
  const found = readRules(db);
  if (found.startsWith(begun) || isWhole(db)) return;
  if (parseKeyRules(found).mapping !== keyRules.mapping) mapNames(db);
  db.exec(dropDerived + createDerived);
  writeMark(db, `${begun}0`);
}

/** @throws Error that names a user when two names have become the same one */
function mapNames(db: Connection): void {
  // A user's new name may still be the old one of another: first all get a placeholder.
  db.prepare('UPDATE users SET user_name_key = ? || id').run(parkedName(''));
  const rename = db.prepare('UPDATE users SET user_name_key = ? WHERE n = ?');
  for (let page = pageAfter(db, 0); page.length > 0; page = pageAfter(db, page.at(-1)?.n ?? 0))
    for (const { n, id, document } of page)
      try {
        rename.run(makeKeysOfStored(readStored(document)).name, n);
      } catch (cause) {
        if (sqliteCode(cause) !== 'SQLITE_CONSTRAINT_UNIQUE') throw cause;
        throw new Error(`the userName of user ${id} is now the same as another's; rename one first`, {
          cause,
        });
      }
}

/** For within a transaction. @returns the last user of the page; undefined when all are done */
function rebuildPage(db: Connection): number | undefined {
  const found = readRules(db);
  if (found === currentRules) return undefined;
  if (!found.startsWith(begun)) throw new Error('another release has changed the file since');
  const page = pageAfter(db, Number(found.slice(begun.length)));
  const rows = new IndexRows(db);
  const put = db.prepare('UPDATE users SET search = ?, sorts = ? WHERE n = ?');
  for (const { n, id, document } of page) {
    const keys = makeKeysOfStored(readStored(document));
    rows.change(id, n, undefined, keys);
    put.run(keys.search, printSorts(keys.sorts), n);
  }
  rows.finish();
  const last = page.at(-1)?.n;
  writeMark(db, last === undefined ? currentRules : begun + last);
  return last;
}

/**
 * @param onCommit called after each transaction
 * @param onProgress called with a line for the log, at the beginning, every ten seconds, and at the end
 * @throws Error when a newer release made the rows, or two names have become the same one
 */
export function rebuildIfOutdated(
  db: Connection,
  onCommit: () => void,
  onProgress: (line: string) => void,
): void {
  db.transaction(() => begin(db)).immediate();
  const step = db.transaction(() => rebuildPage(db));
  const total = db.prepare<[], number>('SELECT count(*) FROM users').pluck();
  const done = db.prepare<[number], number>('SELECT count(*) FROM users WHERE n <= ?').pluck();
  let told = 0;
  for (let last = step.immediate(); last !== undefined; last = step.immediate()) {
    onCommit();
    if (told !== 0 && Date.now() - told < progressInterval) continue;
    told = Date.now();
    onProgress(`The indexes of the users are rebuilt: ${done.get(last)} of ${total.get()}.`);
  }
  if (told !== 0) onProgress('The indexes of all users are rebuilt.');
}
