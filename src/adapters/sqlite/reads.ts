import type { Statement } from 'better-sqlite3';
import { filterNames } from '../../domain/filters.ts';
import type { KeptUser } from '../../domain/kept-user.ts';
import type { UserQuery } from '../../domain/ports.ts';
import type { Connection } from './connection.ts';
import { documentOf, keptIn } from './documents.ts';

/** How far a filter's users are counted, to find the rarest: far enough to tell a few from a great many. */
const countedAtMost = 1000;

/** How many of the rarest filter's users one statement looks up in the others: about a millisecond's work. */
const inOneStep = 1000;

type Pair = [filter: string, key: string];

/**
 * A page under this many filters. It walks the keys of the first, which come in id order, and looks each up in
 * the others. CROSS JOIN keeps that order: SQLite, which has no statistics here, could only guess a better one.
 */
export function listSql(filterCount: number): string {
  if (filterCount === 0) return `SELECT ${documentOf('users')} FROM users WHERE id > ? ORDER BY id LIMIT ?`;
  return pageSql(filterCount, 'k.user_id > ?');
}

/** The same up to and with an id; not for no filter. */
export function stepSql(filterCount: number): string {
  return pageSql(filterCount, 'k.user_id > ? AND k.user_id <= ?');
}

/** The last id of a step; none when fewer are left. */
export const stepEndSql = `SELECT user_id FROM user_keys
  WHERE filter = ? AND key = ? AND user_id > ? ORDER BY user_id LIMIT 1 OFFSET ${inOneStep - 1}`;

function pageSql(filterCount: number, range: string): string {
  const others = Array.from({ length: filterCount - 1 }, () => {
    return 'AND EXISTS (SELECT 1 FROM user_keys AS o WHERE o.filter = ? AND o.key = ? AND o.user_id = k.user_id)';
  });
  return `SELECT ${documentOf('u')} FROM user_keys AS k CROSS JOIN users AS u ON u.id = k.user_id
    WHERE k.filter = ? AND k.key = ? AND ${range} ${others.join(' ')}
    ORDER BY k.user_id LIMIT ?`;
}

type PageStatement = Statement<(string | number)[], string>;

/** Reads by statements that end at once: an open one would hold the log back and keep the connection from closing. */
export class Reads {
  readonly #find: Statement<[string], string>;
  readonly #mark: Statement<[string], string>;
  readonly #count: Statement<[string, string, number], number>;
  readonly #stepEnd: Statement<string[], string>;
  /** By the number of filters. */
  readonly #lists: readonly PageStatement[];
  /** By the number of filters beside the first. */
  readonly #steps: readonly PageStatement[];

  constructor(db: Connection) {
    this.#find = db
      .prepare<[string], string>(`SELECT ${documentOf('users')} FROM users WHERE id = ?`)
      .pluck();
    this.#mark = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck();
    this.#count = db
      .prepare<[string, string, number], number>(
        'SELECT count(*) FROM (SELECT 1 FROM user_keys WHERE filter = ? AND key = ? LIMIT ?)',
      )
      .pluck();
    this.#stepEnd = db.prepare<string[], string>(stepEndSql).pluck();
    const page = (sql: string): PageStatement => db.prepare<(string | number)[], string>(sql).pluck();
    this.#lists = [0, ...filterNames.keys()].map((_, count) => page(listSql(count)));
    this.#steps = filterNames.map((_, others) => page(stepSql(1 + others)));
  }

  find(id: string): KeptUser | undefined {
    const document = this.#find.get(id);
    return document === undefined ? undefined : keptIn(document);
  }

  mark(name: string): string | undefined {
    return this.#mark.get(name);
  }

  /**
   * Yields where others should get their turn: frequent filters may have next to nobody in common. The end of a step is
   * settled before it is read, so that what is written between the two falls into this step or the next, never between.
   */
  *list({ filters, after = '', limit }: UserQuery): Generator<undefined, KeptUser[], void> {
    const [first = [], ...others] = this.#rarestFirst(Object.entries(filters));
    const list = this.#lists[first.length === 0 ? 0 : others.length + 1];
    const users: KeptUser[] = [];
    for (let from = after; ; ) {
      const end = others.length === 0 ? undefined : this.#stepEnd.get(...first, from);
      const [statement, range] =
        end === undefined ? [list, [from]] : [this.#steps[others.length], [from, end]];
      const documents = statement?.all(...first, ...range, ...others.flat(), limit - users.length) ?? [];
      for (const document of documents) users.push(keptIn(document));
      if (end === undefined || users.length >= limit) return users;
      from = end;
      yield;
    }
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
