/** What a user is found by and put in order by: its row in the index of words and its rows in `sort_keys`. */
import type { UserKeys } from '../../../domain/keys.ts';
import { sortNames } from '../../../domain/sorts.ts';
import type { Connection } from './connection.ts';
import { wordsRow } from './word-index.ts';

/** By the name of the sort. */
export const createSortKeys = `CREATE TABLE sort_keys (
  sort TEXT NOT NULL,
  key TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (sort, key, id)
) WITHOUT ROWID`;

/** As they stand in `users`, and say what the rows are. All null while the user has none. */
export interface SearchColumns {
  readonly n: number | null;
  readonly search: string | null;
  readonly sorts: string | null;
}

type Sorts = Readonly<Record<string, string>>;

/** The column `sorts`. */
export const printSorts = (sorts: UserKeys['sorts']): string => JSON.stringify(Object.fromEntries(sorts));

/** Of what another program has put there, none. */
export function parseSorts(sorts: string | null): Sorts {
  try {
    return JSON.parse(sorts ?? '{}');
  } catch {
    return {};
  }
}

function prepareStatements(db: Connection) {
  return {
    lastNumber: db.prepare<[], number | null>('SELECT max(n) FROM users').pluck(),
    addWords: db.prepare('INSERT INTO words (rowid, starts) VALUES (?, ?)'),
    // FTS5 has to be told what it shall forget.
    removeWords: db.prepare("INSERT INTO words (words, rowid, starts) VALUES ('delete', ?, ?)"),
    addSort: db.prepare('INSERT OR IGNORE INTO sort_keys (sort, key, id) VALUES (?, ?, ?)'),
    removeSort: db.prepare('DELETE FROM sort_keys WHERE sort = ? AND key = ? AND id = ?'),
  };
}

/** Within a transaction that holds the write lock, as all of it. */
export class SearchRows {
  readonly #sql: ReturnType<typeof prepareStatements>;

  constructor(db: Connection) {
    this.#sql = prepareStatements(db);
  }

  /** Of a user that is new there. */
  takeNumber(): number {
    return (this.#sql.lastNumber.get() ?? 0) + 1;
  }

  /** Changes the rows from those that the columns name to those of the keys; undefined when the user goes. */
  move(id: string, n: number, from: SearchColumns, to: Pick<UserKeys, 'search' | 'sorts'> | undefined): void {
    const [before, after] = [from.search ?? '', to?.search ?? ''];
    if (before !== after) {
      if (before !== '') this.#sql.removeWords.run(n, wordsRow(n, before));
      if (after !== '') this.#sql.addWords.run(n, wordsRow(n, after));
    }
    const old = from.sorts === null ? undefined : parseSorts(from.sorts);
    for (const name of sortNames) {
      const [oldKey, newKey] = [old && (old[name] ?? ''), to && (to.sorts.get(name) ?? '')];
      if (oldKey === newKey) continue;
      if (oldKey !== undefined) this.#sql.removeSort.run(name, oldKey, id);
      if (newKey !== undefined) this.#sql.addSort.run(name, newKey, id);
    }
  }
}

export const noColumns: SearchColumns = { n: null, search: null, sorts: null };
