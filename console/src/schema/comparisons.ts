/** How a filter compares, and the parameter that asks for it: `manager=…`, `manager.not=…`, `manager.exists=false`. */
import { endOf, takes } from './filters.ts';
import { type FilterName, type FilterParameter, isDay, isFlag, type KindName, kinds } from './kinds.ts';

export type Comparison = 'is' | 'in' | 'not' | 'empty' | 'present';

/** A filter of a list. */
export interface Filter {
  readonly name: FilterName;
  readonly comparison: Comparison;
  readonly parameter: FilterParameter;
  /** Several only of `in`. */
  readonly values: readonly string[];
}

/** The values of comparisons that take none from a person. */
export const fixedValues: Readonly<Partial<Record<Comparison, string>>> = { empty: 'false', present: 'true' };

/** The opposite of an end of a range or of a flag is another value of it, but a declared flag may have no value. A unique name is never empty. */
export function comparisonsOf(kind: KindName, name: FilterName): readonly Comparison[] {
  if (isDay(name) || isFlag(name) || endOf(name) !== undefined) return ['is'];
  const taken = takes(name);
  if (taken === 'flag' || taken === 'day')
    return taken === 'flag' ? ['is', 'empty', 'present'] : ['empty', 'present'];
  return name === kinds[kind].uniqueName ? ['is', 'in', 'not'] : ['is', 'in', 'not', 'empty', 'present'];
}

export function parameterOf(name: FilterName, comparison: Comparison): FilterParameter {
  if (comparison === 'is') return name;
  return `${name}.${fixedValues[comparison] === undefined ? comparison : 'exists'}` as FilterParameter;
}

/** The filters among parameters. @param find empty or missing: no filter */
export const filtersAmong = (
  kind: KindName,
  names: readonly FilterName[],
  find: (parameter: FilterParameter) => string | readonly string[] | undefined,
): readonly Filter[] =>
  names.flatMap((name) =>
    comparisonsOf(kind, name).flatMap((comparison) => {
      const parameter = parameterOf(name, comparison);
      const fixed = fixedValues[comparison];
      const found = [find(parameter) ?? []]
        .flat()
        .filter((value) => value !== '' && value === (fixed ?? value));
      const values = comparison === 'in' ? found : found.slice(0, 1);
      return values.length > 0 ? [{ name, comparison, parameter, values }] : [];
    }),
  );
