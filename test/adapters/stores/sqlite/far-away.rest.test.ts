import { expect } from 'chai';
import { matching as matchingAll } from '../../../../src/domain/find/conditions.ts';
import { comparePositions, type Position } from '../../../../src/domain/find/sorts.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { asked } from '../../../support/asked.ts';
import { positionOf } from '../../../support/kinds.ts';
import type { Query, UserStore } from '../../../support/verbs.ts';
import { giveStore } from './a-file.ts';

/** So many users that a scan past them is given up. */
const [others, matching] = [26_000, 6_000];

/** The users called Hopper are at the end of the order, and a few in its middle. Some users have no name to be sorted by. */
function nameOf(index: number): string | undefined {
  const number = String((17 * index) % others).padStart(6, '0');
  if (index < others) return `B ${number}`;
  if (index % 1000 === 0) return `B 0133${index % 7}`;
  return index % 100 === 0 ? undefined : `C ${number}`;
}
const users = Array.from({ length: others + matching }, (_, index) => {
  const displayName = nameOf(index);
  return Stored.of(
    aUser({
      id: `user-${String((7 * index) % (others + matching)).padStart(6, '0')}`,
      userName: `-${index}`,
      name: { familyName: index < others ? 'Lovelace' : 'Hopper' },
      active: index % 3 !== 0,
      ...(displayName === undefined ? {} : { displayName }),
    }),
  );
});

const idsOf = (those: readonly Stored<User>[]): string[] => those.map(({ id }) => id);
const isHopper = ({ value: user }: Stored<User>): boolean => user.name?.familyName === 'Hopper';

describe('Users far down a sorted list from SQLite', () => {
  let store: UserStore;
  giveStore(users, (given) => {
    store = given;
  });

  const inOrder = (those: readonly Stored<User>[], query: Omit<Query, 'limit'>): string[] => {
    const { sort = {}, backward } = query;
    const places = those.map((user) => positionOf(user, sort));
    places.sort((one, other) => (backward ? -1 : 1) * comparePositions(one, other, sort));
    return places.map(({ id }) => id);
  };

  for (const descending of [false, true])
    for (const backward of [false, true])
      it(`are found in their order, ${descending ? 'down' : 'up'}, ${backward ? 'backwards' : 'forwards'}, page after page, twice`, async () => {
        const sort = { by: 'displayName', descending };
        for (const active of [undefined, 'false']) {
          const conditions = asked('hopper', active === undefined ? {} : { active });
          const wanted = users.filter(
            (each) => isHopper(each) && (active === undefined || !each.value.active),
          );
          for (const limit of [400, 400, 4000]) {
            const seen: string[] = [];
            for (let after: Position | undefined; ; ) {
              const page = await store.list({ ...conditions, sort, backward, after, limit });
              seen.push(...idsOf(page));
              const last = page.at(-1);
              if (last === undefined) break;
              after = positionOf(last, sort);
            }
            expect(seen).to.deep.equal(inOrder(wanted, { ...conditions, sort, backward }));
          }
        }
      });
  it('are skipped, as many as requested', async () => {
    const query = { ...asked('hopper'), sort: { by: 'displayName' } };
    const wanted = inOrder(users.filter(isHopper), query);
    for (const skip of [1, 5, 6, 700, matching - 10, matching])
      expect(idsOf(await store.list({ ...query, skip, limit: 64 })), `${skip}`).to.deep.equal(
        wanted.slice(skip, skip + 64),
      );
  });
  it('are found by a filter alone, too', async () => {
    const query = { where: matchingAll({ active: 'false' }), sort: { by: 'displayName', descending: true } };
    const wanted = inOrder(
      users.filter(({ value: user }) => !user.active),
      query,
    );
    expect(idsOf(await store.list({ ...query, limit: 300 }))).to.deep.equal(wanted.slice(0, 300));
    const found = await store.list({ ...query, backward: true, limit: 300 });
    expect(idsOf(found)).to.deep.equal(wanted.slice(-300).toReversed());
  });
  it('are shown in their new state after each write', async () => {
    const sort = { by: 'displayName' };
    const query = { ...asked('hopper'), sort, limit: 3 };
    const before = inOrder(users.filter(isHopper), query);
    expect(idsOf(await store.list(query))).to.deep.equal(before.slice(0, 3));
    const [first = aUser()] = users.filter(({ id }) => id === before[0]).map(({ value }) => value);
    const next = changed(first, { displayName: 'D' });
    await store.replace(Stored.of(next), first.meta.version);
    expect(idsOf(await store.list(query))).to.deep.equal(before.slice(1, 4));
    const added = aUser({ displayName: 'A', name: { familyName: 'Hopper' } });
    await store.insert(Stored.of(added));
    expect(idsOf(await store.list(query))).to.deep.equal([added.id, ...before.slice(1, 3)]);
    await store.remove(added.id, added.meta.version);
    await store.replace(
      Stored.of(changed(next, { displayName: first.displayName ?? '' })),
      next.meta.version,
    );
    expect(idsOf(await store.list(query))).to.deep.equal(before.slice(0, 3));
  });
});
