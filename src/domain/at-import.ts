/** What callers still take from modules instead of from the kinds that they are given (kinds.ts): it goes with the last of them. */
import type { KeyRules } from './find/keys.ts';
import { type Position, type Sort, sortKeyAt } from './find/sorts.ts';
import { groupKind } from './kinds/group/kind.ts';
import { userKind } from './kinds/user/kind.ts';
import { kindsOf } from './kinds.ts';
import { findAnnotatedFields } from './resource/annotated-fields.ts';
import type { Resource } from './resource/resource.ts';
import type { Stored } from './resource/stored.ts';

export const kinds = kindsOf();
export const { filters, filterNames, sortNames, makeKeys, builder: userBuilder } = userKind;
export const { filters: groupFilters, sortNames: groupSortNames } = groupKind;
export const sharedFilters: ReadonlySet<string> = new Set(
  kinds.all.flatMap((kind) => [...kind.sharedFilters]),
);

export const keyRules: KeyRules = {
  mapping: userKind.keyRules.mapping + groupKind.keyRules.mapping - 1,
  indexes: userKind.keyRules.indexes,
};

const sortPaths = new Map(
  kinds.all
    .flatMap(({ schema }) => findAnnotatedFields(schema, 'sort'))
    .map(({ annotation, path }) => [annotation, path]),
);

export const positionOf = (stored: Stored<Resource>, { by }: Sort = {}): Position =>
  by === undefined
    ? { id: stored.id }
    : { id: stored.id, key: sortKeyAt(stored.value, sortPaths.get(by) ?? []) };

export const { readInput, checkPatch } = userBuilder;
export const sortKeys = (resource: Parameters<typeof makeKeys>[0]): ReadonlyMap<string, string> =>
  makeKeys(resource).sorts;
export const searchText = (resource: Parameters<typeof makeKeys>[0]): string => makeKeys(resource).search;
