/** Plans, and how they are put together. */
import type { FilterName } from '../../../../domain/filters.ts';
import type { Conditions } from '../../../../domain/ports.ts';
import { maxTerms } from '../../../../domain/search.ts';
import { singleFilters } from './indexed-attributes.ts';

/** Users that a store finds at once. */
export type Alternative = { readonly id: string } | { readonly conditions: Conditions };

export interface Plan {
  /** Whoever matches the filter is in one of them or in several. At most `maxAlternatives`. */
  readonly alternatives: readonly Alternative[];
  /** Each user in them matches: then there is one of them at most, so that a store can count them. */
  readonly isExact: boolean;
}

export const maxAlternatives = 64;

export const nobody: Plan = { alternatives: [], isExact: true };
export const everybody: Plan = { alternatives: [{ conditions: { filters: {} } }], isExact: false };
export const exactly = (alternative: Alternative): Plan => ({ alternatives: [alternative], isExact: true });

const isEverybody = (alternative: Alternative): boolean =>
  'conditions' in alternative &&
  Object.keys(alternative.conditions.filters).length === 0 &&
  (alternative.conditions.terms ?? []).length === 0;

function planOf(alternatives: readonly Alternative[], isExact: boolean): Plan {
  if (alternatives.some(isEverybody)) return everybody;
  const different = new Map(alternatives.map((alternative) => [JSON.stringify(alternative), alternative]));
  if (different.size > maxAlternatives) return everybody;
  return { alternatives: [...different.values()], isExact: isExact && different.size <= 1 };
}

/** Undefined where nobody can be both. `isExact`: nothing of them had to be left out. */
interface Merged {
  readonly alternative: Alternative | undefined;
  readonly isExact: boolean;
}

function mergeConditions(one: Conditions, other: Conditions): Merged {
  const filters = new Map(Object.entries(one.filters) as [FilterName, string][]);
  let isExact = true;
  for (const [name, key] of Object.entries(other.filters) as [FilterName, string][]) {
    const known = filters.get(name);
    if (known === undefined) filters.set(name, key);
    else if (known !== key && singleFilters.has(name)) return { alternative: undefined, isExact: true };
    // A user may have both addresses, and one query asks for one.
    else if (known !== key) isExact = false;
  }
  const terms = [...(one.terms ?? []), ...(other.terms ?? [])].slice(0, maxTerms);
  const conditions = { filters: Object.fromEntries(filters), ...(terms.length === 0 ? {} : { terms }) };
  return { alternative: { conditions }, isExact };
}

function merge(one: Alternative, other: Alternative): Merged {
  if (!('id' in one))
    return 'id' in other ? merge(other, one) : mergeConditions(one.conditions, other.conditions);
  if (!('id' in other)) return { alternative: one, isExact: isEverybody(other) };
  return { alternative: one.id === other.id ? one : undefined, isExact: true };
}

export function bothOf(one: Plan, other: Plan): Plan {
  const [fewer, more] = one.alternatives.length <= other.alternatives.length ? [one, other] : [other, one];
  // Too many to put together: those of one of them are enough, since each user is verified.
  if (fewer.alternatives.length * more.alternatives.length > maxAlternatives)
    return { ...fewer, isExact: false };
  const merged = fewer.alternatives.flatMap((left) => more.alternatives.map((right) => merge(left, right)));
  const alternatives = merged.flatMap(({ alternative }) => alternative ?? []);
  const isExact = one.isExact && other.isExact && merged.every((each) => each.isExact);
  return alternatives.length === 0 ? nobody : planOf(alternatives, isExact);
}

export const eitherOf = (plans: readonly Plan[]): Plan =>
  planOf(
    plans.flatMap(({ alternatives }) => alternatives),
    plans.every(({ isExact }) => isExact),
  );
