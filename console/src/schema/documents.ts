/** Compares and merges resources as JSON, without knowledge of their fields. */
export type Json = string | number | boolean | null | JsonList | JsonObject;
type JsonList = readonly Json[];
export interface JsonObject {
  readonly [name: string]: Json;
}

export const isList = (value: Json | undefined): value is JsonList => Array.isArray(value);
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Empty means absent, as for the service. */
export function dropEmpty(value: Json): Json | undefined {
  if (value === null || value === '') return undefined;
  if (isList(value)) {
    const items = value.map(dropEmpty).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
    const kept = dropEmpty(member);
    return kept === undefined ? [] : [[name, kept]];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

export function dropEmptyMembers(document: JsonObject): JsonObject {
  const kept = dropEmpty(document);
  return isObject(kept) ? kept : {};
}

/** Attributes may have the name of an inherited member of every object, such as `constructor`. */
export const memberOf = (object: JsonObject | undefined, name: string): Json | undefined =>
  object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;

/** In one line: the value of an item, such as an email address; of other objects all values but their type: `Paris, FR`. */
export function printBriefly(value: Json): string {
  if (isList(value)) return value.map(printBriefly).filter(Boolean).join(', ');
  if (typeof value === 'boolean') return '';
  // A photo may be long.
  if (!isObject(value)) return String(value).slice(0, 100);
  if (typeof value.value === 'string') return printBriefly(value.value);
  return printBriefly(Object.entries(value).flatMap(([name, member]) => (name === 'type' ? [] : [member])));
}

/** In one line: `room: B 12, team: red`. */
export const describeMap = (map: JsonObject): string =>
  Object.entries(map)
    .map(([name, text]) => `${name}: ${text}`)
    .join(', ');

/** @param path of members: `enterprise`, `department` */
export function valueAt(document: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = document;
  for (const name of path) value = isObject(value) ? memberOf(value, name) : undefined;
  return value;
}

/** Empty means absent. */
export const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  isEqual(dropEmpty(one ?? null), dropEmpty(other ?? null));

/** @param one without empty values, like the other */
export function isEqual(one: Json | undefined, other: Json | undefined): boolean {
  if (isList(one) && isList(other))
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].every((name) => isEqual(memberOf(one, name), memberOf(other, name)));
  }
  return one === other;
}

/** A segment of a JSON pointer. */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const unescapePointer = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

/** The names in a JSON pointer (RFC 6901). */
export const readPointer = (pointer: string): readonly string[] =>
  pointer.split('/').slice(1).map(unescapePointer);

/** A JSON pointer (RFC 6901). */
export const printPointer = (path: readonly string[]): string => `/${path.map(escapePointer).join('/')}`;
