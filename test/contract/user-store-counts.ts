import { expect } from 'chai';
import type { Conditions } from '../../src/domain/ports.ts';
import type { User } from '../../src/domain/user.ts';
import { aUser, changed } from '../support/a-user.ts';
import { asked } from '../support/asked.ts';
import type { PlainStore } from '../support/plain-store.ts';
import type { Bench } from './user-store.ts';

const counted = (index: number): User =>
  aUser({
    userName: `-${index}`,
    displayName: index % 3 === 0 ? 'Ada Shared' : 'Grace Shared',
    active: index % 2 === 0,
    roles: ['staff', `role-${index % 5}`],
  });

/** How many of thirty. */
const conditions: readonly [Conditions, number][] = [
  [{ filters: {} }, 30],
  [{ filters: {}, terms: [] }, 30],
  [{ filters: { active: 'true' } }, 15],
  [{ filters: { active: 'true', role: 'role-1' } }, 3],
  [{ filters: { role: 'nobody' } }, 0],
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
    expect(await store.count(search === '' ? { filters: {} } : asked(search)), search).to.equal(count);
}

export function countCases({ ui, store, reopen }: Bench, persists: boolean): void {
  ui.describe('when one counts', () => {
    ui.it(
      'says how many there are under every kind of condition, as a list without a limit would',
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
    ui.it('is exact after each write, and after those that were refused', async () => {
      const user = aUser({ displayName: 'Ada' });
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
    ui.it('is exact after many writes at once', async () => {
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
    if (!persists) return;
    ui.it(
      'shows another store over the same data each write at once, in searches, orders and counts',
      async () => {
        const other = await reopen();
        const sort = { by: 'displayName', descending: true };
        const expectAll = async (wanted: readonly User[]): Promise<void> => {
          for (const asking of [{ filters: {} }, asked('shared')]) {
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
