/** better-sqlite3, which inserts rows that were prepared: all that the store writes of a user, into the same tables. */
import { writeFileSync } from 'node:fs';
import { openConnection } from '../src/adapters/stores/sqlite/connection.ts';
import { indexUsers } from '../src/adapters/stores/sqlite/index-users.ts';
import { migrate, reindexIfOutdated } from '../src/adapters/stores/sqlite/schema.ts';
import { printSorts } from '../src/adapters/stores/sqlite/search-rows.ts';
import { wordsRow } from '../src/adapters/stores/sqlite/word-index.ts';
import { keyRules, makeKeys } from '../src/domain/keys.ts';
import { sortNames } from '../src/domain/sorts.ts';
import type { User } from '../src/domain/user.ts';

/** Users in a transaction. */
const inBatch = 1_000;

interface Rows {
  readonly user: readonly (string | number)[];
  readonly keys: readonly (readonly [string, string, string])[];
  readonly sorts: readonly (readonly [string, string, string])[];
  readonly words: readonly [number, string];
}

function prepareRows(user: User, n: number): Rows {
  const { name, filters, search, sorts } = makeKeys(user);
  const document = JSON.stringify(user);
  return {
    user: [user.id, name, keyRules.mapping, user.meta.version, document, n, search, printSorts(sorts)],
    keys: filters.map(([filter, key]) => [filter, key, user.id]),
    sorts: sortNames.map((sort) => [sort, sorts.get(sort) ?? '', user.id]),
    words: [n, wordsRow(n, search)],
  };
}

export interface Rival {
  /** The function inserts them. */
  prepare(users: readonly User[]): () => void;
  close(): void;
}

/** Durable as the store is; SQLite copies its log by itself. */
export function openRival(file: string): Rival {
  writeFileSync(file, '', { flag: 'a', mode: 0o600 });
  const db = openConnection(file, { readonly: false, busyTimeout: 5000 });
  migrate(db);
  reindexIfOutdated(db);
  indexUsers(
    db,
    () => {},
    () => {},
  );
  db.pragma('wal_autocheckpoint = 4096');
  const addUser = db.prepare(
    `INSERT INTO users (id, user_name_key, mapping, version, document, n, search, sorts, writes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1)`,
  );
  const addKey = db.prepare('INSERT INTO user_keys (filter, key, user_id) VALUES (?, ?, ?)');
  const addSort = db.prepare('INSERT INTO sort_keys (sort, key, id) VALUES (?, ?, ?)');
  const addWords = db.prepare('INSERT INTO words (rowid, starts) VALUES (?, ?)');
  const count = db.prepare('UPDATE totals SET users = users + ? WHERE rowid = 1');
  const insert = db.transaction((rows: readonly Rows[]) => {
    for (const { user, keys, sorts } of rows) {
      addUser.run(...user);
      for (const key of keys) addKey.run(...key);
      for (const sort of sorts) addSort.run(...sort);
    }
    for (const { words } of rows) addWords.run(...words);
    count.run(rows.length);
  });
  let last = 0;
  return {
    prepare(users) {
      const rows = users.map((user) => {
        last += 1;
        return prepareRows(user, last);
      });
      return () => {
        for (let from = 0; from < rows.length; from += inBatch) insert(rows.slice(from, from + inBatch));
      };
    },
    close: () => db.close(),
  };
}
