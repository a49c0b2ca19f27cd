/**
 * The keys by which stores index resources. Keys made by other rules find nothing, so a store records the rules of each kind beside its
 * keys, and reindexes when they are outdated. `kinds/kind.ts` makes the keys of a resource; `kinds/attributes/declare.ts` adds those of declared
 * attributes.
 */
import type { FilterName } from './filters.ts';

/** `filter` with `key` finds the resource. */
export type FilterKey = readonly [filter: FilterName, key: string];

export interface Keys {
  /** The unique name as mapped. */
  readonly name: string;
  /** The keys of all filters except those by membership, without duplicates. */
  readonly filters: readonly FilterKey[];
  /** The search text; see search.ts. */
  readonly search: string;
  /** The keys by the name of the sort. */
  readonly sorts: ReadonlyMap<string, string>;
}

/** A placeholder in the unique index of names, for a resource without a usable name. It never collides: no mapped name has a NUL. */
export const parkedName = (id: string): string => `\0${id}`;

/** A filter and its key as one text. Unambiguous, because no filter's name has a colon. */
export const joinKey = ([filter, key]: readonly [filter: string, key: string]): string => `${filter}:${key}`;

/** @param joined of `joinKey` */
export const filterOf = (joined: string): FilterName => joined.slice(0, joined.indexOf(':'));

/** The keys of a kind depend on the mapping of its unique name, and on its filters, its search and its sorts. */
export interface KeyRules {
  /** Increases with each change of the mapping. */
  readonly mapping: number;
  /** The filters; the search and each sort, with the version of its rules; and a `uniqueRule` for each unique filter. */
  readonly indexes: readonly string[];
}

/** The name of the rule that the keys of the filter are unique. */
export const uniqueRule = (filter: FilterName): string => `unique.${filter}`;
export const isUniqueRule = (index: string): boolean => index.startsWith(uniqueRule(''));

/** The search comes before them in the alphabet. */
const uniqueRules = /,unique[.][^, ]*/g;

/** Printed rules of the same keys, without which ones are unique: reads don't need that. */
export const withoutUnique = (rules: string): string => rules.replaceAll(uniqueRules, '');

/** Whether printed rules make the same keys: they may differ in which ones are unique. */
export const makeSameKeys = (one: string, other: string): boolean =>
  withoutUnique(one) === withoutUnique(other);

/** The rules as one text, such as `1 active,email,search.1`. */
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
export function compareKeyRules(
  found: KeyRules,
  ours: KeyRules,
): 'current' | 'usable' | 'outdated' | 'newer' {
  if (found.mapping > ours.mapping) return 'newer';
  const made = new Map(found.indexes.map(parseIndex));
  const isMade = ([name, version]: Index) => (made.get(name) ?? Number.NEGATIVE_INFINITY) >= version;
  const wanted = ours.indexes.map(parseIndex);
  if (found.mapping !== ours.mapping || !wanted.every(isMade)) return 'outdated';
  const isSame = made.size === wanted.length && wanted.every(([name, version]) => made.get(name) === version);
  return isSame ? 'current' : 'usable';
}

type Index = readonly [name: string, version: number];

const versioned = /^(search|sort[.].*)[.](\d+)$/;

export const isVersioned = (index: string): boolean => versioned.test(index);

/** `sort.created.2` is the second version of `sort.created`; a filter has none. */
function parseIndex(text: string): Index {
  const [, name, version] = versioned.exec(text) ?? [];
  return name === undefined ? [text, 0] : [name, Number(version)];
}
