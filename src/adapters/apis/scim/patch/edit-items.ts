/**
 * Applies one operation to a list of objects, or to one object, which counts as a list of one (RFC 7644 §3.5.2.1 to 3.5.2.3). Arguments are
 * never modified.
 */
import type { PatchPath, ScimFilter } from '../filter/syntax.ts';
import { type Attribute, type AttributePath, showPath } from '../resource/attributes.ts';
import { ScimError } from '../resource/errors.ts';
import { assertLength, type Complex, compact, invalidValue } from '../resource/read-value.ts';
import { type PatchOperation, showTarget } from './operation.ts';

export type Items = readonly Complex[];

/** The items that an operation selects. */
type Chosen = ReadonlySet<Complex>;

/** A list of texts keeps no `primary`: filters treat a single text as the primary one. */
export const withPrimary = ({ isTexts }: Attribute, items: Items): Items =>
  isTexts ? items.map(({ value }) => (items.length === 1 ? { value, primary: true } : { value })) : items;

/**
 * @param changes null removes a sub-attribute
 * @returns undefined if nothing is left, or a required sub-attribute was removed, such as an email's address
 */
function mergeItem(item: Complex, changes: Complex, { subAttributes }: Attribute): Complex | undefined {
  const merged = { ...item, ...changes };
  if (!Object.values(changes).includes(null)) return merged;
  const isLost = subAttributes.some(({ name, required }) => required && merged[name] === null);
  return isLost ? undefined : (compact(merged) as Complex | undefined);
}

/**
 * A new primary item replaces the previous one (RFC 7644 §3.5.2).
 * @param claimants the items that have just become primary
 * @throws ScimError `invalidValue` for more than one
 */
function takePrimary(items: Items, claimants: ReadonlySet<Complex>, { name }: Attribute): Items {
  if (claimants.size === 0) return items;
  if (claimants.size > 1) throw invalidValue(`${name} must have at most one that is primary.`);
  return items.map((item) =>
    item.primary === true && !claimants.has(item) ? { ...item, primary: false } : item,
  );
}

/** The sub-attributes that identify an item (RFC 7643 §2.4: no duplicate pair of type and value). */
function identityOf({ subAttributes }: Attribute): readonly string[] {
  const names = subAttributes.map(({ name }) => name);
  if (names.includes('name')) return ['name'];
  return names.includes('value') ? ['value', 'type'] : names.filter((name) => name !== 'primary');
}

/**
 * Merges an added item with an identical existing one.
 * @throws ScimError `invalidValue`, also for two added items with the same name, whose values contradict each other
 */
function addItems(items: Items, added: Items, path: AttributePath): Items {
  const { attribute } = path;
  const identity = identityOf(attribute);
  const keyOf = (item: Complex): string => JSON.stringify(identity.map((name) => item[name] ?? null));
  if (identity.includes('name') && new Set(added.map(keyOf)).size < added.length)
    throw invalidValue(`${showPath({ ...path, sub: undefined })} must not have two values of one name.`);
  // Of identical existing items, the first counts.
  const places = new Map(items.map((item, index) => [keyOf(item), index] as const).toReversed());
  const all = [...items];
  const claimed = new Set<number>();
  for (const item of added) {
    const index = places.get(keyOf(item)) ?? all.length;
    places.set(keyOf(item), index);
    all[index] = { ...all[index], ...item };
    if (item.primary === true) claimed.add(index);
  }
  assertLength(all, attribute, attribute.name);
  const claimants = all.filter((item, index) => claimed.has(index) && item.primary === true);
  return takePrimary(all, new Set(claimants), attribute);
}

/**
 * The sub-attributes that a filter requires, if it consists of `eq` comparisons joined by `and`.
 * @returns undefined for any other filter
 */
export function termsOf(filter: ScimFilter): readonly [string, unknown][] | undefined {
  if (filter.kind === 'and') {
    const terms = filter.filters.map(termsOf);
    return terms.every((one) => one !== undefined) ? terms.flat() : undefined;
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || filter.value === null) return undefined;
  const { sub } = filter.path;
  return sub === undefined ? undefined : [[sub.name, filter.value]];
}

/** The filter asks for sub-attributes that a list of texts doesn't keep. */
const asksUnkept = ({ target: { path, filter } }: PatchOperation): boolean =>
  path.attribute.isTexts === true &&
  filter !== undefined &&
  termsOf(filter)?.some(([name]) => name !== 'value') === true;

function noTarget(operation: PatchOperation, items: Items): ScimError {
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
function makeItem(items: Items, changes: Complex, operation: PatchOperation): Complex | undefined {
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
function changeItems(items: Items, chosen: Chosen, changes: Complex, operation: PatchOperation): Items {
  const { attribute } = operation.target.path;
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

/** Removes the selected items, or a sub-attribute of each. */
const removeItems = (items: Items, chosen: Chosen, { path, sub }: PatchPath): Items =>
  items.flatMap((item) => {
    if (!chosen.has(item)) return [item];
    const rest = sub === undefined ? undefined : mergeItem(item, { [sub.name]: null }, path.attribute);
    return rest === undefined ? [] : [rest];
  });

/** @throws ScimError `invalidValue`; `noTarget` for a filter in a path without matches (RFC 7644 §3.12), unless an item is made or all go */
export function editItems(items: Items, operation: PatchOperation): Items {
  const { op, target, value, finds, listed } = operation;
  const { path, sub } = target;
  const test = listed ?? finds;
  const chosen = new Set(test === undefined ? items : items.filter(test));
  if (op === 'remove' && finds !== undefined && chosen.size === 0) throw noTarget(operation, items);
  if (op === 'remove') return removeItems(items, chosen, target);
  if (sub !== undefined) return changeItems(items, chosen, { [sub.name]: value }, operation);
  if (finds === undefined && path.attribute.multiValued) {
    const given = (compact(value) ?? []) as Items;
    return addItems(op === 'add' ? items : [], given, path);
  }
  if (value === null) return removeItems(items, chosen, target);
  return changeItems(items, chosen, value as Complex, operation);
}
