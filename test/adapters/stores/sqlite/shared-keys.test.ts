import Database from 'better-sqlite3';
import { expect } from 'chai';
import fc from 'fast-check';
import { openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { GroupCommit } from '../../../../src/adapters/stores/sqlite/write/group-commit.ts';
import { matching } from '../../../../src/domain/find/conditions.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { asked, keysOf, termsOf } from '../../../support/asked.ts';
import { deadline } from '../../../support/deadlines.ts';
import { plain } from '../../../support/plain-store.ts';
import { runs } from '../../../support/runs.ts';
import type { Conditions, UserStore } from '../../../support/verbs.ts';
import { creating, giveFile, makeOutdated, openAt, tables } from './a-file.ts';

let count = 0;
const withRoles = (...roles: string[]): User => {
  count += 1;
  return aUser({ userName: `-${count}`, displayName: 'Ada', roles });
};

describe('Keys that many users share in SQLite', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  /** The number of users with the role: by a count, by a count with a search, and by lists of both. */
  async function expectCounts(store: UserStore, wanted: Record<string, number>): Promise<void> {
    for (const [role, count] of Object.entries(wanted))
      for (const asking of [{ where: matching({ role }) }, asked('ada', { role })]) {
        expect(await store.count(asking), role).to.equal(count);
        const sort = { by: 'displayName' };
        expect(await store.list({ ...asking, limit: 9999 }), role).to.have.length(count);
        expect(await store.list({ ...asking, sort, limit: 9999 }), role).to.have.length(count);
      }
  }

  it('are distinct, in any number and with any characters', async () => {
    const store = await openAt(file);
    const odd = ['Röle', 'role', 'ROLE', 'a b', '"', '*', "x'", 'a" AND "b', '\u{1f600}', '一', 'a', 'aa'];
    const many = Array.from({ length: 80 }, (_, index) => `r${index}`);
    const users = [...odd, ...many].map((role) => withRoles(role, 'all'));
    await Promise.all(users.map((user) => store.insert(Stored.of(user))));
    await expectCounts(store, Object.fromEntries([...odd, ...many].map((role) => [role, 1])));
    await expectCounts(store, { all: users.length, nobody: 0 });
    for (const typed of ['r79', 'all']) expect(await store.count(asked(typed))).to.equal(0);
    await store.close();
  });

  it('keep their counts when a write of a commit fails', async () => {
    const store = await openAt(file);
    const db = openConnection(file, { readonly: false, busyTimeout: deadline });
    const group = new GroupCommit(db, tables);
    const [first, second] = [withRoles('one', 'two'), withRoles('two')];
    const broken = { ...creating(first), text: '{"roles":["two"]' };
    const { results } = group.run([creating(first), broken, creating(second), creating(first)]);
    expect(results).to.deep.equal(['done', 'fault', 'done', 'id-taken']);
    await expectCounts(store, { one: 1, two: 2 });
    db.close();
    await store.close();
  });

  it('are counted again when another program has added or removed users', async () => {
    const users = Array.from({ length: 30 }, (_, index) => withRoles(`r${index % 3}`, 'all'));
    const store = await openAt(file);
    await Promise.all(users.map((user) => store.insert(Stored.of(user))));
    await store.close();
    const db = new Database(file);
    const [gone = aUser()] = users;
    db.prepare('DELETE FROM users WHERE id = ?').run(gone.id);
    const added = withRoles('new', 'all');
    const values = [added.id, added.id, added.meta.version, JSON.stringify(added)];
    db.prepare('INSERT INTO users (id, name_key, version, document) VALUES (?, ?, ?, ?)').run(...values);
    db.close();
    const again = await openAt(file);
    await expectCounts(again, { all: 30, new: 1, r0: 9, r1: 10 });
    await again.remove(added.id, added.meta.version);
    await expectCounts(again, { all: 29, new: 0 });
    await again.close();
  });

  it('stay unchanged after a change by another program until the user is replaced or all keys are rebuilt', async () => {
    const users = Array.from({ length: 5 }, () => withRoles('old'));
    const store = await openAt(file);
    await Promise.all(users.map((user) => store.insert(Stored.of(user))));
    const db = new Database(file);
    const [edited = aUser(), removed = aUser(), rebuilt = aUser()] = users;
    for (const { id } of [edited, removed, rebuilt])
      db.prepare("UPDATE users SET document = json_set(document, '$.roles[0]', 'edited') WHERE id = ?").run(
        id,
      );
    await expectCounts(store, { old: 5, edited: 0 });
    const next = changed(edited, { roles: ['next'] });
    expect(await store.replace(Stored.of(next), edited.meta.version)).to.equal(true);
    expect(await store.remove(removed.id, removed.meta.version)).to.equal(true);
    await expectCounts(store, { old: 3, edited: 0, next: 1 });
    await store.close();
    makeOutdated(db);
    db.close();
    const again = await openAt(file);
    await expectCounts(again, { old: 2, edited: 1, next: 1 });
    await again.close();
  });

  it('have correct counts after any writes', async () => {
    const roles = ['a', 'b', 'c'];
    const user = fc.record({
      displayName: fc.constantFrom('Hopper', 'Lovelace'),
      active: fc.boolean(),
      roles: fc.uniqueArray(fc.constantFrom(...roles), { minLength: 1 }),
    });
    const step = fc.record({ which: fc.nat(9), user, kind: fc.constantFrom('insert', 'replace', 'remove') });
    const conditions: readonly Conditions[] = [
      ...roles.map((role) => ({ where: matching({ role }) })),
      { where: matching({ role: 'a', active: 'true' }) },
      ...roles.map((role) => asked('hop', { role })),
      asked('hopper lovelace', { role: 'b' }),
      asked('l', { active: 'false', role: 'c' }),
    ];
    const store = plain(await openAt(file));
    const there = new Map<number, User>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        for (const { which, user, kind } of steps) {
          const known = there.get(which);
          if (known === undefined) {
            const next = aUser(user);
            await store.insert(next);
            there.set(which, next);
          } else if (kind === 'remove') {
            await store.remove(known.id, known.meta.version);
            there.delete(which);
          } else {
            const next = changed(known, user);
            await store.replace(next, known.meta.version);
            there.set(which, next);
          }
        }
        for (const asking of conditions)
          expect(await store.count(asking), JSON.stringify(asking)).to.equal(
            [...there.values()].filter((each) => matches(each, asking)).length,
          );
      }),
      { numRuns: runs(30) },
    );
    await store.close();
  });
});

/** The searches are for beginnings of names, with which no id begins. */
const matches = ({ roles = [], active, displayName = '' }: User, { where }: Conditions): boolean =>
  keysOf(where).every(([filter, key]) =>
    filter === 'role' ? roles.includes(key) : key === String(active),
  ) && termsOf(where).every((term) => term.some(({ start }) => displayName.toLowerCase().startsWith(start)));
