import { expect } from 'chai';
import { matchAll, matching } from '../../src/domain/find/conditions.ts';
import type { Position, Sort } from '../../src/domain/find/sorts.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser } from '../support/a-user.ts';
import { asked } from '../support/asked.ts';
import { keptSorts, positionOf } from '../support/kinds.ts';
import { idOf, sortable, valuesOf } from '../support/sortable-users.ts';
import type { Conditions, Query } from '../support/verbs.ts';
import type { Bench } from './user-store.ts';

const ids = (users: readonly User[]): string[] => users.map(({ id }) => id);

/** Skips in a list with so many users: none, some, all but one, all, and beyond its end. */
const skipsOf = (users: number): number[] =>
  [...new Set([0, 1, 2, users >> 1, users - 1, users, users + 1, 1000, Number.MAX_SAFE_INTEGER])].filter(
    (skip) => skip >= 0,
  );

export function skipCases({ ui, store, some }: Bench): void {
  const insert = async (users: readonly User[]): Promise<void> => {
    await Promise.all([...users].reverse().map((user) => store().insert(user)));
  };
  /** Reads both ways, with each skip. @param wanted the whole list, or the users behind `after` and in front of it */
  const expectSkips = async (
    query: Conditions & { readonly sort?: Sort; readonly after?: Position },
    forwards: readonly User[],
    backwards: readonly User[] = [...forwards].reverse(),
  ): Promise<void> => {
    for (const [backward, wanted] of [
      [false, forwards],
      [true, backwards],
    ] as const) {
      const asked = skipsOf(wanted.length).flatMap((skip) => [1, 3, 100].map((limit) => ({ skip, limit })));
      for (const { skip, limit } of some(asked)) {
        const walk: Query = { ...query, backward, skip, limit };
        const found = ids(await store().list(walk));
        expect(found, JSON.stringify(walk)).to.deep.equal(ids(wanted.slice(skip, skip + limit)));
      }
    }
  };

  ui.describe('asked to skip some', () => {
    ui.it('shows no users if it has none', async () => {
      await expectSkips({ where: matchAll }, []);
      await expectSkips(asked('a', { active: 'true' }), []);
    });
    ui.it(
      'skips a number of users in the order of the ids, up and down, forwards and backwards',
      async () => {
        const users = [1, 2, 3, 9, 0xa, 0x10, 0x11].map((number) => aUser({ id: idOf(number) }));
        await insert(users);
        await expectSkips({ where: matchAll }, users);
        await expectSkips({ where: matchAll, sort: { descending: true } }, [...users].reverse());
      },
    );
    for (const by of keptSorts) {
      const mayLack = ['displayName', 'familyName', 'title', 'department'].includes(by);
      const others = mayLack ? ', also past those without it' : '';
      ui.it(`skips a number of users in the order of ${by}${others}`, async () => {
        const keyed = valuesOf(by).map((value, index) => sortable(by, 90 - index, value));
        const without = mayLack ? [10, 20, 30].map((number) => sortable(by, number)) : [];
        await insert([...keyed, ...without]);
        await expectSkips({ where: matchAll, sort: { by } }, [...keyed, ...without]);
        const descending = [...[...keyed].reverse(), ...[...without].reverse()];
        await expectSkips({ where: matchAll, sort: { by, descending: true } }, descending);
      });
    }
    ui.it('skips a number of users who all lack the sorted member', async () => {
      const users = [10, 20, 30, 40].map((number) => sortable('displayName', number));
      await insert(users);
      await expectSkips({ where: matchAll, sort: { by: 'displayName' } }, users);
    });
    ui.it('skips only users that match filters, terms or both, in each order', async () => {
      const users = Array.from({ length: 24 }, (_, index) => ({
        ...sortable('displayName', index, `${index % 2 ? 'Ada' : 'Grace'} ${String(index).padStart(2, '0')}`),
        active: index % 3 === 0,
        roles: ['staff', index % 4 === 0 ? 'few' : 'most'],
      }));
      await insert(users);
      const having = (isWanted: (user: User) => boolean) => users.filter(isWanted);
      const isAda = ({ displayName = '' }: User) => displayName.startsWith('Ada');
      const isFew = ({ roles = [] }: User) => roles.includes('few');
      const conditions: readonly [Conditions, User[]][] = [
        [{ where: matching({ role: 'few' }) }, having(isFew)],
        [{ where: matching({ role: 'staff', active: 'true' }) }, having(({ active }) => active)],
        [{ where: matching({ role: 'few', active: 'true' }) }, having((user) => user.active && isFew(user))],
        [asked('ada'), having(isAda)],
        [asked('ada 1'), having((user) => isAda(user) && (user.displayName ?? '').includes(' 1'))],
        [asked('ada', { active: 'true' }), having((user) => user.active && isAda(user))],
        [asked('grace', { role: 'few', active: 'false' }), having((user) => !user.active && isFew(user))],
      ];
      for (const [condition, wanted] of conditions) {
        await expectSkips(condition, wanted);
        const byName = [...wanted].sort((one, other) =>
          (one.displayName ?? '') < (other.displayName ?? '') ? -1 : 1,
        );
        await expectSkips({ ...condition, sort: { by: 'displayName' } }, byName);
        const descending = { by: 'displayName', descending: true };
        await expectSkips({ ...condition, sort: descending }, byName.reverse());
      }
    });
    ui.it('skips the given number of users behind a place, with or without a user at the place', async () => {
      const users = ['b', 'd', 'd', 'f', undefined, undefined].map((value, at) =>
        sortable('displayName', 10 * at + 10, value),
      );
      await insert(users);
      for (const sort of [{}, { by: 'displayName' }]) {
        for (const [at, user] of users.entries()) {
          const after = positionOf(Stored.of(user), sort);
          const front = users.slice(0, at).reverse();
          await expectSkips({ where: matchAll, sort, after }, users.slice(at + 1), front);
          await expectSkips({ ...asked('user'), sort, after }, users.slice(at + 1), front);
        }
      }
      const nobodys: Position = { id: idOf(25), key: 'd' };
      await expectSkips(
        { where: matchAll, sort: { by: 'displayName' }, after: nobodys },
        users.slice(2),
        users.slice(0, 2).reverse(),
      );
    });
    ui.it('skips no user in the next query if that asks for no skip', async () => {
      const users = [1, 2, 3, 4, 5, 6].map((number) => aUser({ id: idOf(number) }));
      await insert(users);
      const skipped = await store().list({ where: matchAll, skip: 2, limit: 1 });
      expect(ids(skipped)).to.deep.equal([idOf(3)]);
      const next = await store().list({ where: matchAll, after: { id: idOf(3) }, limit: 2 });
      expect(ids(next)).to.deep.equal([idOf(4), idOf(5)]);
      expect(await store().list({ where: matchAll, limit: 9 })).to.deep.equal(users);
    });
  });
}
