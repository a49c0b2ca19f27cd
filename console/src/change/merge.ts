/** Merges three versions of a resource: the base, another person's version, and mine. */
import {
  dropEmptyMembers,
  isEqual,
  isList,
  isObject,
  type Json,
  type JsonObject,
  memberOf,
} from '../schema/documents.ts';
import { managerPath } from '../schema/kinds.ts';

/** A place where the versions differ. */
export interface Difference {
  readonly path: readonly string[];
  readonly base: Json | undefined;
  readonly theirs: Json | undefined;
  readonly mine: Json | undefined;
  /** Who changed it; for `both`, a person must decide. */
  readonly by: 'theirs' | 'mine' | 'same' | 'both';
  /** The automatic result; for `both` theirs, until a person decides. */
  readonly merged: Json | undefined;
}

/** Lists without repeats, such as roles, are merged item by item. */
const isSet = (value: Json | undefined): value is readonly string[] =>
  value === undefined ||
  (isList(value) && value.every((item) => typeof item === 'string') && new Set(value).size === value.length);

function mergeSets(
  base: readonly string[],
  theirs: readonly string[],
  mine: readonly string[],
): Json | undefined {
  const kept = theirs.filter((item) => mine.includes(item) || !base.includes(item));
  const added = mine.filter((item) => !base.includes(item) && !theirs.includes(item));
  const merged = [...kept, ...added];
  return merged.length > 0 ? merged : undefined;
}

type Versions = readonly [base: Json | undefined, theirs: Json | undefined, mine: Json | undefined];

function compareValues(path: readonly string[], [base, theirs, mine]: Versions): Difference[] {
  const all = { path, base, theirs, mine };
  if (isEqual(theirs, mine)) return isEqual(base, mine) ? [] : [{ ...all, by: 'same', merged: mine }];
  if (isEqual(base, theirs)) return [{ ...all, by: 'mine', merged: mine }];
  if (isEqual(base, mine)) return [{ ...all, by: 'theirs', merged: theirs }];
  const isOfSets = isSet(base) && isSet(theirs) && isSet(mine) && [base, theirs, mine].some(isList);
  if (!isOfSets) return [{ ...all, by: 'both', merged: theirs }];
  return [{ ...all, by: 'same', merged: mergeSets(base ?? [], theirs ?? [], mine ?? []) }];
}

type Groups = readonly [JsonObject | undefined, JsonObject | undefined, JsonObject | undefined];

const areGroups = (versions: Versions): versions is Groups =>
  versions.some(isObject) && versions.every((value) => value === undefined || isObject(value));

/** Objects are compared member by member, other values as a whole, also persons, whose id and name belong together. */
export function compareVersions(versions: Versions, path: readonly string[] = []): readonly Difference[] {
  if (path.join('.') === managerPath || !areGroups(versions)) return compareValues(path, versions);
  const [base, theirs, mine] = versions;
  const names = new Set([base, theirs, mine].flatMap((value) => Object.keys(value ?? {})));
  return [...names].flatMap((name) =>
    compareVersions([memberOf(base, name), memberOf(theirs, name), memberOf(mine, name)], [...path, name]),
  );
}

/** @param value undefined: remove it */
export function setAt(
  object: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: Json | undefined,
): JsonObject {
  const { [name]: _before, ...others } = object;
  const before = memberOf(object, name);
  const inside = rest.length === 0 ? value : setAt(isObject(before) ? before : {}, rest, value);
  if (inside === undefined) return others;
  // In its old place, if it had one.
  return Object.hasOwn(object, name) ? { ...object, [name]: inside } : { ...others, [name]: inside };
}

/** @param decided paths, joined by a slash, where both changed the value and mine wins */
export function mergeVersions(
  theirs: JsonObject,
  differences: readonly Difference[],
  decided: ReadonlySet<string>,
): JsonObject {
  let merged = theirs;
  for (const { path, by, mine, merged: value } of differences)
    merged = setAt(merged, path, by === 'both' && decided.has(path.join('/')) ? mine : value);
  return dropEmptyMembers(merged);
}
