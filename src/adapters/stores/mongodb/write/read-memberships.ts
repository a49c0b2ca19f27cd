/** The groups of users, and the members of groups, that a transaction deletes: the entry of a deletion keeps them. */
import type { Db } from 'mongodb';
import { maxMemberships } from '../../../../domain/changes/change.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import type { Write } from '../../../../domain/store.ts';
import { relationOf } from '../documents/document.ts';
import { subjectOf, type TransactionOptions } from '../log/entries.ts';
import type { Rows } from './rows.ts';

/** Ids by `subjectOf`: all, or more than a deletion keeps. */
export type KeptMemberships = ReadonlyMap<string, readonly string[]>;

const ofId = { projection: { _id: 1 }, limit: maxMemberships + 1, batchSize: maxMemberships + 2 } as const;

export async function readMemberships(
  db: Db,
  kinds: Kinds,
  batch: readonly { readonly kind: Kind; readonly write: Write }[],
  rows: ReadonlyMap<Kind, Rows>,
  options: TransactionOptions,
): Promise<KeptMemberships> {
  const { owners, members } = relationOf(db, kinds);
  const removed = batch.flatMap(({ kind, write: { op, id } }) => {
    const row = op === 'remove' ? rows.get(kind)?.get(id) : undefined;
    return row
      ? [{ key: subjectOf(kind.name, id), sets: row.groups ?? [], own: row.members?.set ?? null }]
      : [];
  });
  // In one query, since many users may be deleted together.
  const filter = { 'members.set': { $in: removed.flatMap(({ sets }) => sets) } };
  const projection = { 'members.set': 1 };
  const isAsked = filter['members.set'].$in.length > 0;
  const found = isAsked ? await owners.find(filter, { ...options, projection }).toArray() : [];
  const ownerOf = new Map(found.map((owner) => [owner.members?.set, owner._id]));
  const kept = new Map<string, readonly string[]>();
  for (const { key, sets, own } of removed) {
    const some = own === null ? [] : await members.find({ groups: own }, { ...options, ...ofId }).toArray();
    kept.set(key, [...sets.flatMap((set) => ownerOf.get(set) ?? []), ...some.map(({ _id }) => _id)]);
  }
  return kept;
}
