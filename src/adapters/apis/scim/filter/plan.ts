/**
 * Which users a store is asked for, so that a filter's users are among them: what an index tells becomes a condition of the store, and
 * what it can't tell matches everybody there. Such a plan isn't exact, and each user is compared with the whole filter.
 */

import { foreignCharacter } from '../../../../domain/base/schema-validator.ts';
import {
  allOf,
  anyOf,
  type Condition,
  everybody,
  matching,
  nobody,
} from '../../../../domain/find/conditions.ts';
import { filters } from '../../../../domain/find/filters.ts';
import { supersetTerms } from '../../../../domain/find/search.ts';
import { findAnnotatedFields } from '../../../../domain/user/annotated-fields.ts';
import { User } from '../../../../domain/user/user.ts';
import { type AttributePath, extensions } from '../resource/attributes.ts';
import { findFilterName } from './indexed-attributes.ts';
import type { Filter, FilterValue } from './syntax.ts';

export interface Plan {
  /** Has at most as many conditions as the filter has comparisons. */
  readonly where: Condition;
  /** The users that the store finds match, and no others do. */
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

/** By words: as attributes are called, so are the members of our user. */
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
  // No user has such a text, and a store need not cope with it.
  if (text === '' || foreignCharacter.test(text)) return exactly(nobody);
  // A damaged user has an id too, and matches no filter.
  if (path.extension === undefined && path.attribute.name === 'id') return among({ id: text });
  const name = findFilterName(path);
  if (name === undefined) return planBeginning(path, text);
  const key = filters[name].key(text);
  return exactly(key === undefined ? nobody : { filter: name, key });
}

/** Of any nesting that `parseFilter` lets through. */
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
      // Of several comparisons each may be true of another item.
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
