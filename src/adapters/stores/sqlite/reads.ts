import type { Statement } from 'better-sqlite3';
import type { StoredUser } from '../../../domain/stored-user.ts';
import type { Connection } from './connection.ts';
import { documentColumn, readStored } from './stored-document.ts';

/** Look-ups by name. */
export class Reads {
  readonly #find: Statement<[string], string>;
  readonly #mark: Statement<[string], string>;

  constructor(db: Connection) {
    this.#find = db
      .prepare<[string], string>(`SELECT ${documentColumn('users')} FROM users WHERE id = ?`)
      .pluck();
    this.#mark = db.prepare<[string], string>('SELECT value FROM marks WHERE name = ?').pluck();
  }

  find(id: string): StoredUser | undefined {
    const document = this.#find.get(id);
    return document === undefined ? undefined : readStored(document);
  }

  mark(name: string): string | undefined {
    return this.#mark.get(name);
  }
}
