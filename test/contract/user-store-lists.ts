import { expect } from 'chai';
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { aUser, changed } from '../support/a-user.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { positionAt } from '../support/plain-store.ts';
import type { Bench } from './user-store.ts';

/** Ids in the order of the numbers. */
const numbered = (number: number): User =>
  aUser({ id: `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}` });
const ids = (users: readonly User[]): string[] => users.map(({ id }) => id);

async function insertNumbered(store: PlainStore, numbers: readonly number[]): Promise<User[]> {
  const users = numbers.map(numbered);
  await Promise.all(users.map((user) => store.insert(user)));
  return users.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** All ids, page by page; `between` runs after each page with its number. */
async function walkIds(
  store: PlainStore,
  limit: number,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  for (let page = 0; ; page += 1) {
    const users = await store.list({ where: matchAll, after: positionAt(seen.at(-1)), limit });
    expect(users.length).to.be.at.most(limit);
    if (users.length === 0) return seen;
    seen.push(...ids(users));
    await between(page);
  }
}

export function listCases({ ui, store }: Bench): void {
  ui.describe('asked for lists', () => {
    ui.it('shows no users at first', async () => {
      expect(await store().list({ where: matchAll, limit: 10 })).to.deep.equal([]);
    });
    ui.it('shows users in the order of their ids, not in that of their creation', async () => {
      const users = await insertNumbered(store(), [5, 3, 0xa, 9, 1, 0x10, 2]);
      expect(await store().list({ where: matchAll, limit: 100 })).to.deep.equal(users);
    });
    ui.it('shows at most the requested number of users, from the first after the given id', async () => {
      const users = await insertNumbered(store(), [1, 2, 3, 4]);
      const [, second, third] = users;
      expect(await store().list({ where: matchAll, limit: 2 })).to.deep.equal(users.slice(0, 2));
      expect(await store().list({ where: matchAll, after: positionAt(second?.id), limit: 1 })).to.deep.equal([
        third,
      ]);
    });
    ui.it('continues behind the id of a removed user', async () => {
      const [, second, third] = await insertNumbered(store(), [1, 2, 3]);
      if (second) await store().remove(second.id, second.meta.version);
      expect(await store().list({ where: matchAll, after: positionAt(second?.id), limit: 10 })).to.deep.equal(
        [third],
      );
      expect(await store().list({ where: matchAll, after: positionAt(third?.id), limit: 10 })).to.deep.equal(
        [],
      );
    });
    for (const limit of [1, 2, 7, 20]) {
      ui.it(`shows each user exactly once in pages of ${limit}`, async () => {
        const users = await insertNumbered(store(), [...Array(20).keys()]);
        expect(await walkIds(store(), limit)).to.deep.equal(ids(users));
      });
    }
    ui.it(
      'shows each remaining user exactly once while others are created, deleted and changed between the pages',
      async () => {
        const staying = await insertNumbered(store(), [10, 20, 30, 40, 50, 60, 70, 80]);
        let leaving = await insertNumbered(store(), [5, 25, 45, 65]);
        const seen = await walkIds(store(), 3, async (page) => {
          const [gone, ...rest] = leaving;
          leaving = rest;
          if (gone) await store().remove(gone.id, gone.meta.version);
          if (page < 8) await insertNumbered(store(), [page, 71 + page]);
          const user = staying[page];
          if (user) await store().replace(changed(user), user.meta.version);
        });
        expect(seen).to.deep.equal([...new Set(seen)].sort());
        expect(seen).to.include.members(ids(staying));
      },
    );
    ui.it('shows each remaining user exactly once during concurrent writes', async () => {
      const staying = await insertNumbered(
        store(),
        [...Array(30).keys()].map((number) => number * 10),
      );
      const churn = async (): Promise<void> => {
        for (let number = 1; number < 300; number += 10) {
          const user = numbered(number);
          await store().insert(user);
          await store().remove(user.id, user.meta.version);
        }
      };
      const [seen] = await Promise.all([walkIds(store(), 4), churn()]);
      expect(seen).to.deep.equal([...new Set(seen)].sort());
      expect(seen).to.include.members(ids(staying));
    });
  });
}
