/** Fetches rows by their numbers, some at a time. */
import type { Condition } from '../../../../domain/find/conditions.ts';
import type { Position, Sort } from '../../../../domain/find/sorts.ts';
import { parseSorts, sortNumberOf } from '../layout/index-rows.ts';
import { leavesOf, sqlOf } from './condition.ts';
import { type Clock, fetchedAtOnce } from './limits.ts';
import type { Statements } from './statements.ts';

/** CROSS JOIN keeps the order of the list of numbers, which comes as JSON. */
const byNumber = ({ tables }: Statements): string =>
  `json_each(?) AS c CROSS JOIN ${tables.rows} AS u ON u.n = c.value`;

const asJson = (numbers: Iterable<number>): string => JSON.stringify([...numbers]);

/** The place in a list of a resource that is stored, by its number or its id. */
export function placeOf(statements: Statements, row: number | string, { by }: Sort = {}): Position {
  const sort = sortNumberOf(statements.tables, by);
  if (sort < 0 && typeof row === 'string') return { id: row };
  const sql = `SELECT id, sorts FROM ${statements.tables.rows} WHERE ${typeof row === 'string' ? 'id' : 'n'} = ?`;
  const { id = '', sorts = null } = statements.get<{ id: string; sorts: string | null }>(sql, [row]) ?? {};
  return { id, key: parseSorts(sorts)[sort] || undefined };
}

export const readDocuments = (statements: Statements, numbers: readonly number[]): string[] =>
  statements.all(`SELECT ${statements.tables.documentColumn('u')} FROM ${byNumber(statements)}`, [
    asJson(numbers),
  ]);

export const readIds = (statements: Statements, numbers: Iterable<number>): string[] =>
  statements.all(`SELECT u.id FROM ${byNumber(statements)}`, [asJson(numbers)]);

/** The matches, in their order. */
export function* keepMatching(
  statements: Statements,
  numbers: Iterable<number>,
  condition: Condition,
  clock: Clock,
): Generator<Uint32Array> {
  const { sql, values } = sqlOf(condition, statements.tables);
  const statement = `SELECT CAST(group_concat(n) AS BLOB) FROM (SELECT u.n AS n FROM ${byNumber(statements)} WHERE ${sql})`;
  for (const some of inParts(numbers, Math.ceil(fetchedAtOnce / leavesOf(condition)))) {
    clock.check();
    yield statements.numbers(statement, [asJson(some), ...values]);
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

/** All of them, in the order of a list, without rows that are gone. */
export function sortNumbers(
  statements: Statements,
  numbers: Iterable<number>,
  { by, descending = false }: Sort,
): Uint32Array {
  const sort = sortNumberOf(statements.tables, by);
  const way = descending ? 'DESC' : 'ASC';
  // An empty key stands for none.
  const key = `ifnull(json_extract(u.sorts, '$[${sort}]'), '')`;
  const order = sort < 0 ? `u.id ${way}` : `${key} = '', ${key} ${way}, u.id ${way}`;
  const sorted = `SELECT u.n AS n FROM ${byNumber(statements)} ORDER BY ${order}`;
  return statements.numbers(`SELECT CAST(group_concat(n) AS BLOB) FROM (${sorted})`, [asJson(numbers)]);
}
