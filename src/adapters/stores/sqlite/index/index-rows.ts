/** Maintains the rows that are derived from a document: filter keys and their counts, sort keys, words. */

import { sharedFilters } from '../../../../domain/at-import.ts';
import { type FilterKey, joinKey, type Keys } from '../../../../domain/find/keys.ts';
import type { Connection } from '../file/connection.ts';
import { type AnyRowType, sqlFor } from './row-type.ts';
import { parseSorts } from './sort-keys.ts';
import { wordsRow } from './words.ts';

/** The key of the row of `user_counts` that counts all users. */
export const everybody = ['', ''] as const;

/** What a user's rows were made from. */
export interface Indexed {
  /** The columns of `users`; null in a row that another program has inserted. */
  readonly search: string | null;
  readonly sorts: string | null;
  readonly filters: string | null;
}

function prepareStatements(db: Connection, { kind }: AnyRowType) {
  const prepare = (sql: string) => db.prepare(sqlFor(kind, sql));
  return {
    addWords: prepare('INSERT INTO user_words (rowid, starts) VALUES (?, ?)'),
    // An FTS5 table without content has to be told what to remove.
    removeWords: prepare("INSERT INTO user_words (user_words, rowid, starts) VALUES ('delete', ?, ?)"),
    addSort: prepare('INSERT OR IGNORE INTO user_sort_keys (sort, key, id, n) VALUES (?, ?, ?, ?)'),
    removeSort: prepare('DELETE FROM user_sort_keys WHERE sort = ? AND key = ? AND id = ?'),
    // Another program may have left the key there.
    addKey: prepare('INSERT OR IGNORE INTO user_keys (filter, key, user_id, n) VALUES (?, ?, ?, ?)'),
    removeKey: prepare('DELETE FROM user_keys WHERE filter = ? AND key = ? AND user_id = ?'),
    count: prepare('UPDATE user_counts SET users = users + ? WHERE filter = ? AND key = ?'),
    addCount: prepare('INSERT INTO user_counts (users, filter, key) VALUES (?, ?, ?)'),
  };
}

/** A user's search text as the full-text index has it, and as it shall be. */
interface WordsChange {
  readonly before: string;
  readonly after: string;
}

/** For within a transaction that holds the write lock. Counts and words wait for `finish`: FTS5 flushes its buffer unless users come in the order of their numbers. */
export class IndexRows {
  readonly #sql: ReturnType<typeof prepareStatements>;
  /** By the users' numbers. */
  readonly #words = new Map<number, WordsChange>();
  /** By how many users the counts have changed, by the key in one text. */
  readonly #counts = new Map<string, { readonly key: readonly [string, string]; users: number }>();

  readonly #sortNames: readonly string[];

  constructor(db: Connection, type: AnyRowType) {
    this.#sql = prepareStatements(db, type);
    this.#sortNames = type.kind.sortNames;
  }

  /** @param before undefined for a new user @param after undefined for a user that is removed */
  change(id: string, n: number, before: Indexed | undefined, after: Keys | undefined): void {
    this.#count(everybody, (after ? 1 : 0) - (before ? 1 : 0));
    this.changeKeys(id, n, JSON.parse(before?.filters ?? '[]'), after?.filters ?? []);
    this.#changeSorts(id, n, before && parseSorts(before.sorts), after?.sorts);
    const text = this.#words.get(n)?.before ?? before?.search ?? '';
    this.#words.set(n, { before: text, after: after?.search ?? '' });
  }

  /** Of filters alone. */
  changeKeys(id: string, n: number, before: readonly FilterKey[], after: readonly FilterKey[]): void {
    const [old, next] = [new Set(before.map(joinKey)), new Set(after.map(joinKey))];
    for (const key of before)
      if (!next.has(joinKey(key)) && this.#sql.removeKey.run(...key, id).changes > 0) this.#countKey(key, -1);
    for (const key of after)
      if (!old.has(joinKey(key)) && this.#sql.addKey.run(...key, id, n).changes > 0) this.#countKey(key, 1);
  }

  #changeSorts(id: string, n: number, before?: readonly string[], after?: Keys['sorts']): void {
    for (const [sort, name] of this.#sortNames.entries()) {
      const [old, next] = [before && (before[sort] ?? ''), after && (after.get(name) ?? '')];
      if (old === next) continue;
      if (old !== undefined) this.#sql.removeSort.run(sort, old, id);
      if (next !== undefined) this.#sql.addSort.run(sort, next, id, n);
    }
  }

  #countKey(key: FilterKey, users: number): void {
    if (sharedFilters.has(key[0])) this.#count(key, users);
  }

  #count(key: readonly [string, string], users: number): void {
    const name = joinKey(key);
    const counted = this.#counts.get(name);
    if (counted) counted.users += users;
    else this.#counts.set(name, { key, users });
  }

  /** Writes counts and words; to be called before the commit. */
  finish(): void {
    for (const { key, users } of this.#counts.values())
      if (users !== 0 && this.#sql.count.run(users, ...key).changes === 0)
        this.#sql.addCount.run(users, ...key);
    for (const [n, { before, after }] of [...this.#words].sort(([one], [other]) => one - other)) {
      if (before === after) continue;
      if (before !== '') this.#sql.removeWords.run(n, wordsRow(before));
      if (after !== '') this.#sql.addWords.run(n, wordsRow(after));
    }
    this.forget();
  }

  /** After a rollback. */
  forget(): void {
    this.#counts.clear();
    this.#words.clear();
  }
}
