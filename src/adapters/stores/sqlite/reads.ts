import type { Statement } from 'better-sqlite3';
import { DomainError } from '../../../domain/base/errors.ts';
import { type Condition, isEverybody } from '../../../domain/find/conditions.ts';
import { type FilterName, sharedFilters } from '../../../domain/find/filters.ts';
import { comparePositions, positionOf } from '../../../domain/find/sorts.ts';
import type { Conditions, UserQuery } from '../../../domain/ports.ts';
import type { StoredUser } from '../../../domain/user/stored-user.ts';
import type { Connection } from './file/connection.ts';
import { everybody } from './index/index-rows.ts';
import { documentColumn, readStored } from './index/stored-document.ts';
import { makeRulesCheck } from './layout/rules.ts';
import { IndexScan } from './search/index-scan.ts';
import { maxSkipped } from './search/limits.ts';
import { rangesOfAll } from './search/ranges.ts';
import { countOfKeySql } from './search/sets.ts';
import { Statements } from './search/statements.ts';

/** The filter and key under which the users that match are counted. */
function countedKey(where: Condition): readonly string[] | undefined {
  if (isEverybody(where)) return everybody;
  return 'filter' in where && sharedFilters.has(where.filter) ? [where.filter, where.key] : undefined;
}

/** Reads on the main thread: users by key, lists that are part of an index, and stored counts. */
export class Reads {
  readonly #find: Statement<[string], string>;
  readonly #findByName: Statement<[string], string>;
  readonly #findBy: Statement<[string, string, number], string>;
  readonly #mark: Statement<[string], string>;
  readonly #statements: Statements;
  readonly #isCurrent: () => boolean;
  /** The data version at which the indexes were found to be current. */
  #checked = -1;

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
    this.#statements = new Statements(db);
    this.#isCurrent = makeRulesCheck(db);
  }

  find(id: string): StoredUser | undefined {
    const document = this.#find.get(id);
    return document === undefined ? undefined : readStored(document);
  }

  findBy(filter: FilterName, key: string, limit: number): readonly StoredUser[] {
    // The index of names has the same key, and takes a tenth of the time.
    if (filter === 'userName') {
      const document = this.#findByName.get(key);
      return document === undefined ? [] : [readStored(document)];
    }
    return this.#findBy.all(filter, key, limit).map(readStored);
  }

  /** Undefined when it is neither one user nor part of an index, or skips too many users. */
  list(query: UserQuery): StoredUser[] | undefined {
    const { skip = 0, limit, where } = query;
    if ('id' in where) return this.#listOne(where.id, query);
    const ranges = skip > maxSkipped ? undefined : rangesOfAll(query);
    if (ranges === undefined) return undefined;
    this.#assertCurrent();
    return new IndexScan(this.#statements, ranges).documents(skip, limit).map(readStored);
  }

  #listOne(id: string, { sort = {}, after, backward = false, skip = 0, limit }: UserQuery): StoredUser[] {
    const user = this.find(id);
    if (user === undefined || skip > 0 || limit < 1) return [];
    const order = after === undefined ? 1 : comparePositions(positionOf(user, sort), after, sort);
    return (backward && after !== undefined ? -order : order) > 0 ? [user] : [];
  }

  /** Undefined without a stored count. */
  count({ where }: Conditions): number | undefined {
    if ('id' in where) return this.find(where.id) === undefined ? 0 : 1;
    const key = countedKey(where);
    if (key === undefined) return undefined;
    this.#assertCurrent();
    return this.#statements.get<number>(countOfKeySql, [...key]) ?? 0;
  }

  mark(name: string): string | undefined {
    return this.#mark.get(name);
  }

  /** A later release may be rebuilding the indexes, by its rules. @throws DomainError `unavailable` */
  #assertCurrent(): void {
    const state = this.#statements.dataVersion();
    if (state === this.#checked) return;
    if (!this.#isCurrent()) throw new DomainError('unavailable', 'Another release is at work on the file.');
    this.#checked = state;
  }
}
