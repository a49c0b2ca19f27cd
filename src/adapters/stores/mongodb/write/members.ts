/**
 * Which resources are members of which. An owner of members, such as a group, names its set of members; a member has the names of its sets
 * in `groups`. An owner that is removed, or gets other members as a whole, leaves its set behind: no query finds that set any more, and members
 * lose it in steps.
 */

import { randomBytes } from 'node:crypto';
import { maxMemberships } from '../../../../domain/changes/change.ts';
import type { ChangedMembers } from '../../../../domain/changes/member-changes.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { MembersChange, Write } from '../../../../domain/store.ts';
import { UnknownMembers } from '../../../../domain/validation/errors.ts';
import type { Database } from '../connection/database.ts';
import { relationOf, type StoredMembers } from '../documents/document.ts';
import { subjectOf, type TransactionOptions } from '../log/entries.ts';
import type { Rows } from './rows.ts';

const newSet = (): string => randomBytes(9).toString('base64url');

export interface MembersResult extends ChangedMembers {
  /** The owner's members after the change; unchanged if nothing changes. */
  readonly after: StoredMembers;
}

/** @param groupsOf returns the sets of a resource; undefined for an unknown id @throws UnknownMembers */
export function changeMembers(
  before: StoredMembers,
  { isWhole = false, add, remove }: MembersChange,
  groupsOf: (id: string) => readonly string[] | undefined,
): MembersResult {
  const unknown = add.flatMap((id, at) => (groupsOf(id) === undefined ? [at] : []));
  if (unknown.length > 0) throw new UnknownMembers('add', unknown);
  const { set, count, revision } = before;
  const isMember = (id: string): boolean => set !== null && groupsOf(id)?.includes(set) === true;
  const coming = add.filter((id) => !isMember(id));
  const isReplaced = isWhole && add.length - coming.length < count;
  if (isReplaced) {
    const after = { set: add.length > 0 ? newSet() : null, count: add.length, revision: revision + 1 };
    return { after, added: add, removed: [], isWhole: true, stayed: add.filter(isMember) };
  }
  const leaving = remove.filter(isMember);
  const isSame = coming.length + leaving.length === 0;
  const next = {
    set: set ?? newSet(),
    count: count + coming.length - leaving.length,
    revision: revision + 1,
  };
  return { after: isSame ? before : next, added: coming, removed: leaving, isWhole: false, stayed: [] };
}

/** Ids by `subjectOf`: all, or more than a deletion keeps. */
export type KeptMemberships = ReadonlyMap<string, readonly string[]>;

const ofId = { projection: { _id: 1 }, limit: maxMemberships + 1, batchSize: maxMemberships + 2 } as const;

/**
 * The groups of users, and the members of groups, that a transaction deletes: the entry of a deletion keeps them. Read in few queries, since
 * many users may be deleted together.
 */
export async function readMemberships(
  { db, kinds }: Database,
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
