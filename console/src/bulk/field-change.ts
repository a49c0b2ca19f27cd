/** A change of one field in many resources. */
import { setAt } from '../change/merge.ts';
import { isList, type Json, type JsonObject, valueAt } from '../schema/documents.ts';

export interface FieldChange {
  /** Names of members: `enterprise`, `department`. */
  readonly path: readonly string[];
  /** `add` and `remove` are for an item of a list, such as a role. */
  readonly operation: 'set' | 'clear' | 'add' | 'remove';
  /** Ignored for `clear`. */
  readonly value: Json;
}

function changedItems(before: Json | undefined, { operation, value }: FieldChange): Json {
  const items = isList(before) ? before : [];
  if (operation === 'remove') return items.filter((item) => item !== value);
  return items.includes(value) ? items : [...items, value];
}

/** @returns the whole changed resource */
export function applyChange(document: JsonObject, change: FieldChange): JsonObject {
  const { path, operation, value } = change;
  if (operation === 'clear') return setAt(document, path, undefined);
  if (operation === 'set') return setAt(document, path, value);
  return setAt(document, path, changedItems(valueAt(document, path), change));
}
