/**
 * Translates a filter into a store condition that selects at least all matches. Parts that no index covers match every resource; the plan is
 * then not exact, and each resource is compared with the whole filter.
 */

import {
  allOf,
  anyOf,
  type Condition,
  matchAll,
  matching,
  matchNone,
} from '../../../../domain/find/conditions.ts';
import { supersetTerms } from '../../../../domain/find/search.ts';
import { foreignCharacter } from '../../../../domain/validation/schema-validator.ts';
import type { AttributePath } from '../resource/attributes.ts';
import type { FilterValue, ScimFilter } from './syntax.ts';

export interface Plan {
  /** Has no more conditions than the filter has comparisons. */
  readonly where: Condition;
  /** The store returns exactly the matches. */
  readonly isExact: boolean;
}

const exactly = (where: Condition): Plan => ({ where, isExact: true });
const among = (where: Condition): Plan => ({ where, isExact: false });

function planBeginning(path: AttributePath, text: string): Plan {
  if (foreignCharacter.test(text)) return exactly(matchNone);
  const terms = path.isSearched ? supersetTerms(text) : undefined;
  if (terms === undefined || terms.length === 0) return among(matchAll);
  return among(matching({}, terms));
}

function planEquality(path: AttributePath, value: Exclude<FilterValue, null>): Plan {
  const text = String(value);
  // No resource has such a text, and stores need not support it.
  if (text === '' || foreignCharacter.test(text)) return exactly(matchNone);
  if (path.extension === undefined && path.attribute.name === 'id') return exactly({ id: text });
  const { filter } = path;
  if (path.isAbsent) return exactly(matchNone);
  if (filter === undefined) return planBeginning(path, text);
  const key = filter.key(text);
  return exactly(key === undefined ? matchNone : { filter: filter.name, key });
}

/** Recursive; `parseFilter` limits the nesting. */
export function planFilter(filter: ScimFilter): Plan {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const plans = filter.filters.map(planFilter);
      const wheres = plans.map(({ where }) => where);
      const where = filter.kind === 'and' ? allOf(wheres) : anyOf(wheres);
      return { where, isExact: plans.every(({ isExact }) => isExact) };
    }
    case 'items': {
      const plan = planFilter(filter.filter);
      // Several comparisons may match different items.
      return { ...plan, isExact: plan.isExact && filter.filter.kind === 'compare' };
    }
    case 'compare': {
      const { path, operator, value } = filter;
      if (value !== null && operator === 'eq') return planEquality(path, value);
      return operator === 'sw' ? planBeginning(path, String(value)) : among(matchAll);
    }
    case 'not':
    case 'present':
      return among(matchAll);
  }
}
