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
  noneOf,
} from '../../../../domain/find/conditions.ts';
import { supersetTerms } from '../../../../domain/find/search.ts';
import { rangeKey } from '../../../../domain/find/sorts.ts';
import type { AttributeTypeName } from '../../../../domain/validation/attribute-types.ts';
import { foreignCharacter } from '../../../../domain/validation/schema-validator.ts';
import { type AttributePath, findSub } from '../resource/attributes.ts';
import { isStorable, parseInstant, printInstant } from './instants.ts';
import { keyOf, matches } from './matches.ts';
import type { Comparison, FilterValue, Operator, ScimFilter } from './syntax.ts';

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

type Value = Exclude<FilterValue, null>;

/** The keys of the first value that is not below a given one, and of the first one above it. */
type Bounds = readonly [at: string, above: string];

/** @returns undefined if keys don't tell */
function boundsOf(range: AttributeTypeName, value: Value): Bounds | undefined {
  const instant = range === 'dateTime' ? parseInstant(String(value)) : undefined;
  const key = instant === undefined ? keyOf(range, value) : rangeKey(range, printInstant(instant), 'from');
  if (key === undefined || foreignCharacter.test(key)) return undefined;
  return [key, instant !== undefined && !isStorable(instant) ? key : `${key}!`];
}

const rangeOf = {
  eq: ([from, to]) => ({ from, to }),
  ge: ([from]) => ({ from }),
  gt: ([, from]) => ({ from }),
  le: ([, to]) => ({ to }),
  lt: ([to]) => ({ to }),
} satisfies Partial<Record<Operator, (bounds: Bounds) => object>>;

function planRange({ sort, range }: AttributePath, operator: keyof typeof rangeOf, value: Value): Plan {
  const bounds = range === undefined ? undefined : boundsOf(range, value);
  if (sort === undefined || bounds === undefined) return among(matchAll);
  return exactly({ sort, ...rangeOf[operator](bounds) });
}

function planEquality(path: AttributePath, value: Value): Plan {
  const text = String(value);
  // No resource has such a text, and stores need not support it.
  if (text === '' || foreignCharacter.test(text)) return exactly(matchNone);
  if (path.extension === undefined && path.attribute.name === 'id') return exactly({ id: text });
  const { filter, range } = path;
  if (range === 'dateTime' || (range !== undefined && filter === undefined))
    return planRange(path, 'eq', value);
  if (filter === undefined) return planBeginning(path, text);
  const instant = (path.sub ?? path.attribute).type === 'dateTime' ? parseInstant(text) : undefined;
  if (instant !== undefined && !isStorable(instant)) return exactly(matchNone);
  const key = filter.key(instant === undefined ? text : printInstant(instant));
  return exactly(key === undefined ? matchNone : { filter: filter.name, key });
}

/** An attribute whose `value` is required is present if its `value` is. */
function planPresence(path: AttributePath): Plan {
  const value = path.sub === undefined ? findSub(path, 'value') : undefined;
  const { filter } = value?.sub?.required || path.attribute.isRelation ? (value ?? path) : path;
  return filter === undefined ? among(matchAll) : exactly({ exists: filter.name });
}

/** The resources that the plan doesn't select; of a plan that isn't exact, some of them may match. */
const opposite = ({ where, isExact }: Plan): Plan => (isExact ? exactly(noneOf(where)) : among(matchAll));

function planComparison({ path, operator, value }: Comparison, isWithin: boolean): Plan {
  if (value === null) {
    if (operator === 'ne') return planPresence(path);
    return isWithin ? among(matchAll) : opposite(planPresence(path));
  }
  if (operator === 'eq') return planEquality(path, value);
  if (operator === 'sw') return planBeginning(path, String(value));
  if (operator in rangeOf) return planRange(path, operator as keyof typeof rangeOf, value);
  // In a list, another item may differ.
  const isNegation = operator === 'ne' && !isWithin && !path.attribute.multiValued;
  return isNegation ? opposite(planEquality(path, value)) : among(matchAll);
}

/** The part of a resource at the path, if it is the same in all resources of the type. */
function sameInAll({ isAbsent, constant, attribute, sub }: AttributePath): object | undefined {
  if (isAbsent) return {};
  return constant === undefined ? undefined : { [attribute.name]: { [String(sub?.name)]: constant } };
}

/** Recursive; `parseFilter` limits the nesting. @param isWithin in a filter of items: other items may match its opposite */
export function planFilter(filter: ScimFilter, isWithin = false): Plan {
  const same = 'path' in filter ? sameInAll(filter.path) : undefined;
  if (same !== undefined) return exactly(matches(filter, same) ? matchAll : matchNone);
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const plans = filter.filters.map((one) => planFilter(one, isWithin));
      const wheres = plans.map(({ where }) => where);
      const where = filter.kind === 'and' ? allOf(wheres) : anyOf(wheres);
      return { where, isExact: plans.every(({ isExact }) => isExact) };
    }
    case 'items': {
      const plan = planFilter(filter.filter, true);
      // Several comparisons may match different items.
      const isOne = filter.filter.kind === 'compare' || filter.filter.kind === 'present';
      return { ...plan, isExact: plan.isExact && isOne };
    }
    case 'compare':
      return planComparison(filter, isWithin);
    case 'present':
      return planPresence(filter.path);
    case 'not':
      return isWithin ? among(matchAll) : opposite(planFilter(filter.filter));
  }
}

/** What is left to compare of a resource that the plan selects: of parts joined by `and`, those that the store answers exactly are true. */
export function residualOf(filter: ScimFilter): ScimFilter {
  if (filter.kind !== 'and') return filter;
  const left = filter.filters.filter((part) => !planFilter(part).isExact);
  return { kind: 'and', filters: left.map(residualOf) };
}
