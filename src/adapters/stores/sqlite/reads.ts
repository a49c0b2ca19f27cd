import type { Statement } from 'better-sqlite3';
import { positionOf, sharedFilters } from '../../../domain/at-import.ts';
import { DomainError } from '../../../domain/base/errors.ts';
import { type Condition, isEverybody, isNobody } from '../../../domain/find/conditions.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import { Owners, ownerName, usesMembership } from '../../../domain/find/owners.ts';
import { comparePositions } from '../../../domain/find/sorts.ts';
import type { Conditions, Query } from '../../../domain/ports.ts';
import type { Resource } from '../../../domain/resource/resource.ts';
import type { Stored } from '../../../domain/resource/stored.ts';
import type { Connection } from './file/connection.ts';
import { everybody } from './index/index-rows.ts';
import { type RowType, sqlFor } from './index/row-type.ts';
import { makeRulesCheck } from './layout/rules.ts';
import { resolveMemberships, sqlOf } from './search/condition.ts';
import { IndexScan } from './search/index-scan.ts';
import { maxSkipped } from './search/limits.ts';
import { rangesOfAll } from './search/ranges.ts';
import type { KnownOwners } from './search/searcher.ts';
import { countOfKeySql } from './search/sets.ts';
import { Statements } from './search/statements.ts';

/** The filter and key under which the users that match are counted. */
function countedKey(where: Condition): readonly string[] | undefined {
  if (isEverybody(where)) return everybody;
  return 'filter' in where && sharedFilters.has(where.filter) ? [where.filter, where.key] : undefined;
}

/** The id of the only user that may match, where the condition names it. */
function onlyId(where: Condition): string | undefined {
  const named = ('all' in where ? where.all : [where]).find((one) => 'id' in one);
  return named && 'id' in named ? named.id : undefined;
}

/** Reads of one kind on the main thread: rows by key, lists that are part of an index, and stored counts. */
export class Reads<T extends Resource> {
  readonly #find: Statement<[string], string>;
  readonly #findByName: Statement<[string], string>;
  readonly #findBy: Statement<[string, string, number], string>;
  readonly #type: RowType<T>;
  readonly #statements: Statements;
  readonly #isCurrent: () => boolean;
  readonly #owners = new Owners<number>();
  /** The data version at which the indexes were found to be current. */
  #checked = -1;

  constructor(db: Connection, type: RowType<T>) {
    this.#type = type;
    const prepare = <V extends unknown[]>(sql: string): Statement<V, string> =>
      db.prepare<V, string>(sqlFor(type.kind, `SELECT ${type.documentColumn('users')} FROM ${sql}`)).pluck();
    this.#find = prepare('users WHERE id = ?');
    this.#findByName = prepare('users WHERE user_name_key = ?');
    this.#findBy = prepare(
      'user_keys JOIN users ON users.id = user_keys.user_id WHERE filter = ? AND key = ? LIMIT ?',
    );
    this.#statements = new Statements(db, type);
    this.#isCurrent = makeRulesCheck(db);
  }

  find(id: string): Stored<T> | undefined {
    const document = this.#find.get(id);
    return document === undefined ? undefined : this.#type.read(document);
  }

  findBy(filter: FilterName, key: string, limit: number): readonly Stored<T>[] {
    // The index of names has the same key, and takes a tenth of the time.
    if (filter === this.#type.nameFilter) {
      const document = this.#findByName.get(key);
      return document === undefined ? [] : [this.#type.read(document)];
    }
    return this.#findBy.all(filter, key, limit).map(this.#type.read);
  }

  /** The owners, for a search, when it is neither one user nor part of an index, or skips too many users. */
  list(query: Query): Stored<T>[] | KnownOwners {
    return this.#resolving(query, (where) => this.#list({ ...query, where }));
  }

  /** In one transaction: members that are gone in the next statement would be missing. */
  #resolving<R>({ where, view }: Conditions, read: (where: Condition) => R | undefined): R | KnownOwners {
    const owners = new Map<string, number | undefined>();
    if (!usesMembership(where)) return read(where) ?? owners;
    return this.#statements.readTogether(() => {
      const resolved = resolveMemberships(where, (membership) => {
        const owner = this.#owners.keep(view, membership, this.#statements.ownerOf(membership));
        owners.set(ownerName(membership), owner);
        return owner;
      });
      return read(resolved) ?? owners;
    });
  }

  #list(query: Query): Stored<T>[] | undefined {
    const { where, skip = 0, limit } = query;
    if (isNobody(where)) return [];
    const id = onlyId(where);
    if (id !== undefined) return 'id' in where || this.#isAny(where) ? this.#listOne(id, query) : [];
    const sortNumber = (by: string | undefined) => this.#statements.sortNumber(by);
    const ranges = skip > maxSkipped ? undefined : rangesOfAll(query, sortNumber);
    if (ranges === undefined) return undefined;
    this.#assertCurrent();
    return new IndexScan(this.#statements, ranges).documents(skip, limit).map(this.#type.read);
  }

  #listOne(id: string, { sort = {}, after, backward = false, skip = 0, limit }: Query): Stored<T>[] {
    const user = this.find(id);
    if (user === undefined || skip > 0 || limit < 1) return [];
    const order = after === undefined ? 1 : comparePositions(positionOf(user, sort), after, sort);
    return (backward && after !== undefined ? -order : order) > 0 ? [user] : [];
  }

  /** The owners, for a search, without a stored count. */
  count(conditions: Conditions): number | KnownOwners {
    return this.#resolving(conditions, (where) => this.#count(where));
  }

  #count(where: Condition): number | undefined {
    if (isNobody(where)) return 0;
    if (onlyId(where) !== undefined) return Number(this.#isAny(where));
    const key = countedKey(where);
    if (key === undefined) return undefined;
    this.#assertCurrent();
    return this.#statements.get<number>(countOfKeySql, [...key]) ?? 0;
  }

  /** Whether a user matches, by a point read. @param where names the only id */
  #isAny(where: Condition): boolean {
    this.#assertCurrent();
    const { sql, values } = sqlOf(where);
    return this.#statements.get(`SELECT 1 FROM users AS u WHERE ${sql}`, values) !== undefined;
  }

  /** A later release may be rebuilding the indexes, by its rules. @throws DomainError `unavailable` */
  #assertCurrent(): void {
    const state = this.#statements.dataVersion();
    if (state === this.#checked) return;
    if (!this.#isCurrent()) throw new DomainError('unavailable', 'Another release is at work on the file.');
    this.#checked = state;
  }
}
