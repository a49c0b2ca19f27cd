/** Which items of a list an operation is about. */
import type { AttributePath } from '../attributes.ts';
import { ScimError } from '../errors.ts';
import { matchesItem } from '../filter/matches.ts';
import type { Filter } from '../filter/syntax.ts';
import { type Complex, compact, invalidValue } from '../read-value.ts';
import type { Items } from './items.ts';
import { type Operation, showTarget } from './operation.ts';

const isChosen = (item: Complex, filter: Filter | undefined): boolean =>
  filter === undefined || matchesItem(filter, item);

export const chooseItems = (items: Items, filter: Filter | undefined): ReadonlySet<Complex> =>
  new Set(items.filter((item) => isChosen(item, filter)));

export const noTarget = ({ target }: Operation): ScimError =>
  new ScimError('noTarget', `${showTarget(target)}: the filter finds nothing.`);

/**
 * What a filter says of an item it finds, if it says so in `eq` terms joined by `and`.
 * @returns undefined for any other filter
 */
function termsOf(filter: Filter): readonly [string, unknown][] | undefined {
  if (filter.kind === 'and') {
    const terms = filter.filters.map(termsOf);
    return terms.every((one) => one !== undefined) ? terms.flat() : undefined;
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.value === null) return undefined;
  const { sub } = filter.path;
  return sub === undefined ? undefined : [[sub.name, filter.value]];
}

/**
 * For a filter that finds nothing. RFC 7644 §3.5.2.3 has `noTarget` for that; Entra ID expects an item to be made, so one is where the
 * filter says what it has to be.
 * @returns undefined where the changes ask for nothing but to be without
 * @throws ScimError `noTarget`, also where what is made would not be what the filter is about
 */
export function makeItem(operation: Operation, changes: Complex): Complex | undefined {
  const { filter } = operation.target;
  const terms = filter === undefined ? [] : termsOf(filter);
  if (terms === undefined) throw noTarget(operation);
  const wanted = compact(changes);
  if (wanted === undefined) return undefined;
  const made = { ...Object.fromEntries(terms), ...wanted };
  if (!isChosen(made, filter)) throw noTarget(operation);
  return made;
}

/** Finds the items that have all of these sub-attributes. @throws ScimError `invalidValue` where it has none itself */
export function filterOf(item: Complex, path: AttributePath): Filter {
  const given = path.attribute.subAttributes.filter(({ name }) => (item[name] ?? null) !== null);
  if (given.length === 0) throw invalidValue('each value to remove must say which one is meant.');
  const filters = given.map((sub): Filter => {
    const value = item[sub.name] as string | boolean;
    return { kind: 'compare', path: { ...path, sub }, operator: 'eq', value };
  });
  return { kind: 'and', filters };
}
