import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Filters } from '../../../../src/domain/filters.ts';
import { makeKeys } from '../../../../src/domain/keys.ts';
import type { UserStore } from '../../../../src/domain/ports.ts';
import { StoredUser } from '../../../../src/domain/stored-user.ts';
import type { User } from '../../../../src/domain/user.ts';
import { mappingVersion, mapUserName } from '../../../../src/domain/user-name.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { plain, positionAt } from '../../../support/plain-store.ts';
import { aFolder, openAt } from './a-file.ts';
import { countTurnsDuring } from './count-turns.ts';

const each = 20_000;
/** Where in the walk along `role=even` somebody is inactive too: around the thousands, in the middle and at the end. */
const inactive = new Set([0, 998, 999, 1000, 1001, 1999, 7500, each - 2, each - 1]);

/** In id order one of either role by turns. Nobody who is odd is active, and nobody even inactive but those few. */
const users: readonly User[] = Array.from({ length: 2 * each }, (_, index) => {
  const isEven = index % 2 === 0;
  return aUser({
    id: `user-${String(index).padStart(6, '0')}`,
    active: isEven && !inactive.has(index / 2),
    roles: [isEven ? 'even' : 'odd'],
  });
});
const both: Filters = { role: 'even', active: 'false' };
const withBoth = users.filter(({ roles, active }) => roles?.[0] === 'even' && !active);
const neither: Filters = { role: 'odd', active: 'true' };

/** By the thousand in a moment, as no store's writes are. */
function fill(file: string): void {
  const db = new Database(file);
  const insert = db.prepare(
    'INSERT INTO users (id, user_name_key, mapping, version, document, writes) VALUES (?, ?, ?, ?, ?, 1)',
  );
  const addKey = db.prepare('INSERT INTO user_keys VALUES (?, ?, ?)');
  db.transaction(() => {
    for (const user of users) {
      const name = mapUserName(user.userName);
      insert.run(user.id, name, mappingVersion, user.meta.version, JSON.stringify(user));
      for (const pair of makeKeys(user).filters) addKey.run(...pair, user.id);
    }
  })();
  db.close();
}

describe('Two frequent filters at once, in SQLite,', () => {
  const folder = aFolder();
  const file = join(folder.path, 'users.db');
  let store: UserStore;

  before(async () => {
    await (await openAt(file)).close();
    fill(file);
  });
  beforeEach(async () => {
    store = await openAt(file);
  });
  afterEach(() => store.close());
  after(() => folder.remove());

  it('leave others their turns while users are looked for whom both match', async () => {
    const { value, turns } = await countTurnsDuring(store.list({ filters: neither, limit: 100 }));
    expect(value).to.deep.equal([]);
    expect(turns).to.be.at.least(each / 1000 - 1);
  });
  it('are no detour for a page that the first keys fill', async () => {
    const filters = { role: 'even', active: 'true' };
    const { value, turns } = await countTurnsDuring(store.list({ filters, limit: 100 }));
    expect(value).to.have.length(100);
    expect(turns).to.be.at.most(1);
  });
  for (const limit of [1, 4, withBoth.length, 100]) {
    it(`find all whom both match once and in order, by pages of ${limit}`, async () => {
      const seen: User[] = [];
      for (;;) {
        const page = await plain(store).list({ filters: both, after: positionAt(seen.at(-1)?.id), limit });
        seen.push(...page);
        if (page.length < limit) break;
      }
      expect(seen).to.deep.equal(withBoth);
    });
  }
  it('find everybody who is there throughout once, whoever comes and goes meanwhile', async () => {
    const goes = users.slice(0, 3000).filter(({ id }) => withBoth.every((user) => user.id !== id));
    const comes = goes.map((user) => aUser({ roles: ['even'], active: false, id: `${user.id}-new` }));
    let listed = false;
    const listing = plain(store)
      .list({ filters: both, limit: 10_000 })
      .finally(() => {
        listed = true;
      });
    for (let at = 0; !listed && at < goes.length; at += 100) {
      const removals = goes.slice(at, at + 100).map((user) => store.remove(user.id, user.meta.version));
      const insertions = comes.slice(at, at + 100).map((user) => store.insert(StoredUser.of(user)));
      await Promise.all([...removals, ...insertions]);
    }
    const there = new Set(withBoth.map(({ id }) => id));
    expect((await listing).filter(({ id }) => there.has(id))).to.deep.equal(withBoth);
  });
  it('are unavailable when the store closes between two steps', async () => {
    const listing = outcome(store.list({ filters: neither, limit: 100 }));
    await turn();
    await store.close();
    expect(await listing).to.equal('unavailable');
  });
});
