/** Applies single writes of any kind, within a transaction that holds the write lock. */
import type { KindName } from '../../../../domain/base/errors.ts';
import { ofKind } from '../../../../domain/kinds.ts';
import type { MembersChange } from '../../../../domain/store.ts';
import type { Connection } from '../file/connection.ts';
import type { AllTables } from '../layout/tables.ts';
import { Members } from './members.ts';
import { Rows, type StoredRow } from './rows.ts';
import type { RowWrite, WriteResult, WriterWrite } from './writer-messages.ts';

export class Writes {
  readonly #rows: ReadonlyMap<KindName, Rows>;
  readonly #members: Members | undefined;
  /** Whether `sweep` has work to do, which a process that was killed may have left. */
  hasDropped: boolean;

  constructor(db: Connection, all: AllTables) {
    this.#rows = new Map([...all].map(([name, tables]) => [name, new Rows(db, tables)]));
    const rows = [...this.#rows.values()];
    const [relation] = rows.flatMap(({ tables }) => tables.relation ?? []);
    const users = rows.find(({ tables }) => tables.rows === relation?.members.rows);
    this.#members = relation && users && new Members(db, relation, users.index);
    this.hasDropped = this.#members?.hasDropped ?? false;
  }

  /** The only place where a write is applied. A conflict has changed nothing. After an error half of the write may be there: roll it back. */
  apply(write: WriterWrite): WriteResult {
    if (write.op === 'sweep') {
      this.hasDropped = this.#members?.sweep() ?? false;
      return this.hasDropped ? 'done' : 'stale';
    }
    const rows = ofKind(this.#rows, write.kind);
    const { id, members } = write;
    const unknown = this.#findUnknown(members);
    if (write.op === 'create') {
      if (unknown) return unknown;
      const result = rows.insert(id, write.text);
      if (typeof result !== 'object' || !('n' in result)) return result;
      if (write.revision) this.#members?.giveTo(result.n, null, write.revision);
      if (members) this.#change(result.n, null, members, true);
      return 'done';
    }
    const old = rows.find(id);
    if (old === undefined || !isCurrent(old, write)) return 'stale';
    if (write.op === 'remove') return this.#remove(rows, id, old);
    if (unknown) return unknown;
    const result = write.op === 'replace' ? rows.replace(id, write.text, old) : 'done';
    if (result === 'done' && members) this.#change(old.n, old.members, members);
    return result;
  }

  /** Finishes the work that several writes share; to be called before their commit. */
  finish(): void {
    for (const { index } of this.#rows.values()) index.finish();
  }

  /** After a rollback. */
  forget(): void {
    for (const { index } of this.#rows.values()) index.forget();
  }

  #findUnknown(members: MembersChange | undefined): WriteResult | undefined {
    const unknown = members?.add.flatMap((id, at) => (this.#members?.find(id) === undefined ? [at] : []));
    return unknown && unknown.length > 0 ? { unknown } : undefined;
  }

  #remove(rows: Rows, id: string, old: StoredRow): WriteResult {
    const { relation, rows: table } = rows.tables;
    if (table === relation?.members.rows) this.#members?.removeUser({ id, n: old.n });
    rows.remove(id, old);
    this.#drop(old.members);
    return 'done';
  }

  /** A whole that leaves a member out is a new set: its cost doesn't depend on the size of the old one. */
  #change(n: number, old: number | null, change: MembersChange, isNew = false): void {
    const { isWhole = false, add, remove } = change;
    const all = this.#members;
    if (all === undefined) return;
    // Counts of this transaction wait for its end.
    if (isWhole) all.finish();
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
    if (changes > 0) all.giveTo(n, set, isNew ? 0 : 1);
  }

  #drop(set: number | null): void {
    if (set === null) return;
    this.#members?.drop(set);
    this.hasDropped = true;
  }
}

function isCurrent(row: StoredRow, { version, revision }: Exclude<RowWrite, { op: 'create' }>): boolean {
  return (
    (version === undefined || row.version === version) &&
    (revision === undefined || row.revision === null || row.revision === revision)
  );
}
