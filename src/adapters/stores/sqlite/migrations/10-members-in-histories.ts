/**
 * Layout 10: the histories of users have the entries of groups (changes/user-rows.ts), and an index finds the entries of a request.
 *
 * The rows of the entries that the log has are derived from the log. What an entry doesn't name follows from earlier entries of the group: who was a
 * member before all members were replaced, or when the group was deleted. Members from before the oldest entry are missing there: a replacement of all members
 * that keeps them looks as if it added them, and the end of their membership is missing.
 */
import { type Change, maxIds } from '../../../../domain/changes/change.ts';
import { createRequestIndex } from '../changes/tables.ts';
import { createUserRows, UserRows } from '../changes/user-rows.ts';
import type { Connection } from '../file/connection.ts';
import { createMigrations } from '../layout/layout.ts';
import type { Relation } from '../layout/tables.ts';
import type { Migration } from './migration.ts';

/** Rows of users that one transaction writes, and entries that it passes. */
const [rowsAtOnce, entriesAtOnce] = [5_000, 50_000];

interface Row {
  readonly number: number;
  readonly mark: string;
  readonly id: string;
  readonly op: string;
  readonly version: string | null;
  readonly detail: string | null;
}

type Members = Pick<Change, 'added' | 'removed' | 'whole'>;

/** A whole list, whose following entries belong to it. */
interface Whole {
  readonly of: Row;
  /** The members before, as far as the log has them. */
  readonly before: ReadonlySet<string>;
}

function prepareStatements(db: Connection, { owners, members }: Relation) {
  const columns = 'number, mark, id, op, version, detail';
  const ofGroup = `SELECT ${columns} FROM change_log WHERE id = @id AND kind = '${owners.kind.name}'`;
  const deletion = `SELECT max(number) FROM change_log WHERE id = @id AND kind = '${members.kind.name}' AND op = 'deleted'`;
  return {
    next: db.prepare<[{ above: number; to: number }], Row>(
      `SELECT ${columns} FROM change_log WHERE number > @above AND number <= @to
       AND kind = '${owners.kind.name}' AND op IN ('members-changed', 'deleted') ORDER BY number LIMIT 1`,
    ),
    before: db.prepare<[{ id: string; number: number }], Row>(
      `${ofGroup} AND number < @number ORDER BY number DESC`,
    ),
    behind: db.prepare<[{ id: string; number: number }], Row>(
      `${ofGroup} AND number > @number ORDER BY number`,
    ),
    deletedUntil: db
      .prepare<[{ id: string; number: number }], number | null>(`${deletion} AND number < @number`)
      .pluck(),
    erasedUntil: db.prepare<[{ id: string }], number | null>(`${deletion} AND personal IS NULL`).pluck(),
    last: db.prepare<[], number | null>('SELECT max(number) FROM change_log').pluck(),
  };
}

const membersIn = ({ detail }: Row): Members => (detail === null ? {} : JSON.parse(detail));

/** Whether the entries were made by the same write. */
const isSameWrite = (one: Row, other: Row): boolean =>
  one.id === other.id && one.mark === other.mark && one.version === other.version;

class Filling {
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #users: UserRows;
  #count = 0;
  #whole: Whole | undefined;

  constructor(db: Connection, relation: Relation) {
    this.#sql = prepareStatements(db, relation);
    this.#users = new UserRows(db);
  }

  /** @returns the number of the last entry that it has passed; undefined if none is left */
  run(above: number): number | undefined {
    const last = this.#sql.last.get() ?? 0;
    if (above >= last) return undefined;
    const to = Math.min(last, above + entriesAtOnce);
    for (let at = above; ; ) {
      // The entries of one replacement belong together.
      const next = this.#sql.next.get({ above: at, to: this.#whole ? to + maxIds : to });
      if (next === undefined) return Math.max(at, to);
      if (this.#whole && !isSameWrite(this.#whole.of, next)) this.#whole = undefined;
      if (this.#whole === undefined && (this.#count >= rowsAtOnce || next.number > to))
        return Math.max(at, above);
      this.#take(next);
      at = next.number;
    }
  }

  #take(entry: Row): void {
    const { added = [], removed = [], whole } = membersIn(entry);
    if (whole || entry.op === 'deleted') {
      const before = this.#membersBefore(entry);
      if (whole) this.#whole = { of: entry, before };
      const kept = whole ? this.#listOf(entry) : new Set();
      for (const id of before) if (!kept.has(id)) this.#add(entry, id, true);
    }
    for (const id of [...added, ...removed]) if (!this.#whole?.before.has(id)) this.#add(entry, id);
  }

  /** An erasure has removed all earlier entries from the history of a user. */
  #add({ number }: Row, id: string, isSwept = false): void {
    if ((this.#sql.erasedUntil.get({ id }) ?? 0) > number) return;
    if (isSwept) this.#users.addSwept(number, id);
    else this.#users.add(number, id);
    this.#count += 1;
  }

  /** The ids of all members after a replacement. */
  #listOf(first: Row): ReadonlySet<string> {
    const ids = new Set(membersIn(first).added);
    for (const row of this.#sql.behind.iterate(first)) {
      if (!isSameWrite(first, row)) break;
      for (const id of membersIn(row).added ?? []) ids.add(id);
    }
    return ids;
  }

  /** The members of the group before the entry, from the last whole list or the creation on, if the log has one. */
  #membersBefore(entry: Row): ReadonlySet<string> {
    const rows: Row[] = [];
    for (const row of this.#sql.before.iterate(entry)) {
      rows.push(row);
      if (row.op === 'created' || row.op === 'deleted' || membersIn(row).whole) break;
    }
    /** Each member, with the number of the entry that has added it. */
    const members = new Map<string, number>();
    for (const row of rows.reverse()) {
      const { added = [], removed = [] } = membersIn(row);
      for (const id of added) members.set(id, row.number);
      for (const id of removed) members.delete(id);
    }
    const { number } = entry;
    const isLeft = ([id, since]: readonly [string, number]) =>
      (this.#sql.deletedUntil.get({ id, number }) ?? 0) < since;
    return new Set([...members].filter(isLeft).map(([id]) => id));
  }
}

export const membersInHistories: Migration = {
  layout: 10,

  // An id in an entry takes more than its row, and an entry more than its place in the index.
  bytesNeeded: (db) =>
    Number(db.prepare('SELECT ifnull(max(bytes) - min(bytes), 0) FROM change_log').pluck().get()),

  begin(db) {
    db.exec(createRequestIndex + createUserRows + createMigrations);
    db.exec(
      'ALTER TABLE member_sets ADD COLUMN ended INTEGER; ALTER TABLE member_sets ADD COLUMN ended_last INTEGER;',
    );
  },

  step: (db, { relation }, progress) => new Filling(db, relation).run(progress),

  describeProgress(db, progress) {
    const last = db.prepare('SELECT max(number) FROM change_log').pluck().get();
    return `Changes of members are added to the histories of users: ${progress} of ${last} entries of the change log.`;
  },
};
