/** What a user is found by and put in order by: its row in the index of words and its rows in `sort_keys`. */
import type { UserKeys } from '../../../domain/keys.ts';
import { sortNames } from '../../../domain/sorts.ts';
import type { Connection } from './connection.ts';
import { SharedKeys } from './shared-keys.ts';
import { blockOf, wordsRow } from './word-index.ts';

/** By the number of the sort among them all; with the users' numbers, by which the index of words names them. */
export const createSortKeys = `CREATE TABLE sort_keys (
  sort INTEGER NOT NULL,
  key TEXT NOT NULL,
  id TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (sort, key, id)
) WITHOUT ROWID`;

/** How often the words of a block of users have changed: what was counted in one holds as long as that stands. */
export const createWordBlocks =
  'CREATE TABLE IF NOT EXISTS word_blocks (block INTEGER PRIMARY KEY, changes INTEGER NOT NULL)';

/** As they stand in `users`, and say what the rows are. All null while the user has none. */
export interface SearchColumns {
  readonly n: number | null;
  /** The runs of the shared keys, then those of the domain's search text. */
  readonly search: string | null;
  readonly sorts: string | null;
}

/** What the rows are to be made from. */
interface Found {
  /** As the column will have it. */
  readonly search: string;
  readonly sorts: UserKeys['sorts'];
}

type Pair = readonly [filter: string, key: string];

/** The column `sorts`: a key for each sort in their order, without the names, which would take more room than the keys. */
export const printSorts = (sorts: UserKeys['sorts']): string =>
  JSON.stringify(sortNames.map((name) => sorts.get(name) ?? ''));

/** The key of one sort, by its number; none of what another program has put there. */
export const keyIn = (sorts: string | null, sort: number): string | undefined =>
  parseSorts(sorts)[sort] || undefined;

/** By which `sort_keys` has it. */
export const sortNumber = (by = ''): number => sortNames.indexOf(by);

function parseSorts(sorts: string | null): readonly string[] {
  try {
    const keys: unknown = JSON.parse(sorts ?? '[]');
    return Array.isArray(keys) ? keys : [];
  } catch {
    return [];
  }
}

function prepareStatements(db: Connection) {
  return {
    lastNumber: db.prepare<[], number | null>('SELECT max(n) FROM users').pluck(),
    addWords: db.prepare('INSERT INTO words (rowid, starts) VALUES (?, ?)'),
    // FTS5 has to be told what it shall forget.
    removeWords: db.prepare("INSERT INTO words (words, rowid, starts) VALUES ('delete', ?, ?)"),
    changeBlock: db.prepare('UPDATE word_blocks SET changes = changes + 1 WHERE block = ?'),
    addBlock: db.prepare('INSERT INTO word_blocks (block, changes) VALUES (?, 1)'),
    addSort: db.prepare('INSERT OR IGNORE INTO sort_keys (sort, key, id, n) VALUES (?, ?, ?, ?)'),
    removeSort: db.prepare('DELETE FROM sort_keys WHERE sort = ? AND key = ? AND id = ?'),
  };
}

/** A user's search text as the index of words has it, and as it shall be. */
interface WordsMove {
  readonly before: string;
  readonly after: string;
}

/**
 * Within a transaction that holds the write lock, as all of it. Words wait until `finish`: FTS5 writes out what it has collected when
 * users don't come in the order of their numbers, and when another table is updated that has a trigger.
 */
export class SearchRows {
  readonly sharedKeys: SharedKeys;
  readonly #sql: ReturnType<typeof prepareStatements>;
  /** By the users' numbers. */
  readonly #words = new Map<number, WordsMove>();
  /** As far as it is known in this transaction. */
  #lastNumber: number | undefined;

  constructor(db: Connection) {
    this.#sql = prepareStatements(db);
    this.sharedKeys = new SharedKeys(db);
  }

  /** Of a user that is new there. */
  takeNumber(): number {
    this.#lastNumber = (this.#lastNumber ?? this.#sql.lastNumber.get() ?? 0) + 1;
    return this.#lastNumber;
  }

  /** The column `search` of a user. @param held the filters' keys under which the user stands in `user_keys` */
  printSearch(held: readonly Pair[], search: string): string {
    return this.sharedKeys.print(held) + search;
  }

  /** Puts the words of all who were moved into their index; to be called before the commit. */
  finish(): void {
    this.sharedKeys.finish();
    const blocks = new Set<number>();
    for (const [n, { before, after }] of [...this.#words].sort(([one], [other]) => one - other)) {
      if (before === after) continue;
      if (before !== '') this.#sql.removeWords.run(n, wordsRow(n, before));
      if (after !== '') this.#sql.addWords.run(n, wordsRow(n, after));
      blocks.add(blockOf(n));
    }
    for (const block of blocks)
      if (this.#sql.changeBlock.run(block).changes === 0) this.#sql.addBlock.run(block);
    this.#words.clear();
    this.#lastNumber = undefined;
  }

  /** After a rollback. */
  forget(): void {
    this.sharedKeys.forget();
    this.#lastNumber = undefined;
    this.#words.clear();
  }

  /** Changes the rows from those that the columns name to others; undefined when the user goes. */
  move(id: string, n: number, from: SearchColumns, to: Found | undefined): void {
    const before = this.#words.get(n)?.before ?? from.search ?? '';
    this.#words.set(n, { before, after: to?.search ?? '' });
    const old = from.sorts === null ? undefined : parseSorts(from.sorts);
    for (const [sort, name] of sortNames.entries()) {
      const [oldKey, newKey] = [old && (old[sort] ?? ''), to && (to.sorts.get(name) ?? '')];
      if (oldKey === newKey) continue;
      if (oldKey !== undefined) this.#sql.removeSort.run(sort, oldKey, id);
      if (newKey !== undefined) this.#sql.addSort.run(sort, newKey, id, n);
    }
  }
}

export const noColumns: SearchColumns = { n: null, search: null, sorts: null };
