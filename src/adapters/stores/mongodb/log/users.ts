/**
 * Users in whose histories an entry of another resource stands. An entry has those that it names in `users`. The leavers of a replaced or a
 * deleted set of members follow when the sweep reaches them (`write/left-sets.ts`): any number of them belongs to one entry, so they have documents
 * of their own, which end with the entry.
 */
import { type Binary, type IndexDescription, UUID } from 'mongodb';
import type { Change } from '../../../../domain/changes/change.ts';

/** The id of a user or of a request: 16 bytes for a UUID. An id of another form, from another program, stays a text. */
export type IdKey = Binary | string;

/** Some leavers of one entry. */
export interface LeaversDocument {
  readonly _id: { readonly number: number; readonly part: string };
  readonly users: readonly IdKey[];
}

/** On the entries, and on the leavers. Most entries name no users, so the index leaves them out. */
export const usersIndex: IndexDescription = {
  name: 'users_1__id_1',
  key: { users: 1, _id: 1 },
  partialFilterExpression: { users: { $exists: true } },
};

const isUuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

export const toIdKey = (id: string): IdKey => (isUuid.test(id) ? new UUID(id).toBinary() : id);

export const toId = (key: IdKey): string => (typeof key === 'string' ? key : key.toUUID().toHexString());

/** @param stayed ids in `added` that were members before: the entry is not in their histories */
export function usersOf(
  { added = [], removed = [] }: Pick<Change, 'added' | 'removed'>,
  stayed: ReadonlySet<string> = new Set(),
): readonly IdKey[] {
  return [...added.filter((id) => !stayed.has(id)), ...removed].map(toIdKey);
}

/** The size of an entry, for aggregations. */
export const entrySize = { $add: [{ $bsonSize: '$$ROOT' }, { $ifNull: ['$leaving', 0] }] };
