/**
 * Prepared statements on the tables of one kind, by their text, and the questions that every query asks. A query is answered in one transaction,
 * within which its time is limited.
 */
import type { Statement } from 'better-sqlite3';
import { type Condition, matchesAll, matchNone } from '../../../../domain/find/conditions.ts';
import { byOwner, type MembershipFilter, replaceMemberships } from '../../../../domain/find/owners.ts';
import type { Position, Sort } from '../../../../domain/find/sorts.ts';
import { queryTooCostly } from '../../../../domain/validation/errors.ts';
import type { Connection } from '../file/connection.ts';
import { countOfAll, parseSorts, sortIdOf } from '../layout/index-rows.ts';
import type { Tables } from '../layout/tables.ts';
import { leavesOf, rowsSql, sortedSql, sqlOf, testedSql } from './sql.ts';

type Value = string | number | null;

/** In milliseconds. A query that takes longer is refused. The slowest one of a million users, a word of all of them, takes 500. */
const maxQueryTime = 5_000;

/** Rows that are fetched between two looks at the clock: 25 ms. */
const fetchedAtOnce = 5_000;

/** Terms and filters in every number make thousands of statements; few are in use at a time. */
const maxStatements = 200;

const asJson = (numbers: Iterable<number>): string => JSON.stringify([...numbers]);

export class Statements {
  readonly #db: Connection;
  readonly #statements = new Map<string, Statement<Value[], unknown>>();
  readonly tables: Tables;
  readonly #inTransaction: <T>(read: () => T) => T;
  /** When the running query has taken too long. */
  #end = Number.POSITIVE_INFINITY;
  #state: number | undefined;

  constructor(db: Connection, tables: Tables) {
    this.#db = db;
    this.#inTransaction = db.transaction((read) => read());
    this.tables = tables;
  }

  /** Answers a query: all its reads are of one state. */
  readTogether<T>(read: () => T): T {
    this.#end = performance.now() + maxQueryTime;
    this.#state = undefined;
    return this.#inTransaction(read);
  }

  /** A statement can't be interrupted, so this is called between statements. @throws DomainError `query-too-costly` */
  assertInTime(): void {
    if (performance.now() > this.#end) throw queryTooCostly();
  }

  /** Values of statements with one column, else rows as objects. Read to the end at once: an open statement would keep the WAL from being copied. */
  all<T>(sql: string, values: readonly Value[]): T[] {
    return this.#prepare(sql).all(...values) as T[];
  }

  get<T>(sql: string, values: readonly Value[] = []): T | undefined {
    return this.#prepare(sql).get(...values) as T | undefined;
  }

  /**
   * Numbers of rows, which reach JavaScript as one text: row by row they would take twice as long, one at a time five times.
   * @param sql selects one BLOB with decimal numbers and commas, or null
   */
  numbers(sql: string, values: readonly Value[]): Uint32Array {
    return parseNumbers(this.get(sql, values));
  }

  documents(numbers: readonly number[]): string[] {
    return this.all(rowsSql(this.tables, this.tables.documentColumn('u')), [asJson(numbers)]);
  }

  ids(numbers: Iterable<number>): string[] {
    return this.all(rowsSql(this.tables, 'u.id'), [asJson(numbers)]);
  }

  /** The numbers whose rows match, in their order, some at a time. @throws DomainError `query-too-costly` */
  *keepMatching(numbers: Iterable<number>, condition: Condition): Generator<Uint32Array> {
    const { sql, values } = sqlOf(condition, this.tables);
    const tested = testedSql(this.tables, sql);
    for (const some of inParts(numbers, Math.ceil(fetchedAtOnce / leavesOf(condition)))) {
      this.assertInTime();
      yield this.numbers(tested, [asJson(some), ...values]);
    }
  }

  /** In the order of a list, without rows that are gone. */
  sort(numbers: Iterable<number>, sort: Sort): Uint32Array {
    return this.numbers(sortedSql(this.tables, sort), [asJson(numbers)]);
  }

  /** The place in a list of a stored resource, by its number or its id. */
  placeOf(row: number | string, { by }: Sort = {}): Position {
    const sort = sortIdOf(this.tables, by);
    if (sort === -1 && typeof row === 'string') return { id: row };
    const sql = `SELECT id, sorts FROM ${this.tables.rows} WHERE ${typeof row === 'string' ? 'id' : 'n'} = ?`;
    const { id = '', sorts = null } = this.get<{ id: string; sorts: string | null }>(sql, [row]) ?? {};
    return { id, key: parseSorts(sorts).get(sort) || undefined };
  }

  /**
   * The condition with the numbers of sets in the place of groups' ids.
   * @param keep which owner counts for the list, as `keepOwner` finds it: the number of a group's set of members, or of a user
   */
  resolveMemberships(
    where: Condition,
    keep: (membership: MembershipFilter, now: number | undefined) => number | undefined,
  ): Condition {
    return replaceMemberships(where, (membership) => {
      const owner = keep(membership, this.#ownerOf(membership));
      if (owner === undefined) return matchNone;
      return membership.filter === byOwner ? { filter: byOwner, key: String(owner) } : membership;
    });
  }

  #ownerOf({ filter, key }: MembershipFilter): number | undefined {
    const { relation } = this.tables;
    const [column, rows] =
      filter === byOwner ? ['members', relation.owners.rows] : ['n', relation.members.rows];
    return this.get<number | null>(`SELECT ${column} FROM ${rows} WHERE id = ?`, [key]) ?? undefined;
  }

  /** Identifies the state of the data that the running query reads: differs after every write of another connection. */
  get state(): number {
    this.#state ??= this.get<number>('PRAGMA data_version') ?? 0;
    return this.#state;
  }

  /** The stored number of matches; undefined for conditions without one. */
  countOf(where: Condition): number | undefined {
    const key = matchesAll(where)
      ? countOfAll
      : 'filter' in where && this.tables.kind.sharedFilters.has(where.filter)
        ? [where.filter, where.key]
        : undefined;
    if (key === undefined) return undefined;
    return this.get<number>(`SELECT count FROM ${this.tables.counts} WHERE filter = ? AND key = ?`, key) ?? 0;
  }

  #prepare(sql: string): Statement<Value[], unknown> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= maxStatements) this.#statements.clear();
    const statement = this.#db.prepare<Value[], unknown>(sql);
    if (statement.columns().length === 1) statement.pluck();
    this.#statements.set(sql, statement);
    return statement;
  }
}

function* inParts(numbers: Iterable<number>, size: number): Generator<number[]> {
  let part: number[] = [];
  for (const n of numbers) {
    part.push(n);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

const comma = 0x2c;

/** @param text decimal numbers and commas; null for none */
function parseNumbers(text: Uint8Array | null | undefined): Uint32Array {
  if (!text || text.length === 0) return new Uint32Array();
  let count = 1;
  for (let at = 0; at < text.length; at += 1) if (text[at] === comma) count += 1;
  const numbers = new Uint32Array(count);
  let [n, read] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] as number;
    if (byte === comma) {
      numbers[read] = n;
      read += 1;
      n = 0;
    } else n = n * 10 + byte - 0x30;
  }
  numbers[read] = n;
  return numbers;
}
