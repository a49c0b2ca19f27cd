/** The indexes of the users. After what is looked up come the ids in order, so that a page in their order needs no sorting. */
import type { IndexDescription } from 'mongodb';
import { sortNames } from '../../../../domain/find/sorts.ts';
import { sortField } from './stored-document.ts';

/** MongoDB's own. */
export const idIndex = '_id_';
export const userNameIndex = 'userNameKey_1';
export const keyedByIndex = 'keyedBy_1';
/** Serves every filter there is or will be. */
export const keysIndex = 'keys_1__id_1';
/** Serves every search. */
export const wordsIndex = 'words_1__id_1';
export const sortIndex = (name: string): string => `${sortField(name)}_1__id_1`;

/** What reindexing needs: by the second it is known at once that no other release's keys are left. */
export const firstIndexes: IndexDescription[] = [
  { name: userNameIndex, key: { userNameKey: 1 }, unique: true },
  { name: keysIndex, key: { keys: 1, _id: 1 } },
  { name: keyedByIndex, key: { keyedBy: 1 } },
];

/** To make these of documents that are complete takes far less time than to keep them while documents are made anew. */
const lastIndexes: IndexDescription[] = [
  { name: wordsIndex, key: { words: 1, _id: 1 } },
  ...sortNames.map((name) => ({ name: sortIndex(name), key: { [sortField(name)]: 1, _id: 1 } })),
];

export const indexes: IndexDescription[] = [...firstIndexes, ...lastIndexes];
