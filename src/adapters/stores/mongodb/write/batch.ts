/**
 * Decides the writes of one transaction, each by itself, from the documents that were read. A write leaves statements and entries of the change
 * log. A refused write leaves neither, so it fails no other.
 */

import { type Change, documentChange } from '../../../../domain/changes/change.ts';
import { isMembersChange, memberChanges } from '../../../../domain/changes/member-changes.ts';
import { filterOf } from '../../../../domain/find/keys.ts';
import type { Kind } from '../../../../domain/kinds/kind.ts';
import type { Kinds } from '../../../../domain/kinds.ts';
import type { Actor, MembersChange, Outcome, Write } from '../../../../domain/store.ts';
import { DomainError, idTaken } from '../../../../domain/validation/errors.ts';
import {
  noMembers,
  type ResourceDocument,
  type StoredMembers,
  type toContent,
} from '../documents/document.ts';
import { type NewEntry, subjectOf } from '../log/entries.ts';
import type { Erased } from '../log/erasing.ts';
import { usersOf } from '../log/users.ts';
import type { EndedSet, RemovedMember } from './left-sets.ts';
import { changeMembers, type KeptMemberships, type MembersResult } from './members.ts';
import type { Row, Rows } from './rows.ts';

export interface PreparedWrite {
  readonly kind: Kind;
  readonly write: Write;
  readonly by: Actor;
  /** For a write with `next`. */
  readonly content: ReturnType<typeof toContent> | undefined;
  readonly members: MembersChange | undefined;
}

/** In this order, resources exist before they become members, and consecutive statements of one form become one command. */
const ranks = { remove: 0, replace: 1, create: 2, members: 3 };
export const rankOf = ({ write, members }: PreparedWrite): number => ranks[members ? 'members' : write.op];

function isStored({ version, members = noMembers }: Row, write: Exclude<Write, { op: 'create' }>): boolean {
  const wanted = write.op === 'members' ? write.version : write.before.meta.version;
  const isRevision = write.revision === undefined || write.revision === members.revision;
  return isRevision && (wanted === undefined || wanted === version);
}

interface Applied {
  readonly changes: readonly Change[];
  readonly stayed?: readonly string[] | undefined;
  /** The set of members that has lost its owner. */
  readonly dropped?: string | null | undefined;
}

export class Batch {
  readonly entries: NewEntry[] = [];
  readonly erased: Erased[] = [];
  readonly ended: EndedSet[] = [];
  readonly removed: RemovedMember[] = [];
  readonly #rows: ReadonlyMap<Kind, Rows>;
  readonly #memberships: KeptMemberships;
  readonly #relation: Kinds['relation'];
  /** The deleted resources: see `subjectOf`. */
  readonly #gone = new Set<string>();

  /** @param rows for each kind, the documents that the writes name, by id or by name */
  constructor(rows: ReadonlyMap<Kind, Rows>, memberships: KeptMemberships, relation: Kinds['relation']) {
    this.#rows = rows;
    this.#memberships = memberships;
    this.#relation = relation;
  }

