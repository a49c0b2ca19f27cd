/** Lists of objects, such as emails; an attribute that is one object counts as a list of one. Nothing that is passed in is changed. */
import type { Attribute } from '../resource/attributes.ts';
import { assertLength, type Complex, compact, invalidValue } from '../resource/read-value.ts';

export type Items = readonly Complex[];

/**
 * @param changes null removes a sub-attribute
 * @returns undefined where nothing is left, or where it has lost what it can't be without: an email is nothing without its address
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
 * Whoever becomes the primary one takes that from the others (RFC 7644 §3.5.2).
 * @param claimants those of the items that have just become it
 * @throws ScimError `invalidValue` where there are several
 */
export function takePrimary(items: Items, claimants: ReadonlySet<Complex>, { name }: Attribute): Items {
  if (claimants.size === 0) return items;
  if (claimants.size > 1) throw invalidValue(`${name} must have at most one that is primary.`);
  return items.map((item) =>
    item.primary === true && !claimants.has(item) ? { ...item, primary: false } : item,
  );
}

/** The sub-attributes by which two items are the same one (RFC 7643 §2.4: no type and value twice). */
function identityOf({ subAttributes }: Attribute): readonly string[] {
  const names = subAttributes.map(({ name }) => name);
  if (names.includes('name')) return ['name'];
  return names.includes('value') ? ['value', 'type'] : names.filter((name) => name !== 'primary');
}

/** One that is there already isn't doubled, but gets what else is said of it. @throws ScimError `invalidValue` */
export function addItems(items: Items, added: Items, attribute: Attribute): Items {
  const identity = identityOf(attribute);
  const all = [...items];
  const claimants = new Set<Complex>();
  for (const item of added) {
    const index = all.findIndex((one) => identity.every((name) => one[name] === item[name]));
    const whole = index < 0 ? item : { ...all[index], ...item };
    if (index < 0) all.push(whole);
    else all[index] = whole;
    if (item.primary === true) claimants.add(whole);
  }
  assertLength(all, attribute, attribute.name);
  return takePrimary(all, claimants, attribute);
}
