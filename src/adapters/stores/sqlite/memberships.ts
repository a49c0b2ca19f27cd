import type { Statement } from 'better-sqlite3';
import { byOwner } from '../../../domain/find/owners.ts';
import type { Connection } from './file/connection.ts';
import { makeRulesAssertion } from './layout/layout.ts';
import type { Relation } from './layout/tables.ts';

/** Who belongs to which group, by point reads on the main thread. For within a transaction. */
export class Memberships {
  readonly #isMember: Statement<[string, string], number>;
  readonly #membersOf: Statement<[string, number], string>;
  readonly #groupsOf: Statement<[string, number], string>;
  readonly #assertCurrent: () => void;

  constructor(db: Connection, { owners, members }: Relation) {
    const prepare = <V extends unknown[], T>(sql: string) => db.prepare<V, T>(sql).pluck();
    this.#isMember = prepare(
      `SELECT 1 FROM ${owners.rows} AS g JOIN memberships AS m USING (members)
       JOIN ${members.rows} AS u ON u.n = m.n WHERE g.id = ? AND u.id = ?`,
    );
    this.#membersOf = prepare(
      `SELECT k.id FROM ${owners.rows} AS g
       JOIN ${members.keys} AS k ON k.filter = '${byOwner}' AND k.key = CAST(g.members AS TEXT) WHERE g.id = ? LIMIT ?`,
    );
    this.#groupsOf = prepare(
      `SELECT g.id FROM ${members.rows} AS u JOIN memberships AS m USING (n)
       JOIN ${owners.rows} AS g ON g.members = m.members WHERE u.id = ? LIMIT ?`,
    );
    this.#assertCurrent = makeRulesAssertion(db, members.kind);
  }

  isMember(group: string, user: string): boolean {
    return this.#isMember.get(group, user) !== undefined;
  }

  membersOf(group: string, limit: number): readonly string[] {
    this.#assertCurrent();
    return this.#membersOf.all(group, limit);
  }

  groupsOf(user: string, limit: number): readonly string[] {
    return this.#groupsOf.all(user, limit);
  }
}
