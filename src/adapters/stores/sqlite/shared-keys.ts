/**
 * The keys that many users may have (the mark `isShared` in domain/filters.ts): their numbers, by which they stand in the index of
 * words, and how many users have each. A number is never given to another key.
 */
import { sharedFilters } from '../../../domain/filters.ts';
import type { Connection } from './connection.ts';
import { keyRun } from './word-index.ts';

type Pair = readonly [filter: string, key: string];

export const createSharedKeys = `CREATE TABLE IF NOT EXISTS shared_keys (
  number INTEGER PRIMARY KEY,
  filter TEXT NOT NULL,
  key TEXT NOT NULL,
  users INTEGER NOT NULL,
  UNIQUE (filter, key)
)`;

const countOne = `INSERT INTO shared_keys (filter, key, users)
  VALUES (?, ?, (SELECT count(*) FROM user_keys WHERE filter = ? AND key = ?))`;

function prepareStatements(db: Connection) {
  return {
    find: db
      .prepare<[string, string], number>('SELECT number FROM shared_keys WHERE filter = ? AND key = ?')
      .pluck(),
    // Another program may have given it to users already.
    add: db.prepare<[...Pair, ...Pair]>(countOne),
    // Of one row only, as that of the totals.
    count: db.prepare('UPDATE shared_keys SET users = users + ? WHERE number = ?'),
  };
}

/** Within a transaction that holds the write lock, as all of it. */
export class SharedKeys {
  readonly #sql: ReturnType<typeof prepareStatements>;
  /** By filter and key. */
  readonly #numbers = new Map<string, Map<string, number>>();
  /** By how many users the counts have changed, by number. */
  readonly #changes = new Map<number, number>();

  constructor(db: Connection) {
    this.#sql = prepareStatements(db);
  }

  /** Those of them that are shared as the beginning of a search text; see `keyRun`. */
  print(pairs: readonly Pair[]): string {
    let runs = '';
    for (const pair of pairs)
      if (sharedFilters.has(pair[0])) runs += keyRun(this.#find(pair) ?? this.#add(pair));
    return runs;
  }

  /** To be called after the row of `user_keys` was added (1) or removed (-1). */
  count(pair: Pair, users: 1 | -1): void {
    if (!sharedFilters.has(pair[0])) return;
    const number = this.#find(pair);
    // One that is new is counted as it stands.
    if (number === undefined) this.#add(pair);
    else this.#changes.set(number, (this.#changes.get(number) ?? 0) + users);
  }

  /** Writes what has been counted; to be called before the commit. */
  finish(): void {
    for (const [number, users] of this.#changes) if (users !== 0) this.#sql.count.run(users, number);
    this.#changes.clear();
  }

  /** After a rollback. */
  forget(): void {
    this.#numbers.clear();
    this.#changes.clear();
  }

  #find(pair: Pair): number | undefined {
    const [filter, key] = pair;
    const known = this.#numbers.get(filter)?.get(key);
    if (known !== undefined) return known;
    const number = this.#sql.find.get(filter, key);
    if (number !== undefined) this.#remember(pair, number);
    return number;
  }

  #add(pair: Pair): number {
    const number = Number(this.#sql.add.run(...pair, ...pair).lastInsertRowid);
    this.#remember(pair, number);
    return number;
  }

  #remember([filter, key]: Pair, number: number): void {
    const known = this.#numbers.get(filter) ?? new Map<string, number>();
    this.#numbers.set(filter, known.set(key, number));
  }
}

/** Numbers all there are, and counts them anew from `user_keys`: a tenth of a second for a million users. For within a transaction. */
export function recountSharedKeys(db: Connection): void {
  const next = db
    .prepare<[string, string], string>(
      'SELECT key FROM user_keys WHERE filter = ? AND key > ? ORDER BY key LIMIT 1',
    )
    .pluck();
  const count = db.prepare<[...Pair, ...Pair]>(
    `${countOne} ON CONFLICT DO UPDATE SET users = excluded.users`,
  );
  db.exec('UPDATE shared_keys SET users = 0');
  for (const filter of sharedFilters) {
    // No key is empty.
    for (let key = next.get(filter, ''); key !== undefined; key = next.get(filter, key))
      count.run(filter, key, filter, key);
  }
}
