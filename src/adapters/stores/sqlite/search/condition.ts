/** What users have to match, as a tree, and as SQL for users that are looked at one by one. */
import type { Conditions } from '../../../../domain/ports.ts';
import type { Term } from '../../../../domain/search.ts';

/** `words` are the terms of one search, all of which must match: FTS5 intersects their lists itself. */
export type Condition =
  | { readonly all: readonly Condition[] }
  | { readonly words: readonly Term[] }
  | { readonly filter: string; readonly key: string };

/** The same users are found by equal trees: filters and terms are sorted. */
export function conditionOf({ filters, terms = [] }: Conditions): Condition {
  const keys = Object.entries(filters).map(([filter, key]) => ({ filter, key }));
  keys.sort((one, other) => (one.filter < other.filter ? -1 : 1));
  const words = terms.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
  const all: readonly Condition[] = [...(words.length > 0 ? [{ words }] : []), ...keys];
  return all.length === 1 && all[0] ? all[0] : { all };
}

export interface Sql {
  readonly sql: string;
  readonly values: readonly string[];
}

const join = (parts: readonly Sql[], operator: string): Sql => ({
  sql: parts.length === 0 ? '1' : `(${parts.map(({ sql }) => sql).join(` ${operator} `)})`,
  values: parts.flatMap(({ values }) => values),
});

/** Exact, of a user `u`. */
export function sqlOf(condition: Condition): Sql {
  if ('all' in condition) return join(condition.all.map(sqlOf), 'AND');
  if ('words' in condition) return join(condition.words.map(sqlOfTerm), 'AND');
  const sql = 'EXISTS (SELECT 1 FROM user_keys AS o WHERE o.filter = ? AND o.key = ? AND o.user_id = u.id)';
  return { sql, values: [condition.filter, condition.key] };
}

const sqlOfTerm = (term: Term): Sql =>
  join(
    term.map(({ pattern }) => ({ sql: 'instr(u.search, ?)', values: [pattern] })),
    'OR',
  );
