/** Applies single writes of any kind. All methods are called within a transaction that holds the write lock. */

import { type Change, documentChange } from '../../../../domain/changes/change.ts';
import { type ChangedMembers, memberChanges } from '../../../../domain/changes/member-changes.ts';
import { ofKind } from '../../../../domain/kinds.ts';
import type { Resource } from '../../../../domain/resource/resource.ts';
import type { MembersChange } from '../../../../domain/store.ts';
import type { KindName } from '../../../../domain/validation/errors.ts';
import { type Concerned, LogWriter } from '../changes/log-writer.ts';
import { LogFilling } from '../changes/moves.ts';
import type { Connection } from '../file/connection.ts';
import { IndexBuilder } from '../layout/building.ts';
import type { AllTables } from '../layout/tables.ts';
import { membersInHistories } from '../migrations/10-members-in-histories.ts';
import { MemberSets } from './members.ts';
import { Rows, type StoredRow } from './rows.ts';
import type { ResourceWrite, WriteResult, WriterWrite } from './writer-messages.ts';

export class Writes {
  readonly #rows: ReadonlyMap<KindName, Rows>;
  readonly #members: MemberSets;
  readonly #log: LogWriter;
  #hasDropped: boolean;
  readonly #filling: LogFilling;
  readonly builder: IndexBuilder;

