/**
 * Translates a filter into a store condition that selects at least all matching users. Parts that no index covers match every user; the
 * plan is then not exact, and each user is compared with the whole filter.
 */

import { filters } from '../../../../domain/at-import.ts';
import { foreignCharacter } from '../../../../domain/base/schema-validator.ts';
import {
  allOf,
  anyOf,
  type Condition,
  everybody,
  matching,
  nobody,
} from '../../../../domain/find/conditions.ts';
import { supersetTerms } from '../../../../domain/find/search.ts';
import { User } from '../../../../domain/kinds/user/user.ts';
import { findAnnotatedFields } from '../../../../domain/resource/annotated-fields.ts';
import { type AttributePath, extensions } from '../resource/attributes.ts';
import { findFilterName } from './indexed-attributes.ts';
import type { Filter, FilterValue } from './syntax.ts';

export interface Plan {
  /** Has no more conditions than the filter has comparisons. */
  readonly where: Condition;
  /** The store returns exactly the matching users. */
  readonly isExact: boolean;
}

const exactly = (where: Condition): Plan => ({ where, isExact: true });
const among = (where: Condition): Plan => ({ where, isExact: false });

const join = (path: readonly string[]): string => path.join('.');

const searched: ReadonlySet<string> = new Set(
  findAnnotatedFields(User, 'search').flatMap(({ annotation, path }) =>
    annotation === 'words' ? [join(path)] : [],
  ),
);

/** True if the attribute is in the word index. Attributes have the same names as members of the user. */
function isSearched({ extension, attribute, sub }: AttributePath): boolean {
  const [member] = [...extensions].find(([, { id }]) => id === extension) ?? [];
  if (extension !== undefined && member === undefined) return false;
  return searched.has(join([member, attribute.name, sub?.name].filter((name) => name !== undefined)));
}

function planBeginning(path: AttributePath, text: string): Plan {
  if (foreignCharacter.test(text)) return exactly(nobody);
  const terms = isSearched(path) ? supersetTerms(text) : undefined;
  if (terms === undefined || terms.length === 0) return among(everybody);
  return among(matching({}, terms));
}

function planEquality(path: AttributePath, value: Exclude<FilterValue, null>): Plan {
  const text = String(value);
  // No user has such a text, and stores need not support it.
  if (text === '' || foreignCharacter.test(text)) return exactly(nobody);
  if (path.extension === undefined && path.attribute.name === 'id') return exactly({ id: text });
  const name = findFilterName(path);
  if (name === undefined) return planBeginning(path, text);
  const key = filters[name]?.key(text);
  return exactly(key === undefined ? nobody : { filter: name, key });
}

/** Recursive; `parseFilter` limits the nesting. */
export function planFilter(filter: Filter): Plan {
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
      return operator === 'sw' ? planBeginning(path, String(value)) : among(everybody);
    }
    case 'not':
    case 'present':
      return among(everybody);
  }
}
