/** A condition as SQL for checking single users, and the cost of such a check. */
import type { Condition } from '../../../../domain/find/conditions.ts';
import type { Term } from '../../../../domain/find/search.ts';
import { setsOfMember } from './members.ts';

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

/** Exact, of a user `u`. */
export function sqlOf(condition: Condition): Sql {
  if ('all' in condition) return join(condition.all.map(sqlOf), 'AND');
  if ('any' in condition) return join(condition.any.map(sqlOf), 'OR');
  if ('words' in condition) return join(condition.words.map(sqlOfTerm), 'AND');
  if ('id' in condition) return { sql: 'u.id = ?', values: [condition.id] };
  if (condition.filter === 'member') return { sql: `u.members IN ${setsOfMember}`, values: [condition.key] };
  const sql = 'EXISTS (SELECT 1 FROM user_keys AS o WHERE o.filter = ? AND o.key = ? AND o.user_id = u.id)';
  return { sql, values: [condition.filter, condition.key] };
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
