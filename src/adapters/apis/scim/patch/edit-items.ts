/** One operation on a list of objects, or on one object (RFC 7644 §3.5.2.1 to 3.5.2.3). */
import { assertLength, type Complex, compact } from '../read-value.ts';
import { addItems, type Items, mergeItem, takePrimary } from './items.ts';
import type { Operation } from './operation.ts';
import { chooseItems, filterOf, makeItem, noTarget } from './select-items.ts';

/** Sets sub-attributes of the chosen items, or makes one. */
function changeItems(items: Items, changes: Complex, operation: Operation): Items {
  const { path, filter } = operation.target;
  const { attribute } = path;
  const chosen = chooseItems(items, filter);
  const claimants = new Set<Complex>();
  const all = items.flatMap((item) => {
    const merged = chosen.has(item) ? mergeItem(item, changes, attribute) : item;
    if (merged === undefined) return [];
    if (chosen.has(item) && changes.primary === true) claimants.add(merged);
    return [merged];
  });
  const made = chosen.size > 0 ? undefined : makeItem(operation, changes);
  if (made !== undefined) all.push(made);
  if (made?.primary === true) claimants.add(made);
  assertLength(all, attribute, attribute.name);
  return takePrimary(all, claimants, attribute);
}

/** Removes the chosen items, or a sub-attribute of each. That a filter finds none is an error here (RFC 7644 §3.12, `noTarget`). */
function removeItems(items: Items, operation: Operation): Items {
  const { path, filter, sub } = operation.target;
  const chosen = chooseItems(items, filter);
  if (filter !== undefined && chosen.size === 0) throw noTarget(operation);
  return items.flatMap((item) => {
    if (!chosen.has(item)) return [item];
    const rest = sub === undefined ? undefined : mergeItem(item, { [sub.name]: null }, path.attribute);
    return rest === undefined ? [] : [rest];
  });
}

/** Those that are like one of the listed; where none is, they are gone already. */
function removeListed(items: Items, { target }: Operation, listed: Items): Items {
  const filters = listed.map((item) => filterOf(item, target.path));
  const chosen = chooseItems(items, { kind: 'or', filters });
  return items.filter((item) => !chosen.has(item));
}

function remove(items: Items, operation: Operation): Items {
  const listed = operation.value as Items | null;
  return listed === null ? removeItems(items, operation) : removeListed(items, operation, listed);
}

/** @throws ScimError `noTarget`, `invalidValue` */
export function editItems(items: Items, operation: Operation): Items {
  const { op, target, value } = operation;
  const { path, filter, sub } = target;
  if (op === 'remove') return remove(items, operation);
  if (sub !== undefined) return changeItems(items, { [sub.name]: value }, operation);
  if (filter === undefined && path.attribute.multiValued) {
    const given = (compact(value) ?? []) as Items;
    return op === 'add' ? addItems(items, given, path.attribute) : given;
  }
  if (value !== null) return changeItems(items, value as Complex, operation);
  const chosen = chooseItems(items, filter);
  return items.filter((item) => !chosen.has(item));
}
