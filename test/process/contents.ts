/** The users in a data folder, as the service shows them and as its SQLite file has them. */

import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Keys } from '../../src/domain/find/keys.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { makeKeys } from '../support/kinds.ts';
import type { Process } from '../support/process.ts';

export async function allUsers(service: Process): Promise<Map<string, User>> {
  const headers = { authorization: `Bearer ${await service.token()}` };
  const answer = await fetch(`${service.url}/users`, { headers });
  expect(answer.status).to.equal(200);
  const { users } = (await answer.json()) as { users: User[] };
  return new Map(users.map((user) => [user.id, user]));
}

/** Fails when the file is damaged, or a filter key is missing or too many. */
export function expectUndamaged(
  file: string,
  there: ReadonlyMap<string, User>,
  keysOf: (user: User) => Pick<Keys, 'filters'> = makeKeys,
): void {
  const db = new Database(file, { readonly: true });
  try {
    expect(db.pragma('integrity_check', { simple: true })).to.equal('ok');
    const stored = db.prepare("SELECT filter || ' ' || key || ' ' || id FROM user_keys").pluck().all();
    const expected = [...there.values()].flatMap((user) =>
      keysOf(user).filters.map((pair) => [...pair, user.id].join(' ')),
    );
    expect(stored.sort()).to.deep.equal(expected.sort());
  } finally {
    db.close();
  }
}
