/**
 * What stores index of a user, and by which rules. Keys that other rules made find nobody, so a store notes beside its keys the rules
 * that made them, and makes anew those that are outdated.
 */
import { type FilterName, filterNames, filters } from './filters.ts';
import type { StoredUser } from './stored-user.ts';
import type { User } from './user.ts';
import { mappingVersion, mapUserName } from './user-name.ts';

/** The user is found by `filter` when `key` is asked for. */
export type FilterKey = readonly [filter: FilterName, key: string];

export interface UserKeys {
  /** The userName as mapped: unique. */
  readonly name: string;
  /** Of every filter, each pair once. */
  readonly filters: readonly FilterKey[];
}

export function makeKeys(user: User): UserKeys {
  const pairs: FilterKey[] = [];
  for (const filter of filterNames) {
    for (const key of new Set(filters[filter].keys(user))) pairs.push([filter, key]);
  }
  return { name: mapUserName(user.userName), filters: pairs };
}

/** A name that nobody has and nobody can ask for, since no mapped name has a NUL: for whoever can't have one of their own, or not yet. */
export const parkedName = (id: string): string => `\0${id}`;

/** Of what lies in a store already: a damaged user is found by its id only, until it is mended. */
export const makeKeysOfStored = (stored: StoredUser): UserKeys =>
  stored.isDamaged ? { name: parkedName(stored.id), filters: [] } : makeKeys(stored.user);

/** A filter and its key as one text. Unambiguous, because no filter's name has a colon. */
export const joinKey = ([filter, key]: readonly [filter: string, key: string]): string => `${filter}:${key}`;

/** What decides about keys: how names are mapped, and which filters there are. */
export interface KeyRules {
  readonly mapping: number;
  readonly filters: readonly string[];
}

/** Those of this release. */
export const keyRules: KeyRules = { mapping: mappingVersion, filters: filterNames };

/** As one text, such as `1 active,email`. */
export const printKeyRules = ({ mapping, filters }: KeyRules): string =>
  `${mapping} ${[...filters].sort().join()}`;

/** @param text what `printKeyRules` gave; of any other, rules that are outdated */
export function parseKeyRules(text: string): KeyRules {
  const [mapping, filters = ''] = text.split(' ');
  return { mapping: Number(mapping), filters: filters.split(',') };
}

/**
 * What keys that `found` made are to this release:
 * - `current`: as its own
 * - `usable`: they are for more filters as well, and serve. So a process of the release before, started again during an upgrade, can
 *   leave them as they are; the keys that it makes itself are fewer
 * - `outdated`: to be made anew before anything is looked up
 * - `newer`: made by a release that maps names in a way unknown here; not to be touched
 */
export function compareKeyRules(found: KeyRules): 'current' | 'usable' | 'outdated' | 'newer' {
  if (found.mapping > keyRules.mapping) return 'newer';
  const made = new Set(found.filters);
  if (found.mapping !== keyRules.mapping || !keyRules.filters.every((name) => made.has(name)))
    return 'outdated';
  return made.size === keyRules.filters.length ? 'current' : 'usable';
}
