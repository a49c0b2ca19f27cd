/** Which users have to be looked at for a filter: those that an index can tell. */
import { filters } from '../../../../domain/filters.ts';
import { findMarkedFields } from '../../../../domain/marked-fields.ts';
import { foreignCharacter } from '../../../../domain/schema-validator.ts';
import { supersetTerms } from '../../../../domain/search.ts';
import { User } from '../../../../domain/user.ts';
import { type AttributePath, extensions } from '../resource/attributes.ts';
import { bothOf, eitherOf, everybody, exactly, nobody, type Plan } from './alternatives.ts';
import { findFilterName } from './indexed-attributes.ts';
import type { Filter, FilterValue } from './syntax.ts';

const join = (path: readonly string[]): string => path.join('.');

const searched: ReadonlySet<string> = new Set(
  findMarkedFields(User, 'search').flatMap(({ mark, path }) => (mark === 'words' ? [join(path)] : [])),
);

const membersOfExtensions: ReadonlyMap<string, string> = new Map(
  [...extensions].map(([member, { id }]) => [id, member]),
);

/** By words: as attributes are called, so are the members of our user. */
function isSearched({ extension, attribute, sub }: AttributePath): boolean {
  const member = extension === undefined ? undefined : membersOfExtensions.get(extension);
  if (extension !== undefined && member === undefined) return false;
  return searched.has(join([member, attribute.name, sub?.name].filter((name) => name !== undefined)));
}

function planBeginning(path: AttributePath, text: string): Plan {
  if (foreignCharacter.test(text)) return nobody;
  const terms = isSearched(path) ? supersetTerms(text) : undefined;
  if (terms === undefined || terms.length === 0) return everybody;
  return { alternatives: [{ conditions: { filters: {}, terms } }], isExact: false };
}

function planEquality(path: AttributePath, value: Exclude<FilterValue, null>): Plan {
  const text = String(value);
  // No user has such a text, and a store need not cope with it.
  if (text === '' || foreignCharacter.test(text)) return nobody;
  if (path.extension === undefined && path.attribute.name === 'id') return exactly({ id: text });
  const name = findFilterName(path);
  if (name === undefined) return planBeginning(path, text);
  const key = filters[name].key(text);
  return key === undefined ? nobody : exactly({ conditions: { filters: { [name]: key } } });
}

/** Of any nesting that `parseFilter` lets through. */
export function planFilter(filter: Filter): Plan {
  switch (filter.kind) {
    case 'and':
      return filter.filters.map(planFilter).reduce(bothOf);
    case 'or':
      return eitherOf(filter.filters.map(planFilter));
    case 'items': {
      const plan = planFilter(filter.filter);
      // Of several comparisons each may be true of another item.
      return { ...plan, isExact: plan.isExact && filter.filter.kind === 'compare' };
    }
    case 'compare': {
      const { path, operator, value } = filter;
      if (value !== null && operator === 'eq') return planEquality(path, value);
      return operator === 'sw' ? planBeginning(path, String(value)) : everybody;
    }
    case 'not':
    case 'present':
      return everybody;
  }
}
