/** Which items of a list an operation is about. */

import type { Test } from '../filter/matches.ts';
import type { Filter } from '../filter/syntax.ts';
import { ScimError } from '../resource/errors.ts';
import { type Complex, compact } from '../resource/read-value.ts';
import type { Items } from './items.ts';
import { type Operation, showTarget } from './operation.ts';

export const chooseItems = (items: Items, finds: Test | undefined): ReadonlySet<Complex> =>
  new Set(finds === undefined ? items : items.filter(finds));

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
  const { finds, target } = operation;
  const { filter } = target;
  const terms = filter === undefined ? [] : termsOf(filter);
  if (terms === undefined) throw noTarget(operation);
  const wanted = compact(changes);
  if (wanted === undefined) return undefined;
  const made = { ...Object.fromEntries(terms), ...wanted };
  if (finds?.(made) === false) throw noTarget(operation);
  return made;
}
