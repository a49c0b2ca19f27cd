/**
 * The users of each set of members (layout/tables.ts); `removeUser` ends the memberships of a deleted user. All methods are called within a
 * transaction that holds the write lock.
 */
import { maxMemberships, type Place } from '../../../../domain/changes/change.ts';
import type { FilterKey } from '../../../../domain/find/keys.ts';
import { byOwner } from '../../../../domain/find/owners.ts';
import type { Appended } from '../changes/log-writer.ts';
import { idsIn, type UserRows } from '../changes/user-rows.ts';
import type { Connection } from '../file/connection.ts';
import type { IndexRows } from '../layout/index-rows.ts';
import type { Relation } from '../layout/tables.ts';

/** Rows of a dropped set that are removed in one transaction, which takes some 5 ms. */
const sweptAtOnce = 500;

interface Member {
  readonly id: string;
  readonly n: number;
}

const keyOf = (set: number): FilterKey => [byOwner, String(set)];

function prepareStatements(db: Connection, { owners, members }: Relation) {
  return {
    create: db.prepare('INSERT INTO member_sets DEFAULT VALUES'),
    drop: db.prepare('UPDATE member_sets SET is_dropped = 1 WHERE members = ?'),
    setEnd: db.prepare('UPDATE member_sets SET ended = ?, ended_last = ? WHERE members = ?'),
    end: db.prepare<[number], Appended & Pick<Place, 'mark'>>(
      `SELECT ended AS first, ended_last AS last, mark FROM member_sets JOIN change_log ON number = ended
       WHERE members = ?`,
    ),
    details: db
      .prepare<[number, number], string>(
        'SELECT detail FROM change_log WHERE number BETWEEN ? AND ? AND detail IS NOT NULL',
      )
      .pluck(),
    dropped: db.prepare<[], number>('SELECT members FROM member_sets WHERE is_dropped LIMIT 1').pluck(),
    forget: db.prepare('DELETE FROM member_sets WHERE members = ?'),
    some: db.prepare<[string, number], Member>(
      `SELECT id, n FROM ${members.keys} WHERE filter = '${byOwner}' AND key = ? LIMIT ?`,
    ),
    count: db
      .prepare<[string], number>(
        `SELECT count FROM ${members.counts} WHERE filter = '${byOwner}' AND key = ?`,
      )
      .pluck(),
    numberOf: db.prepare<[string], number>(`SELECT n FROM ${members.rows} WHERE id = ?`).pluck(),
    has: db
      .prepare<[number, number], number>('SELECT 1 FROM memberships WHERE n = ? AND members = ?')
      .pluck(),
    add: db.prepare('INSERT OR IGNORE INTO memberships (n, members) VALUES (?, ?)'),
    remove: db.prepare('DELETE FROM memberships WHERE n = ? AND members = ?'),
    setsOf: db.prepare<[number], number>('SELECT members FROM memberships WHERE n = ?').pluck(),
    ownersOf: db
      .prepare<[number, number], string>(
        `SELECT id FROM memberships JOIN ${owners.rows} g ON g.members = memberships.members
         WHERE memberships.n = ? LIMIT ?`,
      )
      .pluck(),
    touch: db.prepare(`UPDATE ${owners.rows} SET revision = revision + 1 WHERE members = ?`),
    give: db.prepare(`UPDATE ${owners.rows} SET members = ?, revision = revision + ? WHERE n = ?`),
  };
}

export class MemberSets {
  readonly #sql: ReturnType<typeof prepareStatements>;
  readonly #users: IndexRows;
  readonly #histories: UserRows;
  /** The members that the last whole list kept, by its first entry: several steps of a sweep need them. Writes of one transaction share the mark. */
  #kept: (Pick<Place, 'mark'> & { readonly first: number; readonly ids: ReadonlySet<string> }) | undefined;

