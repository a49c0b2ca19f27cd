/** The document of a user in MongoDB. */
import type { Document } from 'mongodb';
import { joinKey, keyRules, makeKeys, printKeyRules, type UserKeys } from '../../../../domain/find/keys.ts';
import { wordStarts } from '../../../../domain/find/search.ts';
import { StoredUser } from '../../../../domain/user/stored-user.ts';
import type { User } from '../../../../domain/user/user.ts';

export const collectionName = 'users';

/** Members derived from the user's own, for the indexes; never shown. */
export interface Derived {
  /** The userName as mapped: unique. */
  readonly userNameKey: string;
  /** Every filter's keys, joined. */
  readonly keys: readonly string[];
  /** The first `wordLength` characters of each word that a search finds. */
  readonly words: readonly string[];
  /** The search text, which decides matches where `words` isn't enough. */
  readonly search: string;
  /** The key of each sort, by its name. */
  readonly sorts: Readonly<Record<string, string>>;
  /** The rules that made these. */
  readonly keyedBy: string;
}

/** In code points. Longer ones would make the index larger, and few people type more of a word. */
export const wordLength = 24;

/** Members in their order, the id first: as `_id`, in which MongoDB keeps a unique index anyway. */
export type UserDocument<Id = string> = { readonly _id: Id } & Omit<User, 'id'> & Derived;

/** This release, as `keyedBy` names it. */
export const currentRules = printKeyRules(keyRules);

/** The keys are plain strings, without meaning in the query language. */
export const derive = ({ name, filters, search, sorts }: UserKeys): Derived => ({
  userNameKey: name,
  keys: filters.map(joinKey),
  words: [...wordStarts(search, wordLength)],
  search,
  sorts: Object.fromEntries(sorts),
  keyedBy: currentRules,
});

/** @param id what is put as `_id` */
export function toDocument<Id>(stored: StoredUser, id: Id): UserDocument<Id> {
  const user = stored.copy();
  const { id: _, ...members } = user;
  return { _id: id, ...members, ...derive(makeKeys(user)) };
}

/** The projection of lists. A single document is fetched whole, since a projection costs more there than it saves. */
export const withoutDerived = {
  userNameKey: 0,
  keys: 0,
  words: 0,
  search: 0,
  sorts: 0,
  keyedBy: 0,
} as const satisfies Record<keyof Derived, 0>;

export type ProjectedDocument = Omit<UserDocument, keyof Derived> & Partial<Record<keyof Derived, unknown>>;

/** The empty key is that of users without a value. */
function keyIn(sorts: unknown, by: string): string {
  const { [by]: key } = (sorts ?? {}) as Record<string, unknown>;
  return typeof key === 'string' ? key : '';
}

/**
 * Another program may have written the document, so it is checked.
 * @param by the sort of the list that it was found in: pages go on behind the key in the index, whatever the document says by now
 */
export function readStored(
  {
    _id,
    userNameKey: _1,
    keys: _2,
    words: _3,
    search: _4,
    sorts,
    keyedBy: _5,
    ...members
  }: ProjectedDocument,
  by?: string,
): StoredUser {
  const found = { id: _id, document: { id: _id, ...members } };
  return StoredUser.fromDocument(by === undefined ? found : { ...found, sortKey: keyIn(sorts, by) });
}

const noVersion: Document = {
  $expr: { $or: [{ $ne: [{ $type: '$meta.version' }, 'string'] }, { $eq: ['$meta.version', ''] }] },
};

/** @param version as `StoredUser` names it: empty for a document that has none */
export const withVersion = (version: string): Document =>
  version === '' ? noVersion : { 'meta.version': version };

/** Where the key of a sort lies. */
export const sortField = (name: string): string => `sorts.${name}`;
