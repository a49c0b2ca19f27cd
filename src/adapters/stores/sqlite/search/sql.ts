/**
 * The SQL of searches, over the tables of one kind (layout/tables.ts): tests of single rows, ranges of indexes, rows by their numbers, and the
 * matches of a condition. Rows are `u`, entries of an index `k`.
 *
 * `sqlOf` is the query builder of a simpler service: it joins conditions into one WHERE. Here it tests only rows that are fetched anyway. As a
 * whole query it would make SQLite choose one index and fetch a row, in 5 µs, for each of its entries. So each condition finds numbers in its own
 * index, the sets of numbers meet in memory (search-thread.ts), and only the rows of the page are fetched. `layout/words.ts` has the full-text queries.
 */
import type { Condition, KeyRange } from '../../../../domain/find/conditions.ts';
import { byMember, byOwner } from '../../../../domain/find/owners.ts';
import type { Term } from '../../../../domain/find/search.ts';
import type { Sort } from '../../../../domain/find/sorts.ts';
import { sortIdOf, sortPathOf } from '../layout/index-rows.ts';
import type { Relation, Tables } from '../layout/tables.ts';

interface Sql {
  readonly sql: string;
  readonly values: readonly string[];
}

function join<T>(operator: 'AND' | 'OR', all: readonly T[], toSql: (one: T) => Sql): Sql {
  const parts = all.map(toSql);
  const isMet = String(Number(operator === 'AND'));
  return {
    sql: parts.length === 0 ? isMet : `(${parts.map(({ sql }) => sql).join(` ${operator} `)})`,
    values: parts.flatMap(({ values }) => values),
  };
}

/** A test of a row `u`, which finds exactly the matches. */
export function sqlOf(condition: Condition, tables: Tables): Sql {
  if ('all' in condition) return join('AND', condition.all, (one) => sqlOf(one, tables));
  if ('any' in condition) return join('OR', condition.any, (one) => sqlOf(one, tables));
  if ('words' in condition) return join('AND', condition.words, sqlOfTerm);
  if ('id' in condition) return { sql: 'u.id = ?', values: [condition.id] };
  if ('sort' in condition) return sqlOfRange(condition, tables);
  if ('not' in condition) {
    const { sql, values } = sqlOf(condition.not, tables);
    // For a row that another program has inserted, a test may be NULL.
    return { sql: `NOT ifnull(${sql}, 0)`, values };
  }
  if ('exists' in condition) return sqlOfExistence(condition.exists, tables);
  const { filter, key } = condition;
  if (filter === byMember) return { sql: `u.members IN ${setsOfMember(tables.relation)}`, values: [key] };
  if (filter !== byOwner) return { sql: inKeys, values: [JSON.stringify([filter, key])] };
  const sql = `EXISTS (SELECT 1 FROM ${tables.keys} AS o WHERE o.filter = ? AND o.key = ? AND o.id = u.id)`;
  return { sql, values: [filter, key] };
}

/** A row repeats its keys as JSON, in which quotes are escaped, so that they need no second index by resource; memberships are beside it. */
const inKeys = "(instr(ifnull(u.filters, ''), ?) > 0)";

function sqlOfExistence(filter: string, { relation }: Tables): Sql {
  if (filter === byOwner)
    return { sql: `EXISTS (SELECT 1 FROM memberships AS m WHERE m.n = u.n AND ${isLive})`, values: [] };
  if (filter === byMember) return { sql: hasMembers(relation, 'u'), values: [] };
  return { sql: inKeys, values: [`[${JSON.stringify(filter)},`] };
}

/** A set that is dropped loses its members in steps. */
const isLive = 'm.members NOT IN (SELECT members FROM member_sets WHERE is_dropped)';

const hasMembers = ({ members }: Relation, u: string): string =>
  `EXISTS (SELECT 1 FROM ${members.counts} AS c
     WHERE c.filter = '${byOwner}' AND c.key = CAST(${u}.members AS TEXT) AND c.count > 0)`;

/** The numbers of the sets to which the user with the id `?` belongs. */
const setsOfMember = ({ members }: Relation): string =>
  `(SELECT m.members FROM ${members.rows} AS o JOIN memberships AS m USING (n) WHERE o.id = ?)`;

/** A row without a key has an empty one. */
function sqlOfRange({ sort, from, to }: KeyRange, tables: Tables): Sql {
  const key = `json_extract(u.sorts, ${sortPathOf(tables, sortIdOf(tables, sort))})`;
  return {
    sql: `(${key} ${from === undefined ? "> ''" : '>= ?'}${to === undefined ? '' : ` AND ${key} < ?`})`,
    values: [from, to].filter((bound) => bound !== undefined),
  };
}

const sqlOfTerm = (term: Term): Sql =>
  join('OR', term, ({ pattern }) => ({ sql: 'instr(u.search, ?)', values: [pattern] }));

/** How many conditions the test of one row may evaluate. */
export function leavesOf(condition: Condition): number {
  if ('words' in condition) return Math.max(1, condition.words.length);
  if ('not' in condition) return leavesOf(condition.not);
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [];
  return Math.max(
    1,
    parts.reduce((sum, part) => sum + leavesOf(part), 0),
  );
}

