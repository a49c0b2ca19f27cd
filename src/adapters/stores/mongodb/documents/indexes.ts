/**
 * The indexes of a kind's collection. Add one here: `../layout/layout.ts` builds those that are missing at the start. `../log/prepare-log.ts` has
 * those of the change log. Within a shared key an index has the ids in order, so that a page by id needs no sorting.
 */
import type { IndexDescription } from 'mongodb';
import { isDeclared } from '../../../../domain/find/building.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { sortField } from './document.ts';

/** MongoDB's own index. */
export const idIndex = '_id_';
export const nameIndex = 'name_1';
/** Shows at once whether all keys were made by the rules of this release. */
export const keyedByIndex = 'keyedBy_1';
/** Serves all filters, present and future. */
export const keysIndex = 'keys_1__id_1';
/** Serves every search. */
export const wordsIndex = 'words_1__id_1';
export const sortIndex = (name: string): string => `${sortField(name)}_1`;
/** Serves lists of members: few resources, or all, may belong to groups. */
export const groupsIndex = 'groups_1__id_1';
/** Finds the resource with a set of members. */
export const membersIndex = 'members.set_1';
/** Made only by builds before the first release. */
export const indexBefore = 'nameKey_1';

const ofMembers: IndexDescription = {
  name: groupsIndex,
  key: { groups: 1, _id: 1 },
  partialFilterExpression: { groups: { $exists: true } },
};

/** On the keys of unique filters. Documents with an empty list are left out: MongoDB would allow only one of them. */
const ofUniqueKeys: IndexDescription = {
  name: 'unique_1',
  key: { unique: 1 },
  unique: true,
  partialFilterExpression: { unique: { $gt: '' } },
};

/** @param areAll whether with those of declared sorts, which may be built in the background */
export const indexesOf = ({ members, keptSorts, uniqueFilters }: Kind, areAll = true): IndexDescription[] => [
  { name: nameIndex, key: { name: 1 }, unique: true },
  { name: keysIndex, key: { keys: 1, _id: 1 } },
  ...(uniqueFilters.length > 0 ? [ofUniqueKeys] : []),
  { name: keyedByIndex, key: { keyedBy: 1 } },
  members === undefined ? ofMembers : { name: membersIndex, key: { 'members.set': 1 } },
  { name: wordsIndex, key: { words: 1, _id: 1 } },
  ...keptSorts
    .filter((sort) => areAll || !isDeclared(sort))
    .map((sort) => ({ name: sortIndex(sort), key: { [sortField(sort)]: 1 } })),
];
