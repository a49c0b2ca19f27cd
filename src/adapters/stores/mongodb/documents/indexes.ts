/** The indexes of users and groups. Behind the key come the ids in order, so that a page by id needs no sorting. */
import type { IndexDescription } from 'mongodb';
import type { KindName } from '../../../../domain/base/errors.ts';
import { type AnyDocumentType, sortField } from './stored-document.ts';

/** MongoDB's own. */
export const idIndex = '_id_';
export const nameIndex = 'nameKey_1';
export const keyedByIndex = 'keyedBy_1';
/** Serves all filters, present and future. */
export const keysIndex = 'keys_1__id_1';
/** Serves every search. */
export const wordsIndex = 'words_1__id_1';
export const sortIndex = (name: string): string => `${sortField(name)}_1__id_1`;

/** The indexes that reindexing needs: `keyedBy` shows at once that no keys of another release are left. */
export const firstIndexes: IndexDescription[] = [
  { name: nameIndex, key: { nameKey: 1 }, unique: true },
  { name: keysIndex, key: { keys: 1, _id: 1 } },
  { name: keyedByIndex, key: { keyedBy: 1 } },
];

/** Serves lists of members: few users, or all, may belong to groups. */
export const groupsIndex = 'groups_1__id_1';
/** Finds the group of a set of members. */
export const membersIndex = 'members.set_1';

const ofMembers: Readonly<Record<KindName, readonly IndexDescription[]>> = {
  user: [
    {
      name: groupsIndex,
      key: { groups: 1, _id: 1 },
      partialFilterExpression: { groups: { $exists: true } },
    },
  ],
  group: [{ name: membersIndex, key: { 'members.set': 1 } }],
};

/** Building the last ones from complete documents takes far less time than maintaining them during a reindex. */
export const indexesOf = ({ kind: { name, sortNames } }: AnyDocumentType): IndexDescription[] => [
  ...firstIndexes,
  ...(ofMembers[name] ?? []),
  { name: wordsIndex, key: { words: 1, _id: 1 } },
  ...sortNames.map((sort) => ({ name: sortIndex(sort), key: { [sortField(sort)]: 1, _id: 1 } })),
];