/** Numbers as one text, see `Statements.numbers`. @param select a column `n` */
const inOneBlob = (select: string): string => `SELECT CAST(group_concat(n) AS BLOB) FROM (${select})`;

/** A range of an index `k`, which holds the resources' numbers. */
export interface Range {
  readonly index: string;
  readonly where: string;
  readonly values: readonly (string | number)[];
  /** In this order their values are a place. */
  readonly columns: readonly string[];
  readonly descending: boolean;
  /** The range begins after this place; left out, at its beginning. */
  readonly after?: readonly string[] | undefined;
}

const way = (descending: boolean): string => (descending ? 'DESC' : 'ASC');
const order = ({ columns, descending }: Range): string =>
  columns.map((column) => `${column} ${way(descending)}`).join();

/** The condition for its entries. With a place in an ascending range of keys, `key > ''` would be a second lower bound, which SQLite might prefer. */
function bounds({ where, columns, descending, after }: Range): string {
  if (after === undefined) return where;
  const from = descending ? where : where.replace(" AND k.key > ''", '');
  return `${from} AND (${columns}) ${descending ? '<' : '>'} (${columns.map(() => '?')})`;
}

export const valuesOf = ({ values, after = [] }: Range): readonly (string | number)[] => [
  ...values,
  ...after,
];

/** Up to `?` documents. CROSS JOIN keeps the order of the tables. */
export const documentsSql = ({ documentColumn, rows }: Tables, range: Range): string =>
  `SELECT ${documentColumn('u')}
   FROM ${range.index} AS k CROSS JOIN ${rows} AS u ON u.n = k.n
   WHERE ${bounds(range)} ORDER BY ${order(range)} LIMIT ?`;

/** The numbers of up to `?` resources, in their order. */
export const numbersSql = (range: Range): string =>
  inOneBlob(
    `SELECT k.n AS n FROM ${range.index} AS k WHERE ${bounds(range)} ORDER BY ${order(range)} LIMIT ?`,
  );

/** The place of the entry behind `?` others. */
export const placeSql = (range: Range): string =>
  `SELECT json_array(${range.columns}) FROM ${range.index} AS k
   WHERE ${bounds(range)} ORDER BY ${order(range)} LIMIT 1 OFFSET ?`;

export const countSql = (range: Range): string =>
  `SELECT count(*) FROM ${range.index} AS k WHERE ${bounds(range)}`;

/** The statements that read the numbers of all matches of a condition, in parts. */
export const matchesSql = ({ rows, words, keys, relation }: Tables) => ({
  ofWords: inOneBlob(
    `SELECT rowid AS n FROM ${words} WHERE ${words} MATCH ? AND rowid BETWEEN ? AND ? LIMIT ?`,
  ),
  ofFilter: inOneBlob(`SELECT n FROM ${keys} WHERE filter = ? AND key = ? LIMIT ? OFFSET ?`),
  /** A number for each key. */
  ofExistence: inOneBlob(`SELECT n FROM ${keys} WHERE filter = ? LIMIT ? OFFSET ?`),
  ofMembers: inOneBlob(
    `SELECT DISTINCT m.n AS n FROM memberships AS m WHERE m.n BETWEEN ? AND ? AND ${isLive}`,
  ),
  ofOwners: inOneBlob(`SELECT g.n AS n FROM ${rows} AS g WHERE ${hasMembers(relation, 'g')}`),
  /** The groups of a user. */
  ofMember: inOneBlob(`SELECT n FROM ${rows} WHERE members IN ${setsOfMember(relation)}`),
  ofId: inOneBlob(`SELECT n FROM ${rows} WHERE id = ?`),
  lastNumber: `SELECT max(n) FROM ${rows}`,
});

/** The rows of a list of numbers, which comes as JSON. CROSS JOIN keeps its order. */
const byNumber = ({ rows }: Tables): string => `json_each(?) AS c CROSS JOIN ${rows} AS u ON u.n = c.value`;

/** @param column of the rows `u` */
export const rowsSql = (tables: Tables, column: string): string =>
  `SELECT ${column} FROM ${byNumber(tables)}`;

/** The numbers of a list whose rows pass a test. */
export const testedSql = (tables: Tables, test: string): string =>
  inOneBlob(`SELECT u.n AS n FROM ${byNumber(tables)} WHERE ${test}`);

/** A list of numbers in the order of a sort, without rows that are gone. Rows without a key come last. */
export function sortedSql(tables: Tables, { by, descending = false }: Sort): string {
  const sort = sortIdOf(tables, by);
  const key = `ifnull(json_extract(u.sorts, ${sortPathOf(tables, sort)}), '')`;
  const byKey = sort === -1 ? '' : `${key} = '', ${key} ${way(descending)}, `;
  return inOneBlob(`SELECT u.n AS n FROM ${byNumber(tables)} ORDER BY ${byKey}u.id ${way(descending)}`);
}
