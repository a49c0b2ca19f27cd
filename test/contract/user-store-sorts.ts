import { expect } from 'chai';
import { type Condition, matchAll } from '../../src/domain/find/conditions.ts';
import { comparePositions, type Position, type Sort } from '../../src/domain/find/sorts.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser } from '../support/a-user.ts';
import { keptSorts, positionOf } from '../support/kinds.ts';
import { idOf, sortable, valuesOf } from '../support/sortable-users.ts';
import { answer } from './query-oracle.ts';
import type { Bench } from './user-store.ts';

/** A user of an order in which values may be missing or equal. */
const loose = ['displayName', 'familyName', 'title', 'department'];

export function sortCases({ ui, store, asItIs }: Bench): void {
  const insert = async (users: readonly User[]): Promise<void> => {
    // They are in none of the requested orders.
    const mixed = [...users.filter((_, at) => at % 2), ...users.filter((_, at) => at % 2 === 0).reverse()];
    for (const user of mixed) await store().insert(user);
  };
  const walk = async (
    sort: Sort,
    backward: boolean,
    limit: number,
    from?: Position,
    where: Condition = matchAll,
  ): Promise<string[]> => {
    const seen: string[] = [];
    for (let after = from; ; ) {
      const page = await asItIs().list({ where, sort, backward, after, limit });
      expect(page.length).to.be.at.most(limit);
      seen.push(...page.map(({ id }) => id));
      if (seen.length > 100) expect.fail(`no end: ${seen}`);
      const last = page.at(-1);
      if (last === undefined) return seen;
      after = positionOf(last, sort);
    }
  };
  const expectOrder = async (sort: Sort, wanted: readonly User[], limits = [1, 2, 7, 100]): Promise<void> => {
    const ids = wanted.map(({ id }) => id);
    for (const limit of limits) {
      const what = `${JSON.stringify(sort)} in pages of ${limit}`;
      expect(await walk(sort, false, limit), `forwards, ${what}`).to.deep.equal(ids);
      expect(await walk(sort, true, limit), `backwards, ${what}`).to.deep.equal([...ids].reverse());
    }
  };

  ui.describe('asked for orders', () => {
    for (const by of keptSorts) {
      ui.it(`lists by ${by}, up and down, forwards and backwards`, async () => {
        const users = valuesOf(by).map((value, index) => sortable(by, 90 - index, value));
        await insert(users);
        await expectOrder({ by }, users);
        await expectOrder({ by, descending: true }, [...users].reverse());
      });
    }
    ui.it('lists by id, up and down, forwards and backwards', async () => {
      const users = [1, 2, 3, 9, 0xa, 0x10, 0x11, 0xff].map((number) => aUser({ id: idOf(number) }));
      await insert(users);
      await expectOrder({}, users);
      await expectOrder({ descending: true }, [...users].reverse());
    });
    ui.it('lists equal users in the order of their ids, which is reversed with the rest', async () => {
      const users = ['Ann', 'bo', 'BO', 'bó', 'Bo', 'bo', 'cy'].map((value, at) =>
        sortable('displayName', at, value),
      );
      await insert(users);
      await expectOrder({ by: 'displayName' }, users);
      await expectOrder({ by: 'displayName', descending: true }, [...users].reverse());
    });
    ui.it('lists users without the value last in either direction', async () => {
      for (const by of loose) {
        const offset = by === 'displayName' ? 0 : 100;
        const [a, b] = ['ann', 'bo'].map((value, at) => sortable(by, offset + 50 + at, value)) as [
          User,
          User,
        ];
        const without = [1, 2, 3].map((number) => sortable(by, offset + number));
        await insert([a, ...without, b]);
        await expectOrder({ by }, [a, b, ...without]);
        await expectOrder({ by, descending: true }, [b, a, ...[...without].reverse()]);
        for (const user of [a, b, ...without]) await store().remove(user.id, user.meta.version);
      }
    });
    ui.it('compares texts by code points, with characters beyond U+FFFF behind all others', async () => {
      const values = ['a', 'a b', 'aa', '\u00FE', '\uD7FB', '\uFFFD', '\uFFFDa', '\u{1F600}', '\u{10FFFD}'];
      const users = values.map((value, index) => sortable('displayName', 50 - index, value));
      await insert(users);
      await expectOrder({ by: 'displayName' }, users, [1, 100]);
      await expectOrder({ by: 'displayName', descending: true }, [...users].reverse(), [1, 100]);
    });
    ui.it('treats texts as equal if their first 128 characters are', async () => {
      const long = '\u{1F600}'.repeat(128);
      const users = ['c', 'b', 'a', ''].map((end, at) => sortable('displayName', at, `${long}${end}`));
      await insert(users);
      await expectOrder({ by: 'displayName' }, users, [1, 3]);
    });
    ui.it('continues from a place where no user stands', async () => {
      const by = 'displayName';
      const users = ['b', 'd', 'd', undefined].map((value, at) => sortable(by, 10 * at + 10, value));
      await insert(users);
      const places: readonly [Position, behind: number][] = [
        [{ id: idOf(99), key: 'a' }, 0],
        [{ id: idOf(9), key: 'b' }, 0],
        [{ id: idOf(11), key: 'b' }, 1],
        [{ id: idOf(1), key: 'c' }, 1],
        [{ id: idOf(25), key: 'd' }, 2],
        [{ id: idOf(1), key: 'd\u{10FFFD}' }, 3],
        [{ id: idOf(1) }, 3],
        [{ id: idOf(41) }, 4],
      ];
      const ids = users.map(({ id }) => id);
      for (const [place, behind] of places) {
        const what = JSON.stringify(place);
        expect(await walk({ by }, false, 2, place), what).to.deep.equal(ids.slice(behind));
        expect(await walk({ by }, true, 2, place), what).to.deep.equal(ids.slice(0, behind).reverse());
      }
      // Reversed: d 30, d 20, b 10, without 40.
      const down = [2, 1, 0, 3].map((at) => ids[at]);
      const turned: readonly [Position, behind: number][] = [
        [{ id: idOf(1), key: 'e' }, 0],
        [{ id: idOf(25), key: 'd' }, 1],
        [{ id: idOf(1), key: 'c' }, 2],
        [{ id: idOf(1), key: 'a' }, 3],
        [{ id: idOf(41) }, 3],
        [{ id: idOf(39) }, 4],
      ];
      for (const [place, behind] of turned) {
        const sort = { by, descending: true };
        expect(await walk(sort, false, 2, place), JSON.stringify(place)).to.deep.equal(down.slice(behind));
        expect(await walk(sort, true, 2, place)).to.deep.equal(down.slice(0, behind).reverse());
      }
    });
    ui.it('lists the users in a range of keys, behind or in front of any place', async () => {
      const by = 'displayName';
      const users = ['a', 'b', 'b', 'ba', 'c', undefined].map((value, at) => sortable(by, 10 * at, value));
      await insert(users);
      const places = [{ key: 'a' }, { key: 'b' }, { key: 'bb' }, { key: 'd' }, {}];
      for (const range of [{ from: 'b', to: 'c' }, { from: 'b' }, { to: 'c' }, { from: 'b', to: 'b' }, {}])
        for (const sort of [{}, { by: 'userName' }, { by }, { by, descending: true }])
          for (const place of [undefined, ...places.map((key): Position => ({ id: idOf(15), ...key }))]) {
            if (sort.by !== by && place?.key !== undefined) continue;
            const where = { sort: by, ...range };
            const wanted = answer(users, {
              filters: {},
              search: '',
              tree: where,
              descending: false,
              ...sort,
            });
            const isBehind = (user: User, direction: number): boolean =>
              place === undefined ||
              direction * comparePositions(positionOf(Stored.of(user), sort), place, sort) > 0;
            for (const backward of [false, true]) {
              const left = wanted.filter((user) => isBehind(user, backward ? -1 : 1)).map(({ id }) => id);
              const what = JSON.stringify({ where, sort, place, backward });
              const seen = await walk(sort, backward, 2, place, where);
              expect(seen, what).to.deep.equal(backward ? left.reverse() : left);
            }
          }
    });
    ui.it('lists from the user at the given position, or from the end without one', async () => {
      const [one, two] = ['b', undefined].map((value, at) => sortable('displayName', at, value)) as [
        User,
        User,
      ];
      await insert([one, two]);
      for (const sort of [{ by: 'displayName' }, { by: 'displayName', descending: true }]) {
        const at = (user: User) => positionOf(Stored.of(user), sort);
        expect(await walk(sort, false, 9, at(one))).to.deep.equal([two.id]);
        expect(await walk(sort, false, 9, at(two))).to.deep.equal([]);
        expect(await walk(sort, true, 9, at(two))).to.deep.equal([one.id]);
        expect(await walk(sort, true, 1)).to.deep.equal([two.id, one.id]);
      }
    });
  });
}
