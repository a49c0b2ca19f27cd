/** A condition as SQL for checking single users, the cost of such a check, and conditions by membership. */
import { type Condition, type KeyRange, matchNone } from '../../../../domain/find/conditions.ts';
import {
  byMember,
  byOwner,
  type MembershipFilter,
  replaceMemberships,
} from '../../../../domain/find/owners.ts';
import type { Term } from '../../../../domain/find/search.ts';
import { sortNumberOf } from '../layout/index-rows.ts';
import type { Relation, Tables } from '../layout/tables.ts';

/** The numbers of the sets to which the user with the id `?` belongs. */
export const setsOfMember = (relation: Relation | undefined): string =>
  `(SELECT m.members FROM ${relation?.members.rows} AS o JOIN memberships AS m USING (n) WHERE o.id = ?)`;

/** Finds the number of a group's set of members, or a user's number; undefined for none. May throw, as `keepOwner`. */
export type OwnerOf = (membership: MembershipFilter) => number | undefined;

/** The condition with the numbers of sets in the place of groups' ids. For within the transaction that reads by it. */
export function resolveMemberships(condition: Condition, ownerOf: OwnerOf): Condition {
  return replaceMemberships(condition, (membership) => {
    const owner = ownerOf(membership);
    if (owner === undefined) return matchNone;
    return membership.filter === byOwner ? { filter: byOwner, key: String(owner) } : membership;
  });
}

export interface Sql {
  readonly sql: string;
  readonly values: readonly string[];
}

const join = (parts: readonly Sql[], operator: 'AND' | 'OR'): Sql => ({
  sql:
    parts.length === 0
      ? String(Number(operator === 'AND'))
      : `(${parts.map(({ sql }) => sql).join(` ${operator} `)})`,
  values: parts.flatMap(({ values }) => values),
});

/** Exact, of a row `u`. */
export function sqlOf(condition: Condition, tables: Tables): Sql {
  if ('all' in condition)
    return join(
      condition.all.map((one) => sqlOf(one, tables)),
      'AND',
    );
  if ('any' in condition)
    return join(
      condition.any.map((one) => sqlOf(one, tables)),
      'OR',
    );
  if ('words' in condition) return join(condition.words.map(sqlOfTerm), 'AND');
  if ('id' in condition) return { sql: 'u.id = ?', values: [condition.id] };
  if ('sort' in condition) return sqlOfRange(condition, tables);
  const { filter, key } = condition;
  if (filter === byMember) return { sql: `u.members IN ${setsOfMember(tables.relation)}`, values: [key] };
  const sql = `EXISTS (SELECT 1 FROM ${tables.keys} AS o WHERE o.filter = ? AND o.key = ? AND o.id = u.id)`;
  return { sql, values: [filter, key] };
}

/** An empty key stands for none. */
function sqlOfRange({ sort, from, to }: KeyRange, tables: Tables): Sql {
  const key = `json_extract(u.sorts, '$[${sortNumberOf(tables, sort)}]')`;
  return {
    sql: `(${key} ${from === undefined ? "> ''" : '>= ?'}${to === undefined ? '' : ` AND ${key} < ?`})`,
    values: [from, to].filter((bound) => bound !== undefined),
  };
}

const sqlOfTerm = (term: Term): Sql =>
  join(
    term.map(({ pattern }) => ({ sql: 'instr(u.search, ?)', values: [pattern] })),
    'OR',
  );

/** How many conditions the check of one user may evaluate. */
export function leavesOf(condition: Condition): number {
  if ('words' in condition) return Math.max(1, condition.words.length);
  const parts = 'all' in condition ? condition.all : 'any' in condition ? condition.any : [];
  return Math.max(
    1,
    parts.reduce((sum, part) => sum + leavesOf(part), 0),
  );
}
