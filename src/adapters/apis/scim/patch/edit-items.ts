/** One operation on a list of objects, or on one object (RFC 7644 §3.5.2.1 to 3.5.2.3). */
import type { Test } from '../filter/matches.ts';
import { assertLength, type Complex, compact } from '../resource/read-value.ts';
import { addItems, type Items, mergeItem, takePrimary } from './items.ts';
import type { Operation } from './operation.ts';
import { chooseItems, makeItem, noTarget } from './select-items.ts';

/** Sets sub-attributes of the chosen items, or makes one. */
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
  const made = chosen.size > 0 ? undefined : makeItem(operation, changes);
  if (made !== undefined) all.push(made);
  if (made?.primary === true) claimants.add(made);
  assertLength(all, attribute, attribute.name);
  return takePrimary(all, claimants, attribute);
}

/** Removes the chosen items, or a sub-attribute of each. That a filter finds none is an error here (RFC 7644 §3.12, `noTarget`). */
function removeItems(items: Items, operation: Operation): Items {
  const { finds, target } = operation;
  const { path, sub } = target;
  const chosen = chooseItems(items, finds);
  if (finds !== undefined && chosen.size === 0) throw noTarget(operation);
  return items.flatMap((item) => {
    if (!chosen.has(item)) return [item];
    const rest = sub === undefined ? undefined : mergeItem(item, { [sub.name]: null }, path.attribute);
    return rest === undefined ? [] : [rest];
  });
}

/** That a filter finds none is no error here: there is nothing to be gone. */
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