  constructor(db: Connection, all: AllTables) {
    this.#rows = new Map([...all].map(([name, tables]) => [name, new Rows(db, tables)]));
    const { kind } = all.relation.members;
    this.#log = new LogWriter(db, kind);
    const users = ofKind(this.#rows, kind.name).index;
    this.#members = new MemberSets(db, all.relation, users, this.#log.users);
    this.#hasDropped = this.#members.hasDropped;
    this.#filling = new LogFilling(db, (progress) => membersInHistories.step(db, all, progress));
    this.builder = new IndexBuilder(db, [...this.#rows.values()]);
  }

  /** Whether an earlier process left erasures incomplete. */
  get hasErased(): boolean {
    return this.#log.hasErased;
  }

  /** Whether `sweep` has work, which a killed process may have left. */
  get hasDropped(): boolean {
    return this.#hasDropped || this.#log.hasEarlier;
  }

  /** The only place where a write is applied. A conflict changes nothing. After an error half of the write may be done: roll it back. */
  apply(write: WriterWrite): WriteResult {
    if (!('kind' in write)) return this.#maintain(write) ? 'done' : 'stale';
    const rows = ofKind(this.#rows, write.kind);
    const { id, members } = write;
    const unknown = this.#findUnknown(members);
    if (unknown && write.op === 'create') return unknown;
    if (write.op === 'create') return this.#create(rows, write);
    const old = rows.find(id);
    if (old === undefined || !isCurrent(old, write)) return 'stale';
    if (write.op === 'remove') {
      const end = this.#remove(rows, id, old);
      this.#record(rows, write, old, undefined, end);
      return 'done';
    }
    if (unknown) return unknown;
    const next: Resource | undefined = write.op === 'replace' ? JSON.parse(write.text) : undefined;
    const result = next && 'text' in write ? rows.replace(id, write.text, next, old) : 'done';
    if (result === 'done')
      this.#record(rows, write, old, next, members && this.#change(old.n, old.members, members));
    return result;
  }

  #create(rows: Rows, write: Extract<ResourceWrite, { op: 'create' }>): WriteResult {
    const { id, text, revision, restored } = write;
    const next: Resource = JSON.parse(text);
    const result = rows.insert(id, text, next);
    if (typeof result !== 'object' || !('n' in result)) return result;
    const { n } = result;
    if (revision) this.#members.giveTo(n, null, revision);
    const { relation, hasMembers } = rows.tables;
    const known = hasMembers && restored?.filter((user) => this.#members.find(user));
    const members = known ? { add: known, remove: [] } : write.members;
    const changed = members && this.#change(n, null, members, true);
    this.#record(rows, write, undefined, next, changed);
    const owners = ofKind(this.#rows, relation.owners.kind.name);
    for (const group of (!hasMembers && restored) || []) {
      const row = owners.find(group);
      if (row === undefined) continue;
      const joining = { kind: owners.tables.kind.name, id: group, op: 'members', by: write.by } as const;
      const joined = this.#change(row.n, row.members, { add: [id], remove: [] });
      this.#record(owners, joining, row, undefined, joined);
    }
    return 'done';
  }

  /** @returns whether there may be more to do; for `erase`, whether it was done */
  #maintain(write: Exclude<WriterWrite, ResourceWrite>): boolean {
    switch (write.op) {
      case 'sweep':
        this.#hasDropped = this.#members.sweep();
        return this.#hasDropped || this.#log.sweep();
      case 'prune':
        return this.#log.prune(write.retention);
      case 'erase':
        return this.#log.erase(ofKind(this.#rows, write.of.kind).tables.kind, write.of.id);
      case 'merge':
        if (write.isFirst) this.#log.beginPurge();
        return [...this.#rows.values()].map(({ index }) => index.mergeWords(write.isFirst)).includes(true);
      case 'build':
        return this.builder.step();
      case 'settle':
        this.#log.settlePurge();
        return false;
      default:
        return this.#filling.apply(write);
    }
  }

  /** Finishes the work that several writes share. To be called before their commit. */
  finish(): void {
    for (const { index } of this.#rows.values()) index.finish();
    this.#log.forget();
  }

  /** After a rollback. */
  forget(): void {
    for (const { index } of this.#rows.values()) index.forget();
    this.#log.forget();
  }

  #findUnknown(members: MembersChange | undefined): WriteResult | undefined {
    const unknown = members?.add.flatMap((id, at) => (this.#members.find(id) === undefined ? [at] : []));
    return unknown && unknown.length > 0 ? { unknown } : undefined;
  }

  /** Adds entries to the change log. @param old before the write @param next after it @param members how they have changed */
  #record(
    rows: Rows,
    write: ResourceWrite,
    old: StoredRow | undefined,
    next: Resource | undefined,
    members?: Changed | Deleted,
  ): void {
    const { kind } = rows.tables;
    const { id, op, by } = write;
    const isErased = op === 'remove' && write.erase === true;
    if (isErased) this.#log.erase(kind, id, true);
    if (!this.#log.isOn) return;
    const version = op === 'remove' ? undefined : rows.versionOf(id);
    const circumstances = {
      isRestored: op === 'create' && write.restored !== undefined,
      inside: write.inside,
      memberships: members && 'memberships' in members ? members.memberships : [],
    };
    const changes = [
      ...(op === 'members' ? [] : [documentChange(kind, id, old?.document, next, version, circumstances)]),
      ...(members && 'added' in members
        ? memberChanges(kind, id, version, members, next ?? old?.document)
        : []),
    ];
    const logged = isErased ? changes.map(withoutValues) : changes;
    const appended = this.#log.append(logged, by, members);
    if (members?.dropped) this.#members.setEnd(members.dropped, appended);
  }

  #remove(rows: Rows, id: string, old: StoredRow): Deleted {
    const { relation, rows: table } = rows.tables;
    const left = this.#members.count(old.members ?? 0);
    const isMember = table === relation.members.rows;
    const memberships = isMember ? this.#members.ownersOf(old.n) : this.#members.idsOf(old.members ?? 0);
    if (isMember) this.#members.removeUser({ id, n: old.n });
    rows.remove(id, old);
    this.#drop(old.members);
    return { dropped: old.members, stayed: [], left, memberships };
  }

  /** A whole list without some of the old members becomes a new set, so that its cost doesn't depend on the size of the old one. */
  #change(n: number, old: number | null, change: MembersChange, isNew = false): Changed {
    const { isWhole = false, add, remove } = change;
    const all = this.#members;
    // Counts of this transaction wait for its end.
    if (isWhole) all.finish();
    const wanted = add.flatMap((id) => all.find(id) ?? []);
    const stayed = isWhole && old !== null ? wanted.filter((user) => all.has(old, user)) : [];
    const stays = old !== null && (!isWhole || stayed.length === all.count(old));
    const set = stays ? old : wanted.length > 0 ? all.createSet() : null;
    const left = stays ? 0 : all.count(old ?? 0) - stayed.length;
    const isReplaced = !stays && all.count(old ?? 0) > 0;
    const added = set === null ? [] : wanted.filter((user) => all.add(set, user)).map(({ id }) => id);
    const removed = set !== null && stays ? remove.filter((id) => all.removeId(set, id)) : [];
    if (!stays) this.#drop(old);
    if (isReplaced || added.length + removed.length > 0) all.giveTo(n, set, isNew ? 0 : 1);
    const ended = isReplaced ? { dropped: old, stayed: stayed.map(({ id }) => id), left } : nothingEnded;
    return { added, removed, isWhole: isReplaced, ...ended };
  }

  #drop(set: number | null): void {
    if (set === null) return;
    this.#members.drop(set);
    this.#hasDropped = true;
  }
}

/** The set of members that a write has dropped, and the users that its entries concern. */
interface Ended extends Concerned {
  readonly dropped: number | null;
}

type Changed = ChangedMembers & Ended;

/** A deletion, with what `Circumstances` has of it. */
interface Deleted extends Ended {
  readonly memberships: readonly string[];
}

const nothingEnded: Ended = { dropped: null, stayed: [], left: 0 };

const withoutValues = ({ values, ...change }: Change): Change => change;

function isCurrent(row: StoredRow, { version, revision }: Exclude<ResourceWrite, { op: 'create' }>): boolean {
  return (
    (version === undefined || row.version === version) &&
    (revision === undefined || row.revision === null || row.revision === revision)
  );
}
