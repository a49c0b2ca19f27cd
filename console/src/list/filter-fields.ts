/** Names of the filters of a list, and the field that each compares. */
import type { Comparison } from '../schema/comparisons.ts';
import { attributeOf, endOf, takes } from '../schema/filters.ts';
import type { FilterName, KindName } from '../schema/kinds.ts';
import { wordsOf } from '../schema/words.ts';
import { texts } from '../texts/texts.ts';

/** Filters whose name differs from the field: an item of a list, or a member of an object. */
const paths: Readonly<Partial<Record<FilterName, string>>> = {
  email: 'emails',
  role: 'roles',
  department: 'enterprise.department',
  manager: 'enterprise.manager',
  costCenter: 'enterprise.costCenter',
  employeeNumber: 'enterprise.employeeNumber',
  city: 'addresses.locality',
};

export function labelOfFilter(kind: KindName, name: FilterName): string {
  const own = texts.list.filters[name];
  if (own !== undefined) return own;
  const field = attributeOf(name);
  if (field !== undefined) return texts.list.ends[endOf(name) ?? '']?.(field.label) ?? field.label;
  const { label, item } = wordsOf(kind, paths[name] ?? name, '');
  return name === 'email' || name === 'role' ? item : label;
}

/** `Department`, `Department is not`, `Department is empty`. */
export function labelOfComparison(kind: KindName, name: FilterName, comparison: Comparison): string {
  const label = labelOfFilter(kind, name);
  if (comparison === 'is') return label;
  const { comparisons, compared, filters } = texts.list;
  return filters[`${name} ${comparison}`] ?? compared(label, comparisons[comparison]);
}

/** Fields whose values many users share, so that offering values makes sense. */
const shared: readonly FilterName[] = ['department', 'userType', 'role', 'title', 'costCenter'];

/** @returns the path of the field; undefined where values are not offered */
export const suggestedBy = (name: FilterName): readonly string[] | undefined =>
  shared.includes(name) || (takes(name) === 'text' && attributeOf(name)?.kind === 'text')
    ? (paths[name] ?? name).split('.')
    : undefined;
