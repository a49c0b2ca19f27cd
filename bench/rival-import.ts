/**
 * better-sqlite3, which inserts rows that were prepared: those that the store has made of the same users, into the same tables. So it
 * follows the layout, whatever that is; what is written once for many users is left out.
 */
import Database from 'better-sqlite3';
import type { Connection } from '../src/adapters/stores/sqlite/file/connection.ts';
import { changedWords } from '../src/adapters/stores/sqlite/layout/words.ts';
import { fill, openNewFile } from './directory.ts';

/** Users in a transaction. */
const inBatch = 1_000;

type Value = string | number | null;

const tables = ['users', 'user_keys', 'user_sort_keys'] as const;

interface Row {
  readonly table: (typeof tables)[number];
  readonly values: readonly Value[];
}

interface PreparedUser {
  readonly rows: readonly Row[];
  readonly words: readonly [number, string];
}

const columnsOf = (db: Connection, table: string): string[] =>
  db.prepare<[], string>(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();

/** @param before how many users the rival has already: they are numbered */
function readRows(file: string, before: number): PreparedUser[] {
  const db = new Database(file, { readonly: true });
  const byUser = new Map<string, Row[]>();
  for (const table of tables) {
    const columns = columnsOf(db, table);
    const [id, n] = [columns.indexOf('id'), columns.indexOf('n')];
    for (const row of db.prepare<[], Value[]>(`SELECT * FROM ${table}`).raw().iterate()) {
      const values = row.map((value, at) => (at === n ? Number(value) + before : value));
      const rows = byUser.get(String(values[id])) ?? [];
      rows.push({ table, values });
      byUser.set(String(values[id]), rows);
    }
  }
  const users = db.prepare<[], { id: string; n: number; search: string }>(
    'SELECT id, n, search FROM users ORDER BY n',
  );
  const prepared = users.all().map(({ id, n, search }): PreparedUser => {
    const number = n + before;
    return { rows: byUser.get(id) ?? [], words: [number, changedWords('', search).added] };
  });
  db.close();
  return prepared;
}

function openFile(file: string): Connection {
  const db = openNewFile(file);
  // Durable as the store is; but SQLite copies its log by itself.
  db.pragma('wal_autocheckpoint = 4096');
  return db;
}

function prepareInsert(db: Connection, table: string) {
  const columns = columnsOf(db, table);
  return db.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`);
}

interface Rival {
  /** The function inserts these users of the benchmarks' directory. */
  prepare(from: number, to: number): () => void;
  close(): void;
}

export function openRival(file: string): Rival {
  const db = openFile(file);
  const inserts = {
    users: prepareInsert(db, 'users'),
    user_keys: prepareInsert(db, 'user_keys'),
    user_sort_keys: prepareInsert(db, 'user_sort_keys'),
  };
  const addWords = db.prepare('INSERT INTO user_words (rowid, starts) VALUES (?, ?)');
  const insert = db.transaction((users: readonly PreparedUser[]) => {
    for (const { rows } of users) for (const { table, values } of rows) inserts[table].run(...values);
    for (const { words } of users) addWords.run(...words);
  });
  let before = 0;
  return {
    prepare(from, to) {
      const source = `${file}-from-${from}`;
      fill(source, from, to);
      const users = readRows(source, before);
      before += users.length;
      return () => {
        for (let first = 0; first < users.length; first += inBatch)
          insert(users.slice(first, first + inBatch));
      };
    },
    close: () => db.close(),
  };
}
