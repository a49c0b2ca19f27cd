/** Applies single writes of any kind, within a transaction that holds the write lock. */
import type { GroupDocument } from '../../../../domain/kinds/group/group.ts';
import type { User } from '../../../../domain/kinds/user/user.ts';
import type { MembersChange } from '../../../../domain/ports.ts';
import { versionAndRevision } from '../../../../domain/resource/stored.ts';
import type { Connection } from '../file/connection.ts';
import { groupRows, userRows } from '../index/row-type.ts';
import { Members } from './members.ts';
import { RowWrites } from './row-writes.ts';
import type { GroupWrite, Write, WriteResult } from './writer-messages.ts';

interface MembershipRow {
  /** The number of its set; null before it has members. */
  readonly members: number | null;
  readonly revision: number;
}

const prepareStatements = (db: Connection) => ({
  mark: db.prepare('INSERT OR REPLACE INTO marks (name, value) VALUES (?, ?)'),
  membership: db.prepare<[number], MembershipRow>('SELECT members, revision FROM groups WHERE n = ?'),
  setMembers: db.prepare('UPDATE groups SET members = ?, revision = revision + 1 WHERE n = ?'),
});

export class Writes {
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #users: RowWrites<User>;
  readonly #groups: RowWrites<GroupDocument>;
  readonly #members: Members;
  /** Whether `sweep` has work to do, which a process that was killed may have left. */
  hasDropped: boolean;

  constructor(db: Connection) {
    this.#sql = prepareStatements(db);
    this.#users = new RowWrites(db, userRows);
    this.#groups = new RowWrites(db, groupRows);
    this.#members = new Members(db, this.#users.rows);
    this.hasDropped = this.#members.hasDropped;
  }

  /** A conflict has changed nothing. After an error half of the write may be there: roll it back. */
  apply(write: Write): WriteResult {
    if (write.kind === 'mark') {
      this.#sql.mark.run(write.name, write.value);
      return 'done';
    }
    if (write.kind === 'sweep') {
      this.hasDropped = this.#members.sweep();
      return this.hasDropped ? 'done' : 'stale';
    }
    if (write.kind === 'remove')
      return write.of === 'user'
        ? this.#removeUser(write.id, write.version)
        : this.#removeGroup(write.id, write.version);
    if (write.of === 'group') return this.#writeGroup(write);
    if (write.kind === 'insert') {
      const result = this.#users.insert(write.document);
      return typeof result === 'object' && 'n' in result ? 'done' : result;
    }
    const { id }: { id: string } = JSON.parse(write.document);
    const old = this.#users.find(id);
    return old?.version === write.version ? this.#users.replace(write.document, old) : 'stale';
  }

  /** Finishes the work that several writes share; to be called before their commit. */
  finish(): void {
    for (const { rows } of [this.#users, this.#groups]) rows.finish();
  }

  /** After a rollback. */
  forget(): void {
    for (const { rows } of [this.#users, this.#groups]) rows.forget();
  }

  #removeUser(id: string, version: string): WriteResult {
    const old = this.#users.find(id);
    if (old?.version !== version) return 'stale';
    this.#members.removeUser({ id, n: old.n });
    this.#users.remove(id, old);
    return 'done';
  }

  /** The group with its version, or any; undefined when there is none. */
  #findGroup(id: string, version: string | undefined) {
    const row = this.#groups.find(id);
    if (row === undefined) return undefined;
    const { members, revision } = this.#sql.membership.get(row.n) ?? { members: null, revision: 0 };
    if (version !== undefined) {
      const [own, its] = versionAndRevision(version);
      if (row.version !== own || revision !== its) return undefined;
    }
    return { row, members };
  }

  #removeGroup(id: string, version: string): WriteResult {
    const found = this.#findGroup(id, version);
    if (found === undefined) return 'stale';
    this.#groups.remove(id, found.row);
    this.#drop(found.members);
    return 'done';
  }

  #writeGroup(write: GroupWrite): WriteResult {
    const { members } = write;
    const unknown =
      members?.add.flatMap((id, at) => (this.#members.find(id) === undefined ? [at] : [])) ?? [];
    if (write.kind === 'insert') {
      if (unknown.length > 0) return { unknown };
      const result = this.#groups.insert(write.document);
      if (typeof result !== 'object' || !('n' in result)) return result;
      if (members) this.#change(result.n, null, members);
      return 'done';
    }
    const found = this.#findGroup(write.id, write.version);
    if (found === undefined) return 'stale';
    if (unknown.length > 0) return { unknown };
    const result = write.document === undefined ? 'done' : this.#groups.replace(write.document, found.row);
    if (result === 'done' && members) this.#change(found.row.n, found.members, members);
    return result;
  }

  /** A whole that leaves somebody out is a new set: its cost doesn't depend on the size of the old one. */
  #change(n: number, old: number | null, { isWhole = false, add, remove }: MembersChange): void {
    const all = this.#members;
    // Counts of this transaction wait for its end.
    if (isWhole) this.#users.rows.finish();
    const wanted = add.flatMap((id) => all.find(id) ?? []);
    const stays =
      old !== null && (!isWhole || wanted.filter((user) => all.has(old, user)).length === all.count(old));
    const set = stays ? old : wanted.length > 0 ? all.createSet() : null;
    let changes = stays ? 0 : all.count(old ?? 0);
    if (set !== null) for (const user of wanted) changes += Number(all.add(set, user));
    if (set !== null && stays)
      for (const id of remove) {
        const user = all.find(id);
        if (user !== undefined) changes += Number(all.remove(set, user));
      }
    if (!stays) this.#drop(old);
    if (changes > 0) this.#sql.setMembers.run(set, n);
  }

  #drop(set: number | null): void {
    if (set === null) return;
    this.#members.drop(set);
    this.hasDropped = true;
  }
}
