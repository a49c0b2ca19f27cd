/** The collection of each kind, and those of the relation between two of them. */
import type { Collection, Db } from 'mongodb';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import type { ResourceDocument } from './document.ts';

export type Documents = Collection<ResourceDocument>;

export interface Table {
  readonly kind: Kind;
  readonly documents: Documents;
}

/** Resources of one kind are members of those of another, such as users of groups. */
export interface Relation {
  readonly owners: Documents;
  readonly members: Documents;
}

export const documentsOf = (db: Db, { plural }: Kind): Documents => db.collection(plural);

/** Without a kind that has members: of collections that don't exist, in which nothing is found. */
export const relationOf = (db: Db, { relation }: Kinds): Relation => ({
  owners: db.collection(relation?.owners.plural ?? 'owners'),
  members: db.collection(relation?.members.plural ?? 'members'),
});
