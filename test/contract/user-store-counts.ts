import { expect } from 'chai';
import { matchAll, matching } from '../../src/domain/find/conditions.ts';
import type { Filters } from '../../src/domain/find/filters.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser, changed } from '../support/a-user.ts';
import { asked } from '../support/asked.ts';
import type { PlainStore } from '../support/plain-store.ts';
import type { Conditions } from '../support/verbs.ts';
import type { Bench } from './user-store.ts';

const counted = (index: number): User =>
  aUser({
    userName: `-${index}`,
    displayName: index % 3 === 0 ? 'Ada Shared' : 'Grace Shared',
    active: index % 2 === 0,
    roles: ['staff', `role-${index % 5}`],
  });

/** The number of matches among thirty users. */
const conditions: readonly [Conditions, number][] = [
  [{ where: matchAll }, 30],
  [{ where: matching({}, []) }, 30],
  [{ where: matching({ active: 'true' }) }, 15],
  [{ where: matching({ active: 'true', role: 'role-1' }) }, 3],
  [{ where: matching({ role: 'nobody' }) }, 0],
  [asked('shared'), 30],
  [asked('ada'), 10],
  [asked('ada sha'), 10],
  [asked('ada grace'), 0],
  [asked('a', { active: 'true' }), 5],
  [asked('s', { active: 'false', role: 'staff' }), 15],
  [asked('29'), 1],
];

async function expectCounts(store: PlainStore, wanted: Record<string, number>): Promise<void> {
  for (const [search, count] of Object.entries(wanted))
    expect(await store.count(search === '' ? { where: matchAll } : asked(search)), search).to.equal(count);
}

