import type { Statement } from 'better-sqlite3';
import { isDeclared } from '../../../domain/find/building.ts';
import { type Condition, matchesNone } from '../../../domain/find/conditions.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import { byOwner, Owners, ownerName } from '../../../domain/find/owners.ts';
import type { PageQuery, StoredResource } from '../../../domain/store.ts';
import type { Connection } from './file/connection.ts';
import { makeRulesAssertion } from './layout/layout.ts';
import type { Relation, Tables } from './layout/tables.ts';
import { isBehind, orderOf } from './search/index-scan.ts';
import { noRows, type RowPage, readIndexPage } from './search/read-page.ts';
import type { KnownOwners } from './search/search-thread.ts';
import { sqlOf } from './search/sql.ts';
import { Statements } from './search/statements.ts';

/** The number of resources that a list may skip on the main thread, at 0.05 µs each. */
const maxSkipped = 1_000;

/** The id of the only resource that may match, if the condition names one. */
function onlyId(where: Condition): string | undefined {
  const named = ('all' in where ? where.all : [where]).find((one) => 'id' in one);
  return named && 'id' in named ? named.id : undefined;
}

/** Reads of one kind on the main thread: rows by key, and pages that are part of an index, with stored totals. */
export class Reads {
  readonly tables: Tables;
  readonly #find: Statement<[string], string>;
  readonly #findByName: Statement<[string], string>;
  readonly #findBy: Statement<[string, string, number], string>;
  readonly #statements: Statements;
  readonly #assertCurrent: ReturnType<typeof makeRulesAssertion>;
  readonly #owners = new Owners<number>();

  constructor(db: Connection, tables: Tables) {
    this.tables = tables;
    const { rows, keys, documentColumn } = tables;
    const prepare = <V extends unknown[]>(sql: string): Statement<V, string> =>
      db.prepare<V, string>(`SELECT ${documentColumn('u')} FROM ${sql}`).pluck();
    this.#find = prepare(`${rows} AS u WHERE id = ?`);
    this.#findByName = prepare(`${rows} AS u WHERE name_key = ?`);
    this.#findBy = prepare(`${keys} AS k JOIN ${rows} AS u USING (n) WHERE filter = ? AND key = ? LIMIT ?`);
    this.#statements = new Statements(db, tables);
    this.#assertCurrent = makeRulesAssertion(db, tables.kind);
  }

  find(id: string): StoredResource | undefined {
    const document = this.#find.get(id);
    return document === undefined ? undefined : this.tables.read(document);
  }

  findBy(filter: FilterName, key: string, limit: number): readonly StoredResource[] {
    const { kind, read } = this.tables;
    if (isDeclared(filter)) this.#assertCurrent({ where: { exists: filter } });
    // The index of names has the same key, and takes a tenth of the time.
    if (filter !== kind.unique.member) return this.#findBy.all(filter, key, limit).map(read);
    const document = this.#findByName.get(key);
    return document === undefined ? [] : [read(document)];
  }

  /** @returns the owners, for the search thread, if the page is neither one resource nor part of an index, or skips or counts too many resources */
  page(query: PageQuery): RowPage | KnownOwners {
    // In one transaction, so that all statements see the same members.
    return this.#statements.readTogether(() => {
      this.#assertCurrent(query);
      const owners = new Map<string, number | undefined>();
      const where = this.#statements.resolveMemberships(query.where, (membership, now) => {
        const owner = this.#owners.keep(query.list, membership, now);
        owners.set(ownerName(membership), owner);
        return owner;
      });
      return this.#page(query, where) ?? owners;
    });
  }

  #page(query: PageQuery, where: Condition): RowPage | undefined {
    const { limit, skip = 0 } = query;
    const isCounted = query.total !== undefined;
    if (matchesNone(where)) return noRows(isCounted ? 0 : undefined);
    const id = onlyId(where);
    if (id !== undefined) return this.#pageOfOne(id, where, query);
    const total = isCounted ? this.#statements.countOf(where) : undefined;
    if (skip > maxSkipped) return undefined;
    if (isCounted && total === undefined) return this.#wholePage(query, where);
    if (limit === 0) return noRows(total);
    const page = readIndexPage(this.#statements, query, where);
    return page && { ...page, total };
  }

  /** All matches of one filter, if a page has them: mostly a single one, whose count isn't stored. */
  #wholePage(query: PageQuery, where: Condition): RowPage | undefined {
    const { skip = 0, after, before, limit } = query;
    const isFirst = skip === 0 && after === undefined && before === undefined;
    if (!isFirst || limit === 0 || !('filter' in where)) return undefined;
    const page = readIndexPage(this.#statements, query, where);
    if (page === undefined || page.more) return undefined;
    return { ...page, total: page.documents.length + (page.rest?.length ?? 0) };
  }

  /** Answers by a point read. */
  #pageOfOne(id: string, where: Condition, query: PageQuery): RowPage {
    const { sql, values } = sqlOf(where, this.tables);
    const { rows, documentColumn } = this.tables;
    const found = this.#statements.all<string>(
      `SELECT ${documentColumn('u')} FROM ${rows} AS u WHERE ${sql}`,
      values,
    );
    const { sort, skip = 0, limit } = query;
    const place = this.#statements.placeOf(id, sort);
    const total = query.total === undefined ? undefined : found.length;
    if (found.length === 0 || !isBehind(orderOf(query), place) || skip > 0 || limit < 1) return noRows(total);
    return { documents: found, first: place, last: place, more: false, total };
  }
}

/** Members of groups, and groups of users, by point reads on the main thread. To be called within a transaction. */
export class Memberships {
  readonly #isMember: Statement<[string, string], number>;
  readonly #membersOf: Statement<[string, number], string>;
  readonly #groupsOf: Statement<[string, number], string>;
  readonly #assertCurrent: () => void;

  constructor(db: Connection, { owners, members }: Relation) {
    const prepare = <V extends unknown[], T>(sql: string) => db.prepare<V, T>(sql).pluck();
    this.#isMember = prepare(
      `SELECT 1 FROM ${owners.rows} AS g JOIN memberships AS m USING (members)
       JOIN ${members.rows} AS u ON u.n = m.n WHERE g.id = ? AND u.id = ?`,
    );
    this.#membersOf = prepare(
      `SELECT k.id FROM ${owners.rows} AS g
       JOIN ${members.keys} AS k ON k.filter = '${byOwner}' AND k.key = CAST(g.members AS TEXT) WHERE g.id = ? LIMIT ?`,
    );
    this.#groupsOf = prepare(
      `SELECT g.id FROM ${members.rows} AS u JOIN memberships AS m USING (n)
       JOIN ${owners.rows} AS g ON g.members = m.members WHERE u.id = ? LIMIT ?`,
    );
    this.#assertCurrent = makeRulesAssertion(db, members.kind);
  }

  isMember(group: string, user: string): boolean {
    return this.#isMember.get(group, user) !== undefined;
  }

  membersOf(group: string, limit: number): readonly string[] {
    this.#assertCurrent();
    return this.#membersOf.all(group, limit);
  }

  groupsOf(user: string, limit: number): readonly string[] {
    return this.#groupsOf.all(user, limit);
  }
}
