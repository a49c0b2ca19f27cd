/** The indexes of the users. Behind the key come the ids in order, so that a page by id needs no sorting. */
import type { IndexDescription } from 'mongodb';
import { sortNames } from '../../../../domain/find/sorts.ts';
import { sortField } from './stored-document.ts';

/** MongoDB's own. */
export const idIndex = '_id_';
export const userNameIndex = 'userNameKey_1';
export const keyedByIndex = 'keyedBy_1';
/** Serves all filters, present and future. */
export const keysIndex = 'keys_1__id_1';
/** Serves every search. */
export const wordsIndex = 'words_1__id_1';
export const sortIndex = (name: string): string => `${sortField(name)}_1__id_1`;

/** The indexes that reindexing needs: `keyedBy` shows at once that no keys of another release are left. */
export const firstIndexes: IndexDescription[] = [
  { name: userNameIndex, key: { userNameKey: 1 }, unique: true },
  { name: keysIndex, key: { keys: 1, _id: 1 } },
  { name: keyedByIndex, key: { keyedBy: 1 } },
];

/** Building these from complete documents takes far less time than maintaining them during a reindex. */
const lastIndexes: IndexDescription[] = [
  { name: wordsIndex, key: { words: 1, _id: 1 } },
  ...sortNames.map((name) => ({ name: sortIndex(name), key: { [sortField(name)]: 1, _id: 1 } })),
];

export const indexes: IndexDescription[] = [...firstIndexes, ...lastIndexes];
