/** The document of a user in MongoDB. */
import type { Document } from 'mongodb';
import { keyRules } from '../../../../domain/at-import.ts';
import { joinKey, type Keys, printKeyRules } from '../../../../domain/find/keys.ts';
import { wordStarts } from '../../../../domain/find/search.ts';
import type { GroupDocument } from '../../../../domain/kinds/group/group.ts';
import { groupKind } from '../../../../domain/kinds/group/kind.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import { userKind } from '../../../../domain/kinds/user/kind.ts';
import type { User } from '../../../../domain/kinds/user/user.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import { type Membership, Stored, versionAndRevision } from '../../../../domain/resource/stored.ts';

export const collectionName = 'users';

/** Members derived from the user's own, for the indexes; never shown. */
export interface Derived {
  /** The unique name as mapped. */
  readonly nameKey: string;
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

/**
 * Members in their order, the id first: as `_id`, in which MongoDB keeps a unique index anyway. A group's document has the same form with
 * its own members; a user's also has `groups`, the sets of members that it belongs to.
 */
export type UserDocument<Id = string> = { readonly _id: Id } & Omit<User, 'id'> & Derived;

/** This release, as `keyedBy` names it. */
export const currentRules = printKeyRules(keyRules);

/** The keys are plain strings, without meaning in the query language. */
export const derive = ({ name, filters, search, sorts }: Keys): Derived => ({
  nameKey: name,
  keys: filters.map(joinKey),
  words: [...wordStarts(search, wordLength)],
  search,
  sorts: Object.fromEntries(sorts),
  keyedBy: currentRules,
});

/** What the store keeps of a group beside its document; never shown as it is. */
export interface StoredMembers {
  /** Names the group's set of members: their `groups` have it. Null before there are any. */
  readonly set: string | null;
  readonly count: number;
  /** See `Membership.revision`. */
  readonly revision: number;
}

export interface DocumentType<T extends Resource> {
  readonly kind: Kind<T>;
  readonly collection: string;
  /** @param members what the store keeps beside the document */
  readonly membershipOf: (members: unknown) => Membership | undefined;
  /** As `Stored.version`, and the keys of this release. */
  readonly reread: (document: ProjectedDocument) => { readonly version: string; readonly keys: Keys };
  /** Matches a document that has the version of a `Stored`. */
  readonly withVersion: (version: string) => Document;
}

const makeReread =
  <T extends Resource>(type: Pick<DocumentType<T>, 'kind' | 'membershipOf'>) =>
  (document: ProjectedDocument) => {
    const stored = readStored(type, document);
    return { version: versionIn(stored), keys: type.kind.makeKeysOf(document._id, stored) };
  };

/** Empty for a document that has none. */
function versionIn(stored: Stored<Resource>): string {
  try {
    return stored.version;
  } catch {
    return '';
  }
}

const ofUsers = { kind: userKind, membershipOf: () => undefined };

export const userDocuments: DocumentType<User> = {
  ...ofUsers,
  collection: collectionName,
  reread: makeReread(ofUsers),
  withVersion: (version) => withVersion(version),
};

const ofGroups = {
  kind: groupKind,
  membershipOf(members: unknown): Membership {
    const { count = 0, revision = 0 } = (members ?? {}) as Partial<StoredMembers>;
    return { memberCount: count, revision };
  },
};

export const groupDocuments: DocumentType<GroupDocument> = {
  ...ofGroups,
  collection: 'groups',
  reread: makeReread(ofGroups),
  withVersion(version) {
    const [own, revision] = versionAndRevision(version);
    return { ...withVersion(own), 'members.revision': revision };
  },
};

/** What serves documents of any kind. */
export type AnyDocumentType = Pick<DocumentType<never>, 'collection' | 'reread' | 'withVersion'> & {
  readonly kind: Pick<Kind<never>, 'name' | 'sortNames'>;
};

/** @param id what is put as `_id` */
export function toDocument<Id, T extends Resource>(
  stored: Stored<T>,
  id: Id,
  { kind }: Pick<DocumentType<T>, 'kind'>,
): UserDocument<Id> {
  const { id: _, ...members } = stored.copy();
  return { _id: id, ...members, ...derive(kind.makeKeys(stored.value)) } as unknown as UserDocument<Id>;
}

/** Replaces the document, in the order of its members; what the store keeps beside it stays. Texts may begin with `$`: `$literal`. */
export const toUpdate = ({ _id, ...document }: UserDocument<unknown>): Document[] => [
  { $replaceWith: { $mergeObjects: [{ $literal: document }, { groups: '$groups', members: '$members' }] } },
];

/** The projection of lists. A single document is fetched whole, since a projection costs more there than it saves. */
export const withoutDerived = {
  groups: 0,
  nameKey: 0,
  keys: 0,
  words: 0,
  search: 0,
  sorts: 0,
  keyedBy: 0,
} as const satisfies Record<keyof Derived | 'groups', 0>;

export type ProjectedDocument = Omit<UserDocument, keyof Derived> &
  Partial<Record<keyof Derived | 'groups' | 'members', unknown>>;

export function readStored<T extends Resource>(
  { membershipOf }: Pick<DocumentType<T>, 'membershipOf'>,
  {
    _id,
    nameKey: _1,
    keys: _2,
    words: _3,
    search: _4,
    sorts: _5,
    keyedBy: _6,
    groups: _7,
    members: membership,
    ...members
  }: ProjectedDocument,
): Stored<T> {
  return new Stored(JSON.stringify({ id: _id, ...members }), membershipOf(membership));
}

const noVersion: Document = {
  $expr: { $or: [{ $ne: [{ $type: '$meta.version' }, 'string'] }, { $eq: ['$meta.version', ''] }] },
};

/** @param version as `Stored` names it: empty for a document that has none */
export const withVersion = (version: string): Document =>
  version === '' ? noVersion : { 'meta.version': version };

/** Where the key of a sort lies. */
export const sortField = (name: string): string => `sorts.${name}`;