export function countCases({ ui, store, reopen }: Bench, persists: boolean): void {
  ui.describe('asked for counts', () => {
    ui.it(
      'counts the users under each kind of condition, as many as a list without a limit has',
      async () => {
        await expectCounts(store(), { '': 0, a: 0 });
        await Promise.all(Array.from({ length: 30 }, (_, index) => store().insert(counted(index))));
        for (const [asking, wanted] of conditions) {
          const what = JSON.stringify(asking);
          expect(await store().count(asking), what).to.equal(wanted);
          expect(await store().list({ ...asking, limit: 1000 }), what).to.have.length(wanted);
        }
      },
    );
    ui.it('counts exactly after each write, even a refused one', async () => {
      const user = aUser({ userName: '-', displayName: 'Ada' });
      await store().insert(user);
      await expectCounts(store(), { '': 1, ada: 1, grace: 0 });
      const next = changed(user, { displayName: 'Grace' });
      await store().replace(next, user.meta.version);
      await expectCounts(store(), { '': 1, ada: 0, grace: 1 });
      await store().replace(changed(user), user.meta.version);
      await store()
        .insert(user)
        .catch(() => {});
      await store().remove(user.id, user.meta.version);
      await expectCounts(store(), { '': 1, ada: 0, grace: 1 });
      await store().remove(user.id, next.meta.version);
      await expectCounts(store(), { '': 0, ada: 0, grace: 0 });
    });
    ui.it('counts exactly after many writes at once', async () => {
      const users = Array.from({ length: 40 }, (_, index) => counted(index));
      await Promise.all(users.map((user) => store().insert(user)));
      await Promise.all(
        users.map((user, index) =>
          index < 15
            ? store().remove(user.id, user.meta.version)
            : store().replace(changed(user, { displayName: 'Renamed' }), user.meta.version),
        ),
      );
      await expectCounts(store(), { '': 25, renamed: 25, shared: 0 });
    });
    ui.it(
      'counts the users that filters find, with and without a search, exactly after each write, even a refused one',
      async () => {
        const expectFound = async (wanted: readonly (readonly [Conditions, number])[]): Promise<void> => {
          for (const [asking, count] of wanted)
            expect(await store().count(asking), JSON.stringify(asking)).to.equal(count);
        };
        const one = (filters: Filters): [Conditions, Conditions] => [
          { where: matching(filters) },
          asked('ada', filters),
        ];
        const [staff, boss, active] = [
          one({ role: 'staff' }),
          one({ role: 'boss' }),
          one({ active: 'true' }),
        ];
        const [ada, grace] = [
          aUser({ userName: '-1', displayName: 'Ada', roles: ['staff'] }),
          aUser({ userName: '-2', displayName: 'Ada', roles: ['staff', 'boss'] }),
        ];
        await expectFound([...staff, ...boss].map((asking) => [asking, 0]));
        await store().insert(ada);
        await store().insert(grace);
        await expectFound([...staff, ...active].map((asking) => [asking, 2]));
        await expectFound(boss.map((asking) => [asking, 1]));
        const next = changed(grace, { displayName: 'Grace', roles: ['boss', 'Staff'], active: false });
        await store().replace(next, grace.meta.version);
        await store().replace(changed(grace, { roles: ['nobody'] }), grace.meta.version);
        await store()
          .insert(aUser({ userName: ada.userName, roles: ['staff', 'boss', 'other'] }))
          .catch(() => {});
        await store().remove(ada.id, grace.meta.version);
        await expectFound([...staff, ...active].map((asking) => [asking, 1]));
        await expectFound([
          [boss[0], 1],
          [boss[1], 0],
          [{ where: matching({ role: 'Staff', active: 'false' }) }, 1],
          [{ where: matching({ role: 'Staff', active: 'true' }) }, 0],
          [{ where: matching({ role: 'other' }) }, 0],
          [{ where: matching({ role: 'nobody' }) }, 0],
        ]);
        await store().remove(next.id, next.meta.version);
        await store().remove(ada.id, ada.meta.version);
        await expectFound([...staff, ...boss, ...active].map((asking) => [asking, 0]));
      },
    );
    if (!persists) return;
    ui.it('counts, in both of two stores on the same data, the users that they write at once', async () => {
      const stores = [store(), await reopen()];
      const users = Array.from({ length: 60 }, (_, index) => counted(index));
      const at = (index: number): PlainStore => stores[index % 2] ?? store();
      await Promise.all(users.map((user, index) => at(index).insert(user)));
      await Promise.all(
        users.map((user, index) =>
          index % 3 === 0
            ? at(index + 1).remove(user.id, user.meta.version)
            : at(index).replace(changed(user, { roles: [`new-${index % 4}`] }), user.meta.version),
        ),
      );
      const left = users.flatMap((user, index) => (index % 3 === 0 ? [] : [{ ...user, index }]));
      const countLeft = (is: (user: (typeof left)[number]) => boolean): number => left.filter(is).length;
      for (const each of stores) {
        const count = (search: string, filters: Filters) =>
          each.count(search === '' ? { where: matching(filters) } : asked(search, filters));
        expect(await count('', { role: 'staff' })).to.equal(0);
        expect(await count('', { active: 'true' })).to.equal(countLeft(({ active }) => active));
        for (const role of [0, 1, 2, 3]) {
          const filters = { role: `new-${role}` };
          expect(await count('', filters)).to.equal(countLeft(({ index }) => index % 4 === role));
          expect(await count('grace', { ...filters, active: 'true' })).to.equal(
            countLeft(({ index, active }) => index % 4 === role && active),
          );
        }
      }
    });
    ui.it(
      'shows another store over the same data each write at once, in searches, orders and counts',
      async () => {
        const other = await reopen();
        const sort = { by: 'displayName', descending: true };
        const expectAll = async (wanted: readonly User[]): Promise<void> => {
          for (const asking of [{ where: matchAll }, asked('shared')]) {
            expect(await other.list({ ...asking, sort, limit: 9 })).to.deep.equal(wanted);
            expect(await other.count(asking)).to.equal(wanted.length);
          }
        };
        const user = aUser({ displayName: 'b shared' });
        await store().insert(user);
        await expectAll([user]);
        for (let round = 0; round < 10; round += 1) {
          const second = aUser({ displayName: 'a shared' });
          await store().insert(second);
          await expectAll([user, second]);
          const moved = changed(second, { displayName: 'c shared' });
          await store().replace(moved, second.meta.version);
          await expectAll([moved, user]);
          await store().remove(moved.id, moved.meta.version);
          await expectAll([user]);
        }
      },
    );
  });
}
