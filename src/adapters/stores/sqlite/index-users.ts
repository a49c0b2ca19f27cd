import { makeKeysOfStored } from '../../../domain/keys.ts';
import type { Connection } from './connection.ts';
import { currentSearchRules, searchRulesMark } from './schema.ts';
import { noColumns, printSorts, SearchRows } from './search-rows.ts';
import { documentColumn, readStored } from './stored-document.ts';
import { createWords } from './word-index.ts';

/** In one transaction: the log stays short, and other processes get their turn. */
const pageSize = 500;

/** In milliseconds. */
const progressInterval = 10_000;

/** In front of the rules while the work is on its way; the id that it has come to follows after a space. */
const begun = 'begun';

interface Row {
  readonly id: string;
  readonly n: number | null;
  readonly document: string;
}

function prepareStatements(db: Connection) {
  return {
    rules: db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck(),
    note: db.prepare<[string, string]>('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)'),
    page: db.prepare<[string], Row>(
      `SELECT id, n, ${documentColumn('users')} AS document FROM users WHERE id > ? ORDER BY id LIMIT ${pageSize}`,
    ),
    put: db.prepare('UPDATE users SET n = ?, search = ?, sorts = ? WHERE id = ?'),
    // Another program may have added or removed some. Ten milliseconds for a million.
    count: db.prepare(
      `WITH now AS (SELECT count(*) AS users FROM users)
       UPDATE totals SET users = now.users FROM now WHERE totals.users <> now.users`,
    ),
    total: db.prepare<[], number>('SELECT users FROM totals').pluck(),
    done: db.prepare<[string], number>('SELECT count(*) FROM users WHERE id <= ?').pluck(),
  };
}

type Statements = ReturnType<typeof prepareStatements>;

/** Whatever other rules have made. */
function forgetAll(db: Connection): void {
  db.exec(`DROP TABLE words; ${createWords}; DELETE FROM sort_keys`);
}

function indexPage(sql: Statements, rows: SearchRows, after: string): string | undefined {
  const page = sql.page.all(after);
  for (const { id, n, document } of page) {
    const keys = makeKeysOfStored(readStored(document));
    const number = n ?? rows.takeNumber();
    rows.move(id, number, noColumns, keys);
    sql.put.run(number, keys.search, printSorts(keys.sorts), id);
  }
  return page.at(-1)?.id;
}

/**
 * Makes what users are searched and sorted by, where none or other rules made it: a page in a transaction, after which it would go on
 * there when it is interrupted. Several processes share the work. Nobody writes meanwhile: see `makeReleaseCheck`.
 * @param onCommit called after each transaction
 * @param onProgress called with a line for the log, at the beginning, every ten seconds, and at the end
 */
export function indexUsers(db: Connection, onCommit: () => void, onProgress: (line: string) => void): void {
  const sql = prepareStatements(db);
  sql.count.run();
  let rows = new SearchRows(db);
  const prefix = `${begun} ${currentSearchRules} `;
  const step = db.transaction((): string | undefined => {
    const found = sql.rules.get(searchRulesMark) ?? '';
    if (found === currentSearchRules) return undefined;
    const isBegun = found.startsWith(prefix);
    if (!isBegun) {
      forgetAll(db);
      rows = new SearchRows(db);
    }
    const last = indexPage(sql, rows, isBegun ? found.slice(prefix.length) : '');
    sql.note.run(searchRulesMark, last === undefined ? currentSearchRules : prefix + last);
    return last;
  });
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
