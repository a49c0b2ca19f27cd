/** Applies one operation to a list of objects, or to one object (RFC 7644 §3.5.2.1 to 3.5.2.3). */
import type { Test } from '../filter/matches.ts';
import type { Filter } from '../filter/syntax.ts';
import { ScimError } from '../resource/errors.ts';
import { assertLength, type Complex, compact } from '../resource/read-value.ts';
import { addItems, type Items, mergeItem, takePrimary } from './items.ts';
import { type Operation, showTarget } from './operation.ts';

const chooseItems = (items: Items, finds: Test | undefined): ReadonlySet<Complex> =>
  new Set(finds === undefined ? items : items.filter(finds));

/**
 * The sub-attributes that a filter requires, if it consists of `eq` comparisons joined by `and`.
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

/** The filter asks for what a list of texts doesn't keep. */
const asksUnkept = ({ target: { path, filter } }: Operation): boolean =>
  path.attribute.isTexts === true &&
  filter !== undefined &&
  termsOf(filter)?.some(([name]) => name !== 'value') === true;

function noTarget(operation: Operation, items: Items): ScimError {
  const { name } = operation.target.path.attribute;
  const reason = asksUnkept(operation)
    ? `the service keeps only the values of ${name}, and there are ${items.length}. Let the identity provider send all ${name} (Entra ID: map AppRoleAssignmentsComplex to ${name})`
    : 'the filter finds nothing';
  return new ScimError('noTarget', `${showTarget(operation.target)}: ${reason}.`);
}

/**
 * Creates an item if the filter matches none. RFC 7644 §3.5.2.3 requires `noTarget`, but Entra ID expects a new item; one is created if the
 * filter determines it.
 * @returns undefined if the changes have no values
 * @throws ScimError `noTarget`, also if the new item would not match the filter
 */
function makeItem(items: Items, changes: Complex, operation: Operation): Complex | undefined {
  const { finds, target } = operation;
  const { filter } = target;
  const terms = filter === undefined ? [] : termsOf(filter);
  if (terms === undefined || (items.length > 0 && asksUnkept(operation))) throw noTarget(operation, items);
  const wanted = compact(changes);
  if (wanted === undefined) return undefined;
  const made = { ...Object.fromEntries(terms), ...wanted };
  if (finds?.(made) === false) throw noTarget(operation, items);
  return made;
}

/** Sets sub-attributes of the selected items, or creates one. */
function changeItems(items: Items, changes: Complex, operation: Operation): Items {
  const { finds, target } = operation;
  const { attribute } = target.path;
  const chosen = chooseItems(items, finds);
  const claimants = new Set<Complex>();
  const all = items.flatMap((item) => {
    const merged = chosen.has(item) ? mergeItem(item, changes, attribute) : item;
    if (merged === undefined) return [];
    if (chosen.has(item) && changes.primary === true) claimants.add(merged);
    return [merged];
  });
  const made = chosen.size > 0 ? undefined : makeItem(items, changes, operation);
  if (made !== undefined) all.push(made);
  if (made?.primary === true) claimants.add(made);
  assertLength(all, attribute, attribute.name);
  return takePrimary(all, claimants, attribute);
}

/** Removes the selected items, or a sub-attribute of each. A filter without matches is an error (RFC 7644 §3.12, `noTarget`). */
function removeItems(items: Items, operation: Operation): Items {
  const { finds, target } = operation;
  const { path, sub } = target;
  const chosen = chooseItems(items, finds);
  if (finds !== undefined && chosen.size === 0) throw noTarget(operation, items);
  return items.flatMap((item) => {
    if (!chosen.has(item)) return [item];
    const rest = sub === undefined ? undefined : mergeItem(item, { [sub.name]: null }, path.attribute);
    return rest === undefined ? [] : [rest];
  });
}

/** A filter without matches is not an error: there is nothing to remove. */
function removeAll(items: Items, finds: Test | undefined): Items {
  const chosen = chooseItems(items, finds);
  return items.filter((item) => !chosen.has(item));
}

/** @throws ScimError `noTarget`, `invalidValue` */
export function editItems(items: Items, operation: Operation): Items {
  const { op, target, value, finds, listed } = operation;
  const { path, sub } = target;
  if (op === 'remove') return listed === undefined ? removeItems(items, operation) : removeAll(items, listed);
  if (sub !== undefined) return changeItems(items, { [sub.name]: value }, operation);
  if (finds === undefined && path.attribute.multiValued) {
    const given = (compact(value) ?? []) as Items;
    return addItems(op === 'add' ? items : [], given, path);
  }
  return value === null ? removeAll(items, finds) : changeItems(items, value as Complex, operation);
}
