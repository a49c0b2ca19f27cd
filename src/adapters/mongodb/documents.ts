/** How a user lies in MongoDB, and how users are asked for. */
import type { Document, Filter, FindOptions, IndexDescription } from 'mongodb';
import { keysOf } from '../../domain/filters.ts';
import { KeptUser } from '../../domain/kept-user.ts';
import type { UserQuery } from '../../domain/ports.ts';
import type { User } from '../../domain/user.ts';
import { mapUserName } from '../../domain/user-name.ts';
import { keyMaker } from './key-maker.ts';

export const collectionName = 'users';

/** What commands note beside the users. */
export const marksName = 'marks';
export interface Mark<Id = string> {
  readonly _id: Id;
  readonly value: string;
}

/** What stands beside the user's own members: made from them, never shown. */
export interface Derived {
  /** The userName as mapped: unique. */
  readonly userNameKey: string;
  /** A text for each filter's key: see `keyText`. */
  readonly keys: readonly string[];
  /** What made these two: see key-maker.ts. */
  readonly keyedBy: string;
}

/** Members in their order, the id first: as `_id`, in which MongoDB keeps a unique index anyway. */
export type StoredUser<Id = string> = { readonly _id: Id } & Omit<User, 'id'> & Derived;

/** Unambiguous, because no filter's name has a colon. A plain text: nothing in it means anything to the query language. */
const keyText = ([filter, key]: readonly [string, string]): string => `${filter}:${key}`;

export const derivedFrom = (user: User): Derived => ({
  userNameKey: mapUserName(user.userName),
  keys: keysOf(user).map(keyText),
  keyedBy: keyMaker,
});

/** @param id what is put as `_id` */
export function toDocument<Id>(user: User, id: Id): StoredUser<Id> {
  // By JSON: a copy at the time of the call, and nothing in it but what JSON has.
  const { id: _, ...members }: User = JSON.parse(JSON.stringify(user));
  return { _id: id, ...members, ...derivedFrom(user) };
}

/** What of each document in a list is sent to us. A single one comes whole: to leave something out costs more there. */
const shown = { userNameKey: 0, keys: 0, keyedBy: 0 } as const satisfies Record<keyof Derived, 0>;

export type ShownUser = Omit<StoredUser, keyof Derived> & Partial<Record<keyof Derived, unknown>>;

/** Anybody may have written the document, so it is judged. */
export function keptIn({ _id, userNameKey: _1, keys: _2, keyedBy: _3, ...members }: ShownUser): KeptUser {
  return KeptUser.from({ id: _id, document: { id: _id, ...members } });
}

const noVersion: Document = {
  $expr: { $or: [{ $ne: [{ $type: '$meta.version' }, 'string'] }, { $eq: ['$meta.version', ''] }] },
};

/** @param version as `KeptUser` names it: empty for a document that has none */
export const withVersion = (version: string): Document =>
  version === '' ? noVersion : { 'meta.version': version };

export const userNameIndex = 'userNameKey_1';
const keysIndex = 'keys_1__id_1';
export const keyedByIndex = 'keyedBy_1';

/**
 * The second serves every filter there is or will be; after the key come ids in order, so nothing is sorted. By the
 * third it is known at once that no other release's keys are left.
 */
export const indexes: IndexDescription[] = [
  { name: userNameIndex, key: { userNameKey: 1 }, unique: true },
  { name: keysIndex, key: { keys: 1, _id: 1 } },
  { name: keyedByIndex, key: { keyedBy: 1 } },
];

/** The find for one page. Which of several filters is looked up in the index is the server's choice, by trial. */
export function pageQuery({ filters, after = '', limit }: UserQuery): {
  filter: Filter<StoredUser>;
  options: FindOptions;
} {
  const wanted = Object.entries(filters).map(keyText);
  const options: FindOptions = { sort: { _id: 1 }, limit, batchSize: limit, projection: shown };
  if (wanted.length === 0) return { filter: { _id: { $gt: after } }, options: { ...options, hint: '_id_' } };
  // Unhinted it may walk all ids instead when the keys are common, and keep to that plan for rare ones.
  return {
    filter: { keys: { $all: wanted }, _id: { $gt: after } },
    options: { ...options, hint: keysIndex },
  };
}
