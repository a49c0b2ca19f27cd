import type { Statement } from 'better-sqlite3';
import { filterNames } from '../../domain/filters.ts';
import { KeptUser } from '../../domain/kept-user.ts';
import type { UserQuery } from '../../domain/ports.ts';
import type { Connection } from './connection.ts';

/** How far a filter's users are counted, to find the rarest: far enough to tell a few from a great many. */
const countedAtMost = 1000;

type Pair = [filter: string, key: string];

/**
 * A page under this many filters. It walks the keys of the first, which come in id order, and looks each up in
 * the others. CROSS JOIN keeps that order: SQLite, which has no statistics here, could only guess a better one.
 */
export function listSql(filterCount: number): string {
  if (filterCount === 0) return 'SELECT document FROM users WHERE id > ? ORDER BY id LIMIT ?';
  const others = Array.from({ length: filterCount - 1 }, () => {
    return 'AND EXISTS (SELECT 1 FROM user_keys AS o WHERE o.filter = ? AND o.key = ? AND o.user_id = k.user_id)';
  });
  return `SELECT u.document FROM user_keys AS k CROSS JOIN users AS u ON u.id = k.user_id
    WHERE k.filter = ? AND k.key = ? AND k.user_id > ? ${others.join(' ')}
    ORDER BY k.user_id LIMIT ?`;
}

/** Reads by statements that end at once: an open one would hold the log back and keep the connection from closing. */
export class Reads {
  readonly #find: Statement<[string], string>;
  readonly #count: Statement<[string, string, number], number>;
  /** By the number of filters. */
  readonly #lists: readonly Statement<(string | number)[], string>[];

  constructor(db: Connection) {
    this.#find = db.prepare<[string], string>('SELECT document FROM users WHERE id = ?').pluck();
    this.#count = db
      .prepare<[string, string, number], number>(
        'SELECT count(*) FROM (SELECT 1 FROM user_keys WHERE filter = ? AND key = ? LIMIT ?)',
      )
      .pluck();
    this.#lists = [0, ...filterNames.keys()].map((_, count) =>
      db.prepare<(string | number)[], string>(listSql(count)).pluck(),
    );
  }

  find(id: string): KeptUser | undefined {
    const document = this.#find.get(id);
    return document === undefined ? undefined : KeptUser.fromText(document);
  }

  list({ filters, after = '', limit }: UserQuery): KeptUser[] {
    const [first = [], ...others] = this.#rarestFirst(Object.entries(filters));
    const statement = this.#lists[first.length === 0 ? 0 : others.length + 1];
    const documents = statement?.all(...first, after, ...others.flat(), limit) ?? [];
    return documents.map((document) => KeptUser.fromText(document));
  }

  /** With `active` in front, looking for one address would walk half of the directory. */
  #rarestFirst(pairs: Pair[]): Pair[] {
    if (pairs.length < 2) return pairs;
    return pairs
      .map((pair) => ({ pair, count: this.#count.get(...pair, countedAtMost) ?? 0 }))
      .sort((a, b) => a.count - b.count)
      .map(({ pair }) => pair);
  }
}
