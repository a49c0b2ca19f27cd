/**
 * The entries of groups in the histories of users: a row for each user whom an entry concerns.
 *
 * `change_log_members` finds the entries of a user. Ids that an entry names (`detail`) lead from the entry to its rows. The sweep of members
 * (write/members.ts) adds rows for users that an entry doesn't name: the members of a deleted group, and those who left when a PUT replaced all
 * members.
 * Such rows stand in `swept_members`, too, by the number of the entry.
 */
import type { Change } from '../../../../domain/changes/change.ts';
import type { Connection } from '../file/connection.ts';

export const createUserRows = `
  CREATE TABLE change_log_members (
    -- The 16 bytes of a UUID; another id is a text.
    user BLOB NOT NULL, number INTEGER NOT NULL,
    PRIMARY KEY (user, number)
  ) WITHOUT ROWID;
  CREATE TABLE swept_members (
    number INTEGER NOT NULL, user BLOB NOT NULL,
    PRIMARY KEY (number, user)
  ) WITHOUT ROWID;`;

/** In bytes: an estimate of a row in `change_log_members`, and of one in both tables. */
export const bytesOfRow = 28;
export const bytesOfSweptRow = 2 * bytesOfRow;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** An id in the columns `user` and in the index of requests: the 16 bytes of a UUID; another id is a text. */
export const toIdKey = (id: string): Buffer | string =>
  uuid.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : id;

export type IdKey = ReturnType<typeof toIdKey>;

export const toId = (key: IdKey): string =>
  typeof key === 'string' ? key : key.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** The users that an entry names. @param detail as JSON */
export function idsIn(detail: string | null): readonly string[] {
  if (detail === null) return [];
  const { added = [], removed = [] }: Pick<Change, 'added' | 'removed'> = JSON.parse(detail);
  return [...added, ...removed];
}

function prepareStatements(db: Connection) {
  return {
    add: db.prepare<[IdKey, number]>('INSERT OR IGNORE INTO change_log_members VALUES (?, ?)'),
    // In the order of the keys, and in one statement: a large change of members would take half as long again.
    addAll: db.prepare<[number, string]>(
      "INSERT OR IGNORE INTO change_log_members SELECT unhex(value, '-'), ? FROM json_each(?) ORDER BY value",
    ),
    addSwept: db.prepare<[number, IdKey]>('INSERT OR IGNORE INTO swept_members VALUES (?, ?)'),
    remove: db.prepare<[IdKey, number]>('DELETE FROM change_log_members WHERE user = ? AND number = ?'),
    swept: db
      .prepare<[number, number], IdKey>('SELECT user FROM swept_members WHERE number = ? LIMIT ?')
      .pluck(),
    removeSwept: db.prepare<[number, IdKey]>('DELETE FROM swept_members WHERE number = ? AND user = ?'),
    of: db.prepare<[IdKey], number>('SELECT number FROM change_log_members WHERE user = ?').pluck(),
  };
}

/** All methods are called within transactions that hold the write lock. */
export class UserRows {
  readonly #sql: ReturnType<typeof prepareStatements>;

  constructor(db: Connection) {
    this.#sql = prepareStatements(db);
  }

  /** @param number of an entry that names the user */
  add(number: number, id: string): void {
    this.#sql.add.run(toIdKey(id), number);
  }

  addAll(number: number, ids: readonly string[]): void {
    const isMany = ids.length > 10 && ids.every((id) => uuid.test(id));
    if (isMany) this.#sql.addAll.run(number, JSON.stringify(ids));
    else for (const id of ids) this.add(number, id);
  }

  /** @param number of an entry that doesn't name the user */
  addSwept(number: number, id: string): void {
    this.add(number, id);
    this.#sql.addSwept.run(number, toIdKey(id));
  }

  /** Removes rows of an entry. @param ids that it names @param limit of swept rows @returns the number of rows, and whether none is left */
  removeOf(number: number, ids: readonly string[], limit: number): { count: number; isAll: boolean } {
    const swept = this.#sql.swept.all(number, limit);
    for (const user of swept) this.#sql.removeSwept.run(number, user);
    for (const user of [...ids.map(toIdKey), ...swept]) this.#sql.remove.run(user, number);
    return { count: ids.length + swept.length, isAll: swept.length < limit };
  }

  /** Removes all rows of a user. @returns whether there were any */
  erase(id: string): boolean {
    const user = toIdKey(id);
    const numbers = this.#sql.of.all(user);
    for (const number of numbers) {
      this.#sql.removeSwept.run(number, user);
      this.#sql.remove.run(user, number);
    }
    return numbers.length > 0;
  }
}
