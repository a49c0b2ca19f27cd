/** What there is, by the service and by its file. */
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { makeKeys } from '../../src/domain/keys.ts';
import type { User } from '../../src/domain/user.ts';
import type { Process } from '../support/process.ts';

export async function allUsers(service: Process): Promise<Map<string, User>> {
  const headers = { authorization: `Bearer ${await service.token()}` };
  const answer = await fetch(`${service.url}/users`, { headers });
  const { users } = (await answer.json()) as { users: User[] };
  return new Map(users.map((user) => [user.id, user]));
}

/** What the file says of itself, and of the keys beside the users: all there, none too many. */
export function expectSound(file: string, there: ReadonlyMap<string, User>): void {
  const db = new Database(file, { readonly: true });
  try {
    expect(db.pragma('integrity_check', { simple: true })).to.equal('ok');
    const stored = db.prepare("SELECT filter || ' ' || key || ' ' || user_id FROM user_keys").pluck().all();
    const expected = [...there.values()].flatMap((user) =>
      makeKeys(user).filters.map((pair) => [...pair, user.id].join(' ')),
    );
    expect(stored.sort()).to.deep.equal(expected.sort());
  } finally {
    db.close();
  }
}
