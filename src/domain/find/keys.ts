/**
 * The keys by which stores index resources. Keys made by other rules find nothing, so a store records the rules beside its keys, and
 * reindexes when they are outdated.
 */

import { memberTaken, type ResourceName } from '../base/errors.ts';
import { displayNameVersion, mapDisplayName } from '../group/display-name.ts';
import { Group, type GroupDocument } from '../group/group.ts';
import type { Resource } from '../resource/resource.ts';
import type { Stored } from '../resource/stored.ts';
import type { User } from '../user/user.ts';
import { mappingVersion, mapUserName } from '../user/user-name.ts';
import { type Filter, type FilterName, filterNames, filters, groupFilters } from './filters.ts';
import { searchText, searchTextOf, searchVersion } from './search.ts';
import { groupSortNames, sortKeys, sortNames, sortVersion } from './sorts.ts';

/** `filter` with `key` finds the resource. */
export type FilterKey = readonly [filter: FilterName, key: string];

export interface Keys {
  /** The unique name as mapped. */
  readonly name: string;
  /** Of all filters but those by membership, without duplicates. */
  readonly filters: readonly FilterKey[];
  /** The search text; see search.ts. */
  readonly search: string;
  /** By the name of the sort. */
  readonly sorts: ReadonlyMap<string, string>;
}

/** What stores know of a kind of resource. */
export interface Kind<T extends Resource> {
  readonly name: ResourceName;
  readonly sortNames: readonly string[];
  readonly makeKeys: (resource: T) => Keys;
  /** The error when another resource has the name. */
  readonly nameTaken: () => Error;
}

function keysMaker<T extends Resource>(
  nameOf: (resource: T) => string,
  table: Readonly<Record<string, Filter<T>>>,
  search: (resource: T) => string,
  names: readonly string[],
): (resource: T) => Keys {
  const all = Object.entries(table) as [FilterName, Filter<T>][];
  return (resource) => {
    const pairs: FilterKey[] = [];
    for (const [filter, { keys }] of all)
      for (const key of keys === undefined ? [] : new Set(keys(resource))) pairs.push([filter, key]);
    return {
      name: nameOf(resource),
      filters: pairs,
      search: search(resource),
      sorts: sortKeys(resource, names),
    };
  };
}

/** Of a user. */
export const makeKeys = keysMaker<User>(
  ({ userName }) => mapUserName(userName),
  filters,
  searchText,
  sortNames,
);

export const userKind: Kind<User> = {
  name: 'user',
  sortNames,
  makeKeys,
  nameTaken: () => memberTaken('userName'),
};

export const groupKind: Kind<GroupDocument> = {
  name: 'group',
  sortNames: groupSortNames,
  makeKeys: keysMaker<GroupDocument>(
    ({ displayName }) => mapDisplayName(displayName),
    groupFilters,
    searchTextOf(Group),
    groupSortNames,
  ),
  nameTaken: () => memberTaken('displayName', 'group'),
};

/** A placeholder in the unique index of names, for a resource without a usable name. It never collides: no mapped name has a NUL. */
export const parkedName = (id: string): string => `\0${id}`;

/** For a rebuild: until it is repaired, a resource that can't be read is found only by its id, and comes last in each order. */
export function makeKeysOf<T extends Resource>({ makeKeys }: Kind<T>, id: string, stored: Stored<T>): Keys {
  try {
    return makeKeys(stored.value);
  } catch {
    return { name: parkedName(id), filters: [], search: '', sorts: new Map() };
  }
}

/** A filter and its key as one text. Unambiguous, because no filter's name has a colon. */
export const joinKey = ([filter, key]: readonly [filter: string, key: string]): string => `${filter}:${key}`;

/** Keys depend on the mapping of names, and on the filters, the search and the sorts. */
export interface KeyRules {
  /** Grows with each change of the mapping of userName, or of displayName of groups. */
  readonly mapping: number;
  /** The filters; and the search and each sort, with the version of its rules. */
  readonly indexes: readonly string[];
}

/** The search and the sorts, with the version of their rules. */
export const searchRules: readonly string[] = [
  `search.${searchVersion}`,
  ...sortNames.map((name) => `sort.${name}.${sortVersion}`),
];

/** Those of this release. */
export const keyRules: KeyRules = {
  mapping: mappingVersion + displayNameVersion - 1,
  indexes: [...filterNames, ...searchRules],
};

/** As one text, such as `1 active,email,search.1`. */
export const printKeyRules = ({ mapping, indexes }: KeyRules): string =>
  `${mapping} ${[...indexes].sort().join()}`;

/** @param text from `printKeyRules`; any other gives outdated rules */
export function parseKeyRules(text: string): KeyRules {
  const [mapping, indexes = ''] = text.split(' ');
  return { mapping: Number(mapping), indexes: indexes.split(',') };
}

/**
 * Compares the rules that made stored keys with those of this release:
 * - `current`: the same
 * - `usable`: made for more filters than this release has, or by later rules of a search or a sort. A process of the previous release that
 *   restarts during an upgrade leaves them as they are; its own keys are fewer
 * - `outdated`: reindex before the first query
 * - `newer`: made by a release with an unknown mapping of names; not to be touched
 */
export function compareKeyRules(found: KeyRules): 'current' | 'usable' | 'outdated' | 'newer' {
  if (found.mapping > keyRules.mapping) return 'newer';
  const made = new Map(found.indexes.map(parseIndex));
  const isMade = ([name, version]: Index) => (made.get(name) ?? Number.NEGATIVE_INFINITY) >= version;
  const wanted = keyRules.indexes.map(parseIndex);
  if (found.mapping !== keyRules.mapping || !wanted.every(isMade)) return 'outdated';
  const isSame = made.size === wanted.length && wanted.every(([name, version]) => made.get(name) === version);
  return isSame ? 'current' : 'usable';
}

type Index = readonly [name: string, version: number];

/** `sort.created.2` is the second version of `sort.created`; a filter has none. */
function parseIndex(text: string): Index {
  const [, name, version] = /^(.*)[.](\d+)$/.exec(text) ?? [];
  return name === undefined ? [text, 0] : [name, Number(version)];
}
