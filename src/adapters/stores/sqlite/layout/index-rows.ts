/** Keeps the rows that are derived from a document: filter keys and their counts, sort keys, words. */
import { isDeclared } from '../../../../domain/find/building.ts';
import { type FilterKey, joinKey, type Keys } from '../../../../domain/find/keys.ts';
import { nextAtSort } from '../../../../domain/find/sorts.ts';
import type { Connection } from '../file/connection.ts';
import type { Tables } from './tables.ts';
import { changedWords } from './words.ts';

/** A sort in the column `sorts` and in the table of sort keys: its number, or its name if it is declared, since numbers would shift. */
type SortId = number | string;

/** -1 for the order of the ids. */
export const sortIdOf = ({ ownSorts }: Tables, by: string | undefined): SortId =>
  by !== undefined && isDeclared(by) ? by : ownSorts.indexOf(by ?? '');

/** The reverse of `sortIdOf`. */
export const sortOf = ({ ownSorts }: Tables, id: SortId): string | undefined =>
  typeof id === 'string' ? id : ownSorts[id];

/** The path of a sort in the column `sorts`, in SQL. The names of attributes need no escapes. */
export const sortPathOf = ({ ownSorts }: Tables, id: SortId): string =>
  typeof id === 'string' ? `'$[${ownSorts.length}]."${id}"'` : `'$[${id}]'`;

/**
 * The column `sorts`: the sort keys of a row as a JSON list, in the order of the kind's own sorts, and at the end an object with those of declared
 * sorts. A missing key is an empty one.
 */
export function printSorts({ kind, ownSorts }: Tables, sorts: Keys['sorts']): string {
  const keyOf = (name: string) => sorts.get(name) ?? '';
  const own = ownSorts.map(keyOf);
  if (own.length === kind.keptSorts.length) return JSON.stringify(own);
  const declared = kind.keptSorts.filter(isDeclared).map((name) => [name, keyOf(name)]);
  return JSON.stringify([...own, Object.fromEntries(declared)]);
}

/** As `parseSorts` reads it from the column. @param sorts undefined for a row that is removed */
const sortKeysOf = (tables: Tables, sorts: Keys['sorts'] | undefined): ReadonlyMap<SortId, string> =>
  new Map(
    sorts && tables.kind.keptSorts.map((name) => [sortIdOf(tables, name), sorts.get(name) ?? ''] as const),
  );

/** @param sorts null in a row that another program has inserted */
export function parseSorts(sorts: string | null): ReadonlyMap<SortId, string> {
  const entries: readonly (string | Record<string, string>)[] = JSON.parse(sorts ?? '[]');
  return new Map(
    entries.flatMap((entry, at): [SortId, string][] =>
      typeof entry === 'string' ? [[at, entry]] : Object.entries(entry),
    ),
  );
}

/** The key of the row of counts that counts all resources. */
export const countOfAll = ['', ''] as const;

/** From these columns the derived rows of a resource were made. */
export interface Indexed {
  /** Null in a row that another program has inserted. */
  readonly search: string | null;
  readonly sorts: string | null;
  readonly filters: string | null;
}

/** Pages of the full-text index that are merged in one step, which takes some 10 ms. */
const mergedAtOnce = 128;

/** Rows of the table in which FTS5 keeps an index, mostly pages: one with so few is made anew in some 10 ms. */
const smallIndex = 32;

/** No resource has it. */
const noRow = 0;

function prepareStatements(db: Connection, { rows, keys, sortKeys, counts, words }: Tables) {
  return {
    addWords: db.prepare(`INSERT INTO ${words} (rowid, starts) VALUES (?, ?)`),
    // An FTS5 table without content must be given the words to remove.
    removeWords: db.prepare(`INSERT INTO ${words} (${words}, rowid, starts) VALUES ('delete', ?, ?)`),
    addSort: db.prepare(`INSERT OR IGNORE INTO ${sortKeys} (sort, key, id, n) VALUES (?, ?, ?, ?)`),
    removeSort: db.prepare(`DELETE FROM ${sortKeys} WHERE sort = ? AND key = ? AND id = ?`),
    // Another program may have left the key there.
    addKey: db.prepare(`INSERT OR IGNORE INTO ${keys} (filter, key, id, n) VALUES (?, ?, ?, ?)`),
    removeKey: db.prepare(`DELETE FROM ${keys} WHERE filter = ? AND key = ? AND id = ?`),
    count: db.prepare(`UPDATE ${counts} SET count = count + ? WHERE filter = ? AND key = ?`),
    // The key may be personal data.
    removeCount: db.prepare(`DELETE FROM ${counts} WHERE filter = ? AND key = ? AND count = 0`),
    mergeWords: db.prepare(`INSERT INTO ${words} (${words}, rank) VALUES ('merge', ?)`),
    isSmall: db
      .prepare<[], number>(
        `SELECT count(*) <= ${smallIndex} FROM (SELECT 1 FROM ${words}_data LIMIT ${smallIndex + 1})`,
      )
      .pluck(),
    forgetWords: db.prepare(`INSERT INTO ${words} (${words}) VALUES ('delete-all')`),
    allWords: db.prepare<[], { n: number; search: string }>(
      `SELECT n, search FROM ${rows} WHERE search <> '' ORDER BY n`,
    ),
    changes: db.prepare<[], number>('SELECT total_changes()').pluck(),
    addCount: db.prepare(`INSERT INTO ${counts} (count, filter, key) VALUES (?, ?, ?)`),
  };
}