  /** @param users the index rows of users, which have a key for each membership @param histories get the end of memberships */
  constructor(db: Connection, relation: Relation, users: IndexRows, histories: UserRows) {
    this.#sql = prepareStatements(db, relation);
    this.#users = users;
    this.#histories = histories;
  }

  /** @returns the number of an empty set */
  createSet(): number {
    return Number(this.#sql.create.run().lastInsertRowid);
  }

  get hasDropped(): boolean {
    return this.#sql.dropped.get() !== undefined;
  }

  /** Its members are removed by `sweep`. */
  drop(set: number): void {
    this.#sql.drop.run(set);
  }

  /** Stores the entries that record the end of the set: the sweep adds the first one to the histories of its members. */
  setEnd(set: number, { first, last }: Appended): void {
    this.#sql.setEnd.run(first, last, set);
  }

  /** @param group its number @param revisions added to the group's revision; a new group keeps 0 with any members */
  giveTo(group: number, set: number | null, revisions: number): void {
    this.#sql.give.run(set, revisions, group);
  }

  finish(): void {
    this.#users.finish();
  }

  /** The value at the last `finish`. */
  count(set: number): number {
    return this.#sql.count.get(String(set)) ?? 0;
  }

  find(id: string): Member | undefined {
    const n = this.#sql.numberOf.get(id);
    return n === undefined ? undefined : { id, n };
  }

  has(set: number, { n }: Member): boolean {
    return this.#sql.has.get(n, set) !== undefined;
  }

  /** False for a member. */
  add(set: number, { id, n }: Member): boolean {
    if (this.#sql.add.run(n, set).changes === 0) return false;
    this.#users.changeKeys(id, n, [], [keyOf(set)]);
    return true;
  }

  /** False for a user who isn't a member. */
  remove(set: number, { id, n }: Member): boolean {
    if (this.#sql.remove.run(n, set).changes === 0) return false;
    this.#users.changeKeys(id, n, [keyOf(set)], []);
    return true;
  }

  /** As `remove`; false also for an id without a user. */
  removeId(set: number, id: string): boolean {
    const user = this.find(id);
    return user !== undefined && this.remove(set, user);
  }

  /** The ids of the members of a set: at most one more than a deletion keeps. */
  idsOf(set: number): readonly string[] {
    return this.#sql.some.all(String(set), maxMemberships + 1).map(({ id }) => id);
  }

  /** The ids of the groups of a user, as `idsOf`. */
  ownersOf(user: number): readonly string[] {
    return this.#sql.ownersOf.all(user, maxMemberships + 1);
  }

  /** Ends all memberships of a user that is removed. */
  removeUser(member: Member): void {
    for (const set of this.#sql.setsOf.all(member.n)) {
      this.#logEnd(set, member);
      this.remove(set, member);
      this.#sql.touch.run(set);
    }
  }

  /** Removes some rows of dropped sets. False when there are none. */
  sweep(): boolean {
    const set = this.#sql.dropped.get();
    if (set === undefined) return false;
    const some = this.#sql.some.all(String(set), sweptAtOnce);
    for (const member of some) {
      this.#logEnd(set, member);
      this.remove(set, member);
    }
    if (some.length < sweptAtOnce) this.#sql.forget.run(set);
    return true;
  }

  /** Adds the end of a dropped set to the history of a member, if the log still has the end and the next list didn't keep the member. */
  #logEnd(set: number, { id }: Member): void {
    const end = this.#sql.end.get(set);
    if (end === undefined || this.#keptBy(end).has(id)) return;
    this.#histories.addSwept(end.first, id);
  }

  #keptBy({ first, last, mark }: Appended & Pick<Place, 'mark'>): ReadonlySet<string> {
    if (this.#kept?.mark !== mark || this.#kept.first !== first)
      this.#kept = { mark, first, ids: new Set(this.#sql.details.all(first, last).flatMap(idsIn)) };
    return this.#kept.ids;
  }
}
