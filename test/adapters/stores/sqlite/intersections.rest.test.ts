import { expect } from 'chai';
import { matching } from '../../../../src/domain/find/conditions.ts';
import type { Filters } from '../../../../src/domain/find/filters.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { plain, positionAt } from '../../../support/plain-store.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { giveStore } from './a-file.ts';

const each = 20_000;
/** Places of inactive users along `role=even`: around the thousands, in the middle and at the end. */
const inactive = new Set([0, 998, 999, 1000, 1001, 1999, 7500, each - 2, each - 1]);

/** In the order of the ids, the roles alternate. All odd users are inactive; even users are active, except those few. */
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

describe('Two frequent filters at once in SQLite', () => {
  let store: UserStore;
  giveStore(
    users.map((user) => Stored.of(user)),
    (given) => {
      store = given;
    },
  );

  it('find no user when both are frequent and no user has both', async () => {
    expect(await store.list({ where: matching(neither), limit: 100 })).to.deep.equal([]);
    expect(await store.count({ where: matching(neither) })).to.equal(0);
  });
  for (const limit of [1, 4, withBoth.length, 100]) {
    it(`find the users that match both, each once and in order, in pages of ${limit}`, async () => {
      const seen: User[] = [];
      for (;;) {
        const page = await plain(store).list({
          where: matching(both),
          after: positionAt(seen.at(-1)?.id),
          limit,
        });
        seen.push(...page);
        if (page.length < limit) break;
      }
      expect(seen).to.deep.equal(withBoth);
    });
  }
  it('find each remaining user once, while others are created and deleted', async () => {
    const goes = users.slice(0, 3000).filter(({ id }) => withBoth.every((user) => user.id !== id));
    const comes = goes.map((user) => aUser({ roles: ['even'], active: false, id: `${user.id}-new` }));
    let listed = false;
    const listing = plain(store)
      .list({ where: matching(both), limit: 10_000 })
      .finally(() => {
        listed = true;
      });
    for (let at = 0; !listed && at < goes.length; at += 100) {
      const removals = goes.slice(at, at + 100).map((user) => store.remove(user.id, user.meta.version));
      const insertions = comes.slice(at, at + 100).map((user) => store.insert(Stored.of(user)));
      await Promise.all([...removals, ...insertions]);
    }
    const there = new Set(withBoth.map(({ id }) => id));
    expect((await listing).filter(({ id }) => there.has(id))).to.deep.equal(withBoth);
  });
});
