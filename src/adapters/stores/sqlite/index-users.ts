import { makeKeysOfStored } from '../../../domain/keys.ts';
import type { Connection } from './connection.ts';
import { assertNotNewerSearch, begunMark, currentSearchRules, searchRulesMark } from './schema.ts';
import { createSortKeys, createWordBlocks, noColumns, printSorts, SearchRows } from './search-rows.ts';
import { createSharedKeys, recountSharedKeys } from './shared-keys.ts';
import { documentColumn, readStored } from './stored-document.ts';
import { createWords } from './word-index.ts';

/** In one transaction: the log stays short, and other processes get their turn. */
const pageSize = 500;

/** In milliseconds. */
const progressInterval = 10_000;

interface Row {
  readonly id: string;
  readonly n: number | null;
  readonly document: string;
  /** Null when something else has written the document. */
  readonly writes: number | null;
}

const selectRows = `SELECT id, n, ${documentColumn('users')} AS document, writes FROM users`;

function prepareStatements(db: Connection) {
  return {
    rules: db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck(),
    note: db.prepare<[string, string]>('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)'),
    page: db.prepare<[string], Row>(`${selectRows} WHERE id > ? ORDER BY id LIMIT ${pageSize}`),
    unnumbered: db.prepare<[], Row>(`${selectRows} WHERE n IS NULL LIMIT ${pageSize}`),
    put: db.prepare('UPDATE users SET n = ?, search = ?, sorts = ? WHERE id = ?'),
    total: db.prepare<[], number>('SELECT users FROM totals').pluck(),
    // Ten milliseconds for a million.
    there: db.prepare<[], number>('SELECT count(*) FROM users').pluck(),
    added: db.prepare<[], number>('SELECT count(*) FROM users WHERE n IS NULL').pluck(),
    setTotal: db.prepare<[number]>('UPDATE totals SET users = ? WHERE rowid = 1'),
    done: db.prepare<[string], number>('SELECT count(*) FROM users WHERE id <= ?').pluck(),
    held: db
      .prepare<[string], [string, string]>(
        `SELECT filter, key FROM shared_keys AS s
       WHERE EXISTS (SELECT 1 FROM user_keys AS k WHERE k.filter = s.filter AND k.key = s.key AND k.user_id = ?)`,
      )
      .raw(),
    removeKeys: db.prepare('DELETE FROM user_keys WHERE user_id NOT IN (SELECT id FROM users)'),
  };
}

type Prepared = ReturnType<typeof prepareStatements>;

/** Whatever was made so far. */
const forgetAll = (db: Connection): void =>
  void db.exec(`DROP TABLE words; ${createWords}; DROP TABLE sort_keys; ${createSortKeys};
    UPDATE word_blocks SET changes = changes + 1`);

/**
 * Counts the users, since another program may have added or removed some. What it has removed is still in the indexes, and nothing
 * says under which words: then all is made anew. For within a transaction.
 */
function recount(db: Connection, sql: Prepared): void {
  const isCurrent = sql.rules.get(searchRulesMark) === currentSearchRules;
  const [total = 0, there = 0, added = 0] = [sql.total.get(), sql.there.get(), sql.added.get()];
  if (isCurrent && total === there && added === 0) return;
  if (isCurrent && total + added > there) {
    sql.note.run(searchRulesMark, '');
    sql.removeKeys.run();
  }
  sql.setTotal.run(there);
  recountSharedKeys(db);
}

function indexRows(db: Connection, sql: Prepared, page: readonly Row[]): string | undefined {
  const rows = new SearchRows(db);
  for (const { id, n, document, writes } of page) {
    const { filters, search, sorts } = makeKeysOfStored(readStored(document));
    const number = n ?? rows.takeNumber();
    // By which keys a user is found that something else has changed, only the index of filters knows.
    const text = rows.printSearch(writes === null ? sql.held.all(id) : filters, search);
    rows.move(id, number, noColumns, { search: text, sorts });
    sql.put.run(number, text, printSorts(sorts), id);
  }
  rows.finish();
  return page.at(-1)?.id;
}

/** For within a transaction. @returns the last of those that it has indexed; undefined when all users are */
function indexPage(db: Connection, sql: Prepared): string | undefined {
  const found = sql.rules.get(searchRulesMark) ?? '';
  assertNotNewerSearch(found);
  if (found === currentSearchRules) return indexRows(db, sql, sql.unnumbered.all());
  const prefix = `${begunMark}${currentSearchRules} `;
  const isBegun = found.startsWith(prefix);
  if (!isBegun) forgetAll(db);
  const last = indexRows(db, sql, sql.page.all(isBegun ? found.slice(prefix.length) : ''));
  sql.note.run(searchRulesMark, last === undefined ? currentSearchRules : prefix + last);
  return last;
}

/**
 * Makes what users are searched and sorted by, where none or other rules made it: a page in a transaction, after which it would go on
 * there when it is interrupted. Several processes share the work. Nobody writes meanwhile: see `makeReleaseCheck`.
 * @param onCommit called after each transaction
 * @param onProgress called with a line for the log, at the beginning, every ten seconds, and at the end
 * @throws Error when a newer release was here
 */
export function indexUsers(db: Connection, onCommit: () => void, onProgress: (line: string) => void): void {
  db.exec(`${createWordBlocks}; ${createSharedKeys}`);
  const sql = prepareStatements(db);
  db.transaction(() => recount(db, sql)).immediate();
  const step = db.transaction(() => indexPage(db, sql));
  let told = 0;
  for (let last = step.immediate(); last !== undefined; last = step.immediate()) {
    onCommit();
    if (told !== 0 && Date.now() - told < progressInterval) continue;
    told = Date.now();
    onProgress(
      `Users are made ready to be searched and sorted: ${sql.done.get(last)} of ${sql.total.get()}.`,
    );
  }
  if (told !== 0) onProgress('All users are ready to be searched and sorted.');
}
