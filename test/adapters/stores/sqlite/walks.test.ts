import { join } from 'node:path';
import { expect } from 'chai';
import { matchAll, matching } from '../../../../src/domain/find/conditions.ts';
import type { Position, Sort } from '../../../../src/domain/find/sorts.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { asked } from '../../../support/asked.ts';
import { positionOf } from '../../../support/kinds.ts';
import type { Conditions, UserStore } from '../../../support/verbs.ts';
import { aFolder, openAt } from './a-file.ts';

/** Many more users than are read in one step. */
const many = 2400;

/** In the order of the ids, every second user lacks the value. */
const users = Array.from({ length: many }, (_, index) =>
  Stored.of(
    aUser({
      id: `user-${String(index).padStart(6, '0')}`,
      userName: `ada${index}`,
      ...(index % 2 === 0 ? {} : { displayName: `Ada ${(7 * index) % many}` }),
      active: index % 3 !== 0,
      roles: index % 5 === 0 ? ['staff', 'fifth'] : ['staff'],
    }),
  ),
);
const idsOf = (those: readonly Stored<User>[]): string[] => those.map(({ id }) => id);

describe('Walks in many steps through SQLite', () => {
  const folder = aFolder();
  let store: UserStore;

  before(async () => {
    store = await openAt(join(folder.path, 'users.db'));
    await Promise.all(users.map((user) => store.insert(user)));
  });
  after(async () => {
    await store.close();
    folder.remove();
  });

  for (const descending of [false, true])
    for (const backward of [false, true])
      it(`meet each user once, also users without the value, ${descending ? 'down' : 'up'}, ${backward ? 'backwards' : 'forwards'}`, async () => {
        const sort: Sort = { by: 'displayName', descending };
        const inOrder = await store.list({ where: matchAll, sort, backward, limit: many });
        for (const limit of [350, 2200]) {
          const seen: string[] = [];
          for (let after: Position | undefined; seen.length <= many; ) {
            const page = await store.list({ ...asked('ada'), sort, backward, after, limit });
            seen.push(...idsOf(page));
            const last = page.at(-1);
            if (last === undefined) break;
            after = positionOf(last, sort);
          }
          expect(seen).to.deep.equal(idsOf(inOrder));
        }
      });

  const conditions: Readonly<Record<string, Conditions>> = {
    'no conditions': { where: matchAll },
    'a filter': { where: matching({ active: 'true' }) },
    'two filters': { where: matching({ active: 'true', role: 'staff' }) },
    'a rarer filter': { where: matching({ active: 'true', role: 'fifth' }) },
    'a search': asked('ada'),
    'a search of two words and a filter': asked('ada a', { active: 'true' }),
  };
  for (const [what, asking] of Object.entries(conditions))
    for (const by of [undefined, 'displayName'])
      it(`skip any number of users, under ${what}, by ${by ?? 'id'}`, async () => {
        for (const descending of [false, true])
          for (const backward of [false, true]) {
            const query = { ...asking, sort: { by, descending }, backward };
            const all = idsOf(await store.list({ ...query, limit: 10 * many }));
            expect(all).to.have.length(await store.count(asking));
            for (const skip of [1, 499, 500, 501, 1199, 1200, 1201, all.length - 1, all.length, 10 * many]) {
              const page = await store.list({ ...query, skip, limit: 7 });
              expect(idsOf(page), `${skip}`).to.deep.equal(all.slice(skip, skip + 7));
            }
          }
      });
});