  /** Called once for each write, in the order of their ranks. */
  decide(one: PreparedWrite): Outcome {
    const { by } = one;
    try {
      const applied = this.#apply(one);
      if (applied === undefined) return 'stale';
      const { changes, stayed, dropped } = applied;
      const begin = this.entries.length;
      const before = new Set(stayed);
      const ending = `${this.#relation.owners.name}.deleted`;
      const isAbout = (change: Change) => isMembersChange(change) || change.type === ending;
      const usersIn = (change: Change) => (isAbout(change) ? usersOf(change, before) : undefined);
      const ofChange = ({ type, id }: Change) => subjectOf(type.slice(0, type.indexOf('.')), id);
      this.entries.push(
        ...changes.map((change) => ({ of: ofChange(change), change, by, users: usersIn(change) })),
      );
      const firstWhole = Math.max(0, changes.map(({ whole = false }) => whole).indexOf(true));
      const [first, last] = [begin + firstWhole, this.entries.length - 1];
      if (dropped) this.ended.push({ set: dropped, first, last });
      return 'done';
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }

  /** @returns undefined if the resource that the write names is no longer stored */
  #apply(one: PreparedWrite): Applied | undefined {
    const { kind, write, content } = one;
    const [rows, members] = [this.#rowsOf(kind), this.#knownMembers(one)];
    const row = rows.get(write.id);
    if (write.op === 'create') {
      if (row !== undefined) throw idTaken(kind.name);
    } else if (row === undefined || !isStored(row, write)) return undefined;
    if (content !== undefined && rows.isTaken(content.name, write.id)) throw kind.nameTaken();
    const taken = rows.findTaken(content?.unique ?? [], write.id);
    if (taken !== undefined) throw kind.keyTaken(filterOf(taken));
    if (write.op === 'remove') return this.#remove(kind, row, write);
    const before = row?.members ?? newMembers(write, members);
    const changed = members && this.#changeMembers(before, members);
    const { after } = changed ?? { after: before };
    const fields = {
      ...content,
      // An earlier start had unique filters: its index must find nothing outdated.
      ...(content && row?.unique && { unique: content.unique ?? [] }),
      ...((row === undefined || after !== before) && kind.members && { members: after }),
    };
    if (row !== undefined) rows.update(row, fields);
    else rows.insert({ _id: write.id, ...fields } as ResourceDocument);
    const version = content?.version ?? row?.version ?? '';
    const shown = kind.members === undefined ? version : `${version}.${after.revision}`;
    const old = write.op === 'replace' ? write.before.text : undefined;
    const owner = write.op === 'members' ? row?.text : write.next.value;
    const restored = write.op === 'create' ? write.restored : undefined;
    const how = { isRestored: restored !== undefined, inside: write.inside };
    const changes = [
      ...(write.op === 'members' ? [] : [documentChange(kind, write.id, old, write.next.value, shown, how)]),
      ...(changed === undefined ? [] : memberChanges(kind, write.id, shown, changed, owner)),
      ...(restored && kind === this.#relation.members ? this.#join(write.id, restored) : []),
    ];
    return { changes, stayed: changed?.stayed, dropped: changed?.isWhole ? before.set : undefined };
  }

  #remove(kind: Kind, row: Row | undefined, write: Extract<Write, { op: 'remove' }>): Applied {
    const { id, before, erase = false, inside } = write;
    this.#rowsOf(kind).remove(id);
    const sets = row?.groups ?? [];
    if (this.#relation.members === kind) this.#rowsOf(this.#relation.owners).lose(sets);
    if (erase) this.erased.push({ kind, id });
    else if (sets.length > 0) this.removed.push({ id, sets, ended: this.ended.length });
    const { owners, members } = this.#relation;
    const other = (kind === owners ? members : owners).name;
    const all = this.#memberships.get(subjectOf(kind.name, id)) ?? [];
    const memberships = all.filter((one) => !this.#gone.has(subjectOf(other, one)));
    this.#gone.add(subjectOf(kind.name, id));
    const change = documentChange(kind, id, before.text, undefined, undefined, { memberships, inside });
    return { changes: [change], dropped: row?.members?.set };
  }

  /** The members that the write changes; of a restored owner, those that still exist. */
  #knownMembers({ write, members }: PreparedWrite): MembersChange | undefined {
    if (members === undefined || write.op !== 'create' || write.restored === undefined) return members;
    const rows = this.#rowsOf(this.#relation.members);
    const add = members.add.filter((id) => rows.get(id));
    return add.length > 0 ? { add, remove: [] } : undefined;
  }

  /** Makes a restored user a member of the groups that still exist. */
  #join(id: string, groups: readonly string[]): readonly Change[] {
    const owners = this.#relation.owners;
    const rows = this.#rowsOf(owners);
    return groups.flatMap((group) => {
      const row = rows.get(group);
      if (row === undefined) return [];
      const changed = this.#changeMembers(row.members ?? noMembers, { add: [id], remove: [] });
      rows.update(row, { members: changed.after });
      return memberChanges(owners, group, `${row.version}.${changed.after.revision}`, changed, row.text);
    });
  }

  /** @throws UnknownMembers before anything is changed */
  #changeMembers(before: StoredMembers, change: MembersChange): MembersResult {
    const rows = this.#rowsOf(this.#relation.members);
    const result = changeMembers(before, change, (id) => rows.groupsOf(id));
    const { after, added, removed } = result;
    if (after.set !== null) {
      rows.join(after.set, added);
      rows.leave(after.set, removed);
    }
    return result;
  }

  #rowsOf(kind: Kind): Rows {
    return this.#rows.get(kind) as Rows;
  }
}

/** For a new resource: its first members don't count as a change. */
function newMembers(write: Write, members: MembersChange | undefined): StoredMembers {
  const { revision = 0 } = (write.op === 'create' && write.next.membership) || {};
  return { ...noMembers, revision: members === undefined ? revision : revision - 1 };
}
