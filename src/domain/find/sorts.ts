/** The orders of lists besides the order of ids: one for each field with the annotation `sort`. */
import { type AnnotatedField, textsAt, valueAt } from '../resource/annotations.ts';
import type { Resource } from '../resource/resource.ts';
import { fold } from '../unicode/folding.ts';
import { type AttributeTypeName, attributeKeys, attributeTypes } from '../validation/attribute-types.ts';
import { canonicalDate } from '../validation/plain-values.ts';

/** Raise it with any change of the keys that `sortKeyAt` returns: stores then rebuild theirs. */
export const sortVersion = 2;

/**
 * The sort by the next instant at which time changes a resource. Only the service asks for it, with a range of it: a store may have no place in
 * this order for resources that time does not change.
 */
export const nextAtSort = 'nextAt';

/** In code points. Later characters are ignored: a cursor contains a key and must fit into a URL. */
const maxKeyLength = 128;

/** The order of a list. Ties are in the order of the ids, which `descending` reverses as well. */
export interface Sort {
  /** One of the kind's sorts; omitted: by id only. */
  readonly by?: string | undefined;
  readonly descending?: boolean | undefined;
}

/** A place in a list: the place of a resource with this key and id, whether or not it exists. */
export interface Position {
  readonly id: string;
  /** Left out in lists by id, and for resources without a value, which come last in both directions. */
  readonly key?: string | undefined;
}

/** A place in a list, or the end of the list. */
export type Place = Position | 'end';

/** @returns undefined when nothing is left of the text */
export function toSortKey(text: string): string | undefined {
  const folded = fold(text);
  const key = folded.length <= maxKeyLength ? folded : Array.from(folded).slice(0, maxKeyLength).join('');
  return key === '' ? undefined : key;
}

/** @returns the key, to be compared by code points; undefined without a value */
export function sortKeyAt(resource: Resource, { path, typed }: AnnotatedField): string | undefined {
  if (typed !== undefined && typed !== 'string') return attributeKeys(typed, valueAt(resource, path))[0];
  const [text] = textsAt(resource, path);
  return text === undefined ? undefined : toSortKey(text);
}

/** The type of a field's ends, as in `created.from` and `created.to`; undefined for a field without ranges. */
export function rangeTypeOf({ isInstant, typed }: AnnotatedField): AttributeTypeName | undefined {
  if (isInstant) return 'dateTime';
  return typed !== undefined && attributeTypes[typed].isOrdered ? typed : undefined;
}

/**
 * The key of an end of a range: of its first value or, with `to`, of the first one behind it. Ranges of instants end before `to`, all others
 * with it. @returns undefined for a text that is no value of the type
 */
export function rangeKey(type: AttributeTypeName, text: string, end: 'from' | 'to'): string | undefined {
  if (type === 'dateTime') {
    const date = canonicalDate(text, true);
    return date === undefined ? undefined : toSortKey(date);
  }
  const [key] = attributeTypes[type].read(text) === undefined ? [] : attributeKeys(type, text);
  return key === undefined || end === 'from' ? key : `${key}!`;
}

/** Below zero when `one` comes first by code points, as in UTF-8 and MongoDB. JavaScript's own order is by UTF-16 code units. */
export function compareCodePoints(one: string, other: string): number {
  if (one === other) return 0;
  if (!(beyondSurrogates.test(one) && beyondSurrogates.test(other))) return one < other ? -1 : 1;
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Without a character in this range, the two orders are the same. */
const beyondSurrogates = /[\ud800-\uffff]/;

/** The order of a list, for sorting: below zero when `one` comes first. */
export function comparePositions(one: Position, other: Position, { descending = false }: Sort = {}): number {
  if ((one.key === undefined) !== (other.key === undefined)) return one.key === undefined ? 1 : -1;
  const order = compareCodePoints(one.key ?? '', other.key ?? '') || compareCodePoints(one.id, other.id);
  return descending ? -order : order;
}
