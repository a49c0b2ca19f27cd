/**
 * A resource as a document in MongoDB, and the collections that hold documents. A document has the canonical text of its resource, which alone is
 * ever shown, and beside it the keys that the indexes hold (`indexes.ts`).
 */
import type { Collection, Db } from 'mongodb';
import { type FilterKey, joinKey, type Keys, printKeyRules } from '../../../../domain/find/keys.ts';
import { wordStarts } from '../../../../domain/find/search.ts';
import type { Position } from '../../../../domain/find/sorts.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import { Stored } from '../../../../domain/resource/stored.ts';
import type { StoredResource } from '../../../../domain/store.ts';

/** Members that the kind's rules derive from the text. They are plain strings, without meaning in the query language. */
interface DocumentKeys {
  /** The unique name as mapped. */
  readonly name: string;
  /** Every filter's keys, joined; and a joined empty key for filters that find absence. */
  readonly keys: readonly string[];
  /** Those of unique filters. Missing if the kind has none. */
  readonly unique?: readonly string[];
  /** The first `wordLength` characters of each word that a search finds. */
  readonly words: readonly string[];
  /** The search text, which decides matches that `words` alone can't decide. */
  readonly search: string;
  /** The place in each order (`toPlace`), by the `placeName` of the sort. */
  readonly sorts: Readonly<Record<string, string>>;
  /** The rules by which these members were made. */
  readonly keyedBy: string;
}

export interface StoredMembers {
  /** Names the set of members: their `groups` have it. Null before there are any. */
  readonly set: string | null;
  readonly count: number;
  /** See `Membership.revision`. */
  readonly revision: number;
}

export const noMembers: StoredMembers = { set: null, count: 0, revision: 0 };

export interface ResourceDocument extends DocumentKeys {
  readonly _id: string;
  readonly text: string;
  /** The version in the text's `meta`. */
  readonly version: string;
  /** The sets of members that it belongs to. */
  readonly groups?: readonly string[];
  readonly members?: StoredMembers;
}

/** The members from which a resource is read. The server omits the keys in less time than the driver would need to read them. */
export const shown = { text: 1, members: 1 } as const satisfies Partial<Record<keyof ResourceDocument, 1>>;

export type ShownDocument = Pick<ResourceDocument, '_id' | 'text' | 'members' | 'sorts'>;

/** In code points. Longer ones would make the index larger, and few people type more of a word. */
export const wordLength = 24;

/** The rules of this release, as `keyedBy` names them. */
export const rulesOf = ({ keyRules }: Kind): string => printKeyRules(keyRules);

const absentKeys = ({ absenceFilters }: Kind, filters: readonly FilterKey[]): readonly FilterKey[] =>
  absenceFilters.flatMap((name) =>
    filters.some(([filter]) => filter === name) ? [] : [[name, ''] as const],
  );

export function toKeys(kind: Kind, id: string, keys: Keys): DocumentKeys {
  const { name, filters, search, sorts } = keys;
  return {
    name,
    keys: [...filters, ...absentKeys(kind, filters)].map(joinKey),
    ...(kind.uniqueFilters.length > 0 && { unique: kind.uniqueKeysOf(keys).map(joinKey) }),
    words: [...wordStarts(search, wordLength)],
    search,
    sorts: Object.fromEntries(
      kind.keptSorts.map((sort) => [placeName(sort), toPlace({ id, key: sorts.get(sort) })]),
    ),
    keyedBy: rulesOf(kind),
  };
}

/** The members of a document that a creation or a replacement sets. */
export const toContent = (kind: Kind, stored: StoredResource) => ({
  text: stored.text,
  version: stored.meta.version,
  ...toKeys(kind, stored.id, kind.makeKeys(stored.value)),
});

export function readStored(kind: Kind, { text, members }: ShownDocument): StoredResource {
  if (kind.members === undefined) return new Stored(text);
  const { count, revision } = members ?? noMembers;
  return new Stored(text, { memberCount: count, revision });
}

/** The name of a sort in `sorts`: without dots, which would be a path. No sort has a colon. */
export const placeName = (sort: string): string => sort.replaceAll('.', ':');

export const sortField = (name: string): string => `sorts.${placeName(name)}`;

/** The beginnings of the places of resources with and without a key. */
export const withKey = '0';
export const withoutKey = '1';

/**
 * A place in an order as one text, which MongoDB compares as the list does: resources without the key are last, ties are by id. Unambiguous
 * and in order, because no key has a NUL.
 */
export const toPlace = ({ id, key }: { readonly id: string; readonly key?: string | undefined }): string =>
  key === undefined ? `${withoutKey}${id}` : `${withKey}${key}\0${id}`;

export const readPlace = (id: string, place: string): Position =>
  place.startsWith(withKey) ? { id, key: place.slice(withKey.length, place.indexOf('\0')) } : { id };

export type Documents = Collection<ResourceDocument>;

/** Resources of one kind are members of those of another, such as users of groups. */
export interface Relation {
  readonly owners: Documents;
  readonly members: Documents;
}

export const documentsOf = (db: Db, { plural }: Kind): Documents => db.collection(plural);

export const relationOf = (db: Db, { relation }: Kinds): Relation => ({
  owners: documentsOf(db, relation.owners),
  members: documentsOf(db, relation.members),
});