/** To be called within a transaction that holds the write lock. Counts and words wait for `finish`, because FTS5 flushes its buffer unless rows come in the order of their numbers. */
export class IndexRows {
  readonly #tables: Tables;
  readonly #sql: ReturnType<typeof prepareStatements>;
  /** By the numbers of the rows: the search text of a resource in the full-text index, and the one to come. */
  readonly #words = new Map<number, { readonly before: string; readonly after: string }>();
  /** The changes of the counts, by their key as one text. */
  readonly #counts = new Map<string, { readonly key: readonly [string, string]; change: number }>();
  /** At the first step of a merge. */
  #wasSmall = false;

  constructor(db: Connection, tables: Tables) {
    this.#tables = tables;
    this.#sql = prepareStatements(db, tables);
  }

  /** @param before undefined for a new resource @param after undefined for one that is removed */
  change(id: string, n: number, before: Indexed | undefined, after: Keys | undefined): void {
    this.#count(countOfAll, (after ? 1 : 0) - (before ? 1 : 0));
    this.changeKeys(id, n, JSON.parse(before?.filters ?? '[]'), after?.filters ?? []);
    this.#changeSorts([id, n], parseSorts(before?.sorts ?? null), sortKeysOf(this.#tables, after?.sorts));
    const text = this.#words.get(n)?.before ?? before?.search ?? '';
    this.#words.set(n, { before: text, after: after?.search ?? '' });
  }

  /** Changes filter keys alone. */
  changeKeys(id: string, n: number, before: readonly FilterKey[], after: readonly FilterKey[]): void {
    const [old, next] = [new Set(before.map(joinKey)), new Set(after.map(joinKey))];
    for (const key of before)
      if (!next.has(joinKey(key)) && this.#sql.removeKey.run(...key, id).changes > 0) this.#countKey(key, -1);
    for (const key of after)
      if (!old.has(joinKey(key)) && this.#sql.addKey.run(...key, id, n).changes > 0) this.#countKey(key, 1);
  }

  #changeSorts(
    row: [id: string, n: number],
    before: ReadonlyMap<SortId, string>,
    after: typeof before,
  ): void {
    for (const [sort, key] of before)
      if (after.get(sort) !== key && this.#hasPlace(sort, key)) this.#sql.removeSort.run(sort, key, row[0]);
    for (const [sort, key] of after)
      if (before.get(sort) !== key && this.#hasPlace(sort, key)) this.#sql.addSort.run(sort, key, ...row);
  }

  /** Whether the table of sort keys has a row: lists end with what lacks the key, but `nextAt` is only asked for with a range. */
  #hasPlace(sort: SortId, key: string): boolean {
    return key !== '' || sortOf(this.#tables, sort) !== nextAtSort;
  }

  #countKey(key: FilterKey, change: number): void {
    const { sharedFilters, filters } = this.#tables.kind;
    // Also for a filter that is no longer declared, since it may come back.
    if (sharedFilters.has(key[0]) || filters[key[0]] === undefined) this.#count(key, change);
  }

  #count(key: readonly [string, string], change: number): void {
    const name = joinKey(key);
    const counted = this.#counts.get(name);
    if (counted) counted.change += change;
    else this.#counts.set(name, { key, change });
  }

  /** Writes counts and words; to be called before the commit. */
  finish(): void {
    for (const { key, change } of this.#counts.values()) {
      if (change !== 0 && this.#sql.count.run(change, ...key).changes === 0 && change > 0)
        this.#sql.addCount.run(change, ...key);
      if (change < 0) this.#sql.removeCount.run(...key);
    }
    for (const [n, { before, after }] of [...this.#words].sort(([one], [other]) => one - other)) {
      if (before === after) continue;
      const { removed, added } = changedWords(before, after);
      if (before !== '') this.#sql.removeWords.run(n, removed);
      if (after !== '') this.#sql.addWords.run(n, added);
    }
    this.forget();
  }

  /**
   * One step of a merge, which covers the words that existed at its first step. It drops the words of removed rows. @returns whether there is more to
   * merge
   */
  mergeWords(isFirst: boolean): boolean {
    if (!isFirst && this.#wasSmall) return false;
    const isSmall = this.#sql.isSmall.get() === 1;
    if (isFirst) this.#wasSmall = isSmall;
    if (isSmall) {
      this.#makeWordsAnew();
      return false;
    }
    if (isFirst) this.#raiseWords();
    const changes = () => this.#sql.changes.get() ?? 0;
    const before = changes();
    this.#sql.mergeWords.run(isFirst ? -mergedAtOnce : mergedAtOnce);
    // A step without work changes one row (FTS5's documentation).
    return changes() - before >= 2;
  }

  /**
   * FTS5 drops removed words only when it merges into its highest level. Segments that are all on one level aren't raised to it, others are: so this
   * begins a merge, which puts some of them on another level, and adds new ones on the lowest.
   */
  #raiseWords(): void {
    this.#sql.mergeWords.run(-1);
    this.#sql.addWords.run(noRow, 'a');
    this.#sql.removeWords.run(noRow, 'a');
    // Flushes what was removed.
    this.#sql.addWords.run(noRow, 'a');
    this.#sql.removeWords.run(noRow, 'a');
  }

  /** `#raiseWords` can't raise a single page: FTS5 puts it back on the level of the new segments. */
  #makeWordsAnew(): void {
    this.#sql.forgetWords.run();
    for (const { n, search } of this.#sql.allWords.all())
      this.#sql.addWords.run(n, changedWords('', search).added);
  }

  /** After a rollback. */
  forget(): void {
    this.#counts.clear();
    this.#words.clear();
  }
}
