/** A change of one field, to be made to many resources. */
import { setAt } from '../change/merge.ts';
import { isList, type Json, type JsonObject, valueAt } from '../schema/documents.ts';

export interface FieldChange {
  /** Of members: `enterprise`, `department`. */
  readonly path: readonly string[];
  /** `add` and `remove` are for an item of a list, such as a role. */
  readonly operation: 'set' | 'clear' | 'add' | 'remove';
  /** Of no meaning to `clear`. */
  readonly value: Json;
}

function changedItems(before: Json | undefined, { operation, value }: FieldChange): Json {
  const items = isList(before) ? before : [];
  if (operation === 'remove') return items.filter((item) => item !== value);
  return items.includes(value) ? items : [...items, value];
}

/** @returns as the resource is to be, whole */
export function applyChange(document: JsonObject, change: FieldChange): JsonObject {
  const { path, operation, value } = change;
  if (operation === 'clear') return setAt(document, path, undefined);
  if (operation === 'set') return setAt(document, path, value);
  return setAt(document, path, changedItems(valueAt(document, path), change));
}
