/** A change of one field in many resources. */
import { instantOfDay } from 'user-files/days';
import { setAt } from '../change/merge.ts';
import { zoneOf } from '../form/day-control.tsx';
import { isList, type Json, type JsonObject, valueAt } from '../schema/documents.ts';
import { days } from '../schema/kinds.ts';

export interface FieldChange {
  /** Names of members: `enterprise`, `department`. */
  readonly path: readonly string[];
  /** `add` and `remove` are for an item of a list, such as a role. */
  readonly operation: 'set' | 'clear' | 'add' | 'remove';
  /** Ignored for `clear`. A day of `days` becomes an instant in the time zone of each user. */
  readonly value: Json;
  /** The value in words. */
  readonly said?: string;
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
  const end = days[path.join('.')];
  if (operation === 'set')
    return setAt(document, path, (end && instantOfDay(String(value), end, zoneOf(document))) ?? value);
  return setAt(document, path, changedItems(valueAt(document, path), change));
}
