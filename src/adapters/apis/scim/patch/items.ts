/** Lists of objects, such as emails; a single object counts as a list of one. Arguments are never modified. */
import type { Attribute, AttributePath } from '../resource/attributes.ts';
import { assertLength, type Complex, compact, invalidValue, showPath } from '../resource/read-value.ts';

export type Items = readonly Complex[];

/** A list of texts keeps no `primary`: for filters, an only text is the primary one. */
export const withPrimary = ({ isTexts }: Attribute, items: Items): Items =>
  isTexts ? items.map(({ value }) => (items.length === 1 ? { value, primary: true } : { value })) : items;

/**
 * @param changes null removes a sub-attribute
 * @returns undefined if nothing is left, or a required sub-attribute was removed, such as an email's address
 */
export function mergeItem(
  item: Complex,
  changes: Complex,
  { subAttributes }: Attribute,
): Complex | undefined {
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
export function takePrimary(items: Items, claimants: ReadonlySet<Complex>, { name }: Attribute): Items {
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
export function addItems(items: Items, added: Items, path: AttributePath): Items {
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
