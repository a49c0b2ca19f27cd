/** Fetches users by their numbers, some at a time. */
import type { Condition } from '../../../../domain/find/conditions.ts';
import type { Position, Sort } from '../../../../domain/find/sorts.ts';
import type { AnyRowType } from '../index/row-type.ts';
import { parseSorts } from '../index/sort-keys.ts';
import { leavesOf, sqlOf } from './condition.ts';
import { type Clock, fetchedAtOnce } from './limits.ts';
import type { Statements } from './statements.ts';

/** CROSS JOIN keeps the order of the list of numbers, which comes as JSON. */
const usersByNumber = 'json_each(?) AS c CROSS JOIN users AS u ON u.n = c.value';

const matchingSql = (condition: string): string =>
  `SELECT CAST(group_concat(n) AS BLOB) FROM (SELECT u.n AS n FROM ${usersByNumber} WHERE ${condition})`;

const documentsSql = ({ documentColumn }: AnyRowType): string =>
  `SELECT ${documentColumn('u')} FROM ${usersByNumber}`;

/** `sorts` has an empty key for none. */
const sortedSql = (sort: number, way: 'ASC' | 'DESC'): string => {
  const key = `ifnull(json_extract(u.sorts, '$[${sort}]'), '')`;
  const order = sort < 0 ? `u.id ${way}` : `${key} = '', ${key} ${way}, u.id ${way}`;
  return `SELECT CAST(group_concat(n) AS BLOB) FROM (SELECT u.n AS n FROM ${usersByNumber} ORDER BY ${order})`;
};

const rowSql = 'SELECT id, sorts FROM users WHERE n = ?';

/** @param sort its number; -1 for the order of the ids */
export function placeOfUser(statements: Statements, n: number, sort: number): Position {
  const row = statements.get<{ id: string; sorts: string | null }>(rowSql, [n]);
  return { id: row?.id ?? '', key: parseSorts(row?.sorts ?? null)[sort] || undefined };
}

const asJson = (numbers: Iterable<number>): string => JSON.stringify([...numbers]);

export const readDocuments = (statements: Statements, numbers: readonly number[]): string[] =>
  statements.all<string>(documentsSql(statements.type), [asJson(numbers)]);

/** The matches, in their order. */
export function* keepMatching(
  statements: Statements,
  numbers: Iterable<number>,
  condition: Condition,
  clock: Clock,
): Generator<Uint32Array> {
  const { sql, values } = sqlOf(condition);
  const statement = matchingSql(sql);
  for (const some of inParts(numbers, Math.ceil(fetchedAtOnce / leavesOf(condition)))) {
    clock.check();
    yield statements.numbers(statement, [JSON.stringify(some), ...values]);
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

/** All of them, in the order of a list, without deleted users. */
export const sortNumbers = (
  statements: Statements,
  numbers: Iterable<number>,
  { by, descending = false }: Sort,
): Uint32Array =>
  statements.numbers(sortedSql(statements.sortNumber(by), descending ? 'DESC' : 'ASC'), [asJson(numbers)]);
