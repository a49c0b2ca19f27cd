/** Names of the filters of a list, and the field that each compares. */
import type { FilterName, KindName } from '../schema/kinds.ts';
import { wordsOf } from '../schema/words.ts';
import { texts } from '../texts/texts.ts';

/** Filters whose name differs from the field: an item of a list, or a member of an object. */
const paths: Readonly<Partial<Record<FilterName, string>>> = {
  email: 'emails',
  role: 'roles',
  department: 'enterprise.department',
  manager: 'enterprise.manager',
};

export function labelOfFilter(kind: KindName, name: FilterName): string {
  const own = texts.list.filters[name];
  if (own !== undefined) return own;
  const { label, item } = wordsOf(kind, paths[name] ?? name, '');
  return name === 'email' || name === 'role' ? item : label;
}

/** Fields whose values many users share, so that offering values makes sense. */
const shared: readonly FilterName[] = ['department', 'userType', 'role'];

/** @returns the path of the field; undefined where values are not offered */
export const suggestedBy = (name: FilterName): readonly string[] | undefined =>
  shared.includes(name) ? (paths[name] ?? name).split('.') : undefined;
