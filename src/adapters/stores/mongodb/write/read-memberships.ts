/** The groups of users, and the members of groups, that a transaction deletes: the entry of a deletion keeps them. */
import type { Db } from 'mongodb';
import { maxMemberships } from '../../../../domain/changes/change.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import type { Write } from '../../../../domain/store.ts';
import { relationOf } from '../documents/document.ts';
import { subjectOf, type TransactionOptions } from '../log/entries.ts';
import type { Rows } from './rows.ts';

/** Ids by `subjectOf`: all, or one more than a deletion keeps. */
export type KeptMemberships = ReadonlyMap<string, readonly string[]>;

const ofId = { projection: { _id: 1 }, limit: maxMemberships + 1 } as const;

export async function readMemberships(
  db: Db,
  kinds: Kinds,
  batch: readonly { readonly kind: Kind; readonly write: Write }[],
  rows: ReadonlyMap<Kind, Rows>,
  options: TransactionOptions,
): Promise<KeptMemberships> {
  const kept = new Map<string, readonly string[]>();
  const { owners, members } = relationOf(db, kinds);
  for (const { kind, write } of batch) {
    const row = write.op === 'remove' ? rows.get(kind)?.get(write.id) : undefined;
    const { groups = [], members: { set } = { set: null } } = row ?? {};
    const found = [];
    if (groups.length > 0)
      found.push(
        ...(await owners.find({ 'members.set': { $in: groups } }, { ...options, ...ofId }).toArray()),
      );
    if (set !== null) found.push(...(await members.find({ groups: set }, { ...options, ...ofId }).toArray()));
    kept.set(
      subjectOf(kind.name, write.id),
      found.map(({ _id }) => _id),
    );
  }
  return kept;
}
