import type { Statement } from 'better-sqlite3';
import type { FilterName } from '../../../domain/filters.ts';
import type { StoredUser } from '../../../domain/stored-user.ts';
import type { Connection } from './connection.ts';
import { documentColumn, readStored } from './stored-document.ts';

/** Look-ups by name. */
export class Reads {
  readonly #find: Statement<[string], string>;
  readonly #findByName: Statement<[string], string>;
  readonly #findBy: Statement<[string, string, number], string>;
  readonly #mark: Statement<[string], string>;

  constructor(db: Connection) {
    this.#find = db
      .prepare<[string], string>(`SELECT ${documentColumn('users')} FROM users WHERE id = ?`)
      .pluck();
    this.#findByName = db
      .prepare<[string], string>(`SELECT ${documentColumn('users')} FROM users WHERE user_name_key = ?`)
      .pluck();
    this.#findBy = db
      .prepare<[string, string, number], string>(
        `SELECT ${documentColumn('users')} FROM user_keys JOIN users ON users.id = user_keys.user_id
         WHERE filter = ? AND key = ? LIMIT ?`,
      )
      .pluck();
    this.#mark = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck();
  }

  find(id: string): StoredUser | undefined {
    const document = this.#find.get(id);
    return document === undefined ? undefined : readStored(document);
  }

  findBy(filter: FilterName, key: string, limit: number): readonly StoredUser[] {
    // The key is that of the names' own index as well, which takes a tenth of the time.
    if (filter === 'userName') {
      const document = this.#findByName.get(key);
      return document === undefined ? [] : [readStored(document)];
    }
    return this.#findBy.all(filter, key, limit).map(readStored);
  }

  mark(name: string): string | undefined {
    return this.#mark.get(name);
  }
}
