/**
 * The keys by which stores index a user. Keys made by other rules find nobody, so a store records the rules beside its keys, and
 * reindexes when they are outdated.
 */

import type { StoredUser } from '../user/stored-user.ts';
import type { User } from '../user/user.ts';
import { mappingVersion, mapUserName } from '../user/user-name.ts';
import { type FilterName, filterNames, filters } from './filters.ts';
import { searchText, searchVersion } from './search.ts';
import { sortKeys, sortNames, sortVersion } from './sorts.ts';

/** The user is found by `filter` when `key` is asked for. */
export type FilterKey = readonly [filter: FilterName, key: string];

export interface UserKeys {
  /** The userName as mapped: unique. */
  readonly name: string;
  /** Of every filter, each pair once. */
  readonly filters: readonly FilterKey[];
  /** What a search finds the user by; see search.ts. */
  readonly search: string;
  /** By the name of the sort. */
  readonly sorts: ReadonlyMap<string, string>;
}

export function makeKeys(user: User): UserKeys {
  const pairs: FilterKey[] = [];
  for (const filter of filterNames) {
    for (const key of new Set(filters[filter].keys(user))) pairs.push([filter, key]);
  }
  return {
    name: mapUserName(user.userName),
    filters: pairs,
    search: searchText(user),
    sorts: sortKeys(user),
  };
}

/** A placeholder in the unique index of names, for a user without a usable name. It never collides: no mapped name has a NUL. */
export const parkedName = (id: string): string => `\0${id}`;

/** Of what lies in a store already: a damaged user is found by its id only, and comes last in each order, until it is mended. */
export const makeKeysOfStored = (stored: StoredUser): UserKeys =>
  stored.isDamaged
    ? { name: parkedName(stored.id), filters: [], search: '', sorts: new Map() }
    : makeKeys(stored.user);

/** A filter and its key as one text. Unambiguous, because no filter's name has a colon. */
export const joinKey = ([filter, key]: readonly [filter: string, key: string]): string => `${filter}:${key}`;

/** Keys depend on the mapping of names and on what there is to be found by. */
export interface KeyRules {
  readonly mapping: number;
  /** The filters; and the search and each sort, with the version of its rules. */
  readonly indexes: readonly string[];
}

/** What is made by other rules than the names of filters say, with the version of those rules. */
export const searchRules: readonly string[] = [
  `search.${searchVersion}`,
  ...sortNames.map((name) => `sort.${name}.${sortVersion}`),
];

/** Those of this release. */
export const keyRules: KeyRules = {
  mapping: mappingVersion,
  indexes: [...filterNames, ...searchRules],
};

/** As one text, such as `1 active,email,search.1`. */
export const printKeyRules = ({ mapping, indexes }: KeyRules): string =>
  `${mapping} ${[...indexes].sort().join()}`;

/** @param text what `printKeyRules` gave; of any other, rules that are outdated */
export function parseKeyRules(text: string): KeyRules {
  const [mapping, indexes = ''] = text.split(' ');
  return { mapping: Number(mapping), indexes: indexes.split(',') };
}

/**
 * Compares the rules that made stored keys with those of this release:
 * - `current`: the same
 * - `usable`: made for more than this release looks for, or by later rules of a search or a sort. So a process of the release before, started again during an upgrade, can
 *   leave them as they are; the keys that it makes itself are fewer
 * - `outdated`: reindex before anything is looked up
 * - `newer`: made by a release that maps names in a way unknown here; not to be touched
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
