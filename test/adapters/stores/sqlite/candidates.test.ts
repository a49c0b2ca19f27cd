import { expect } from 'chai';
import { Candidates, type Lead, wantedOf } from '../../../../src/adapters/stores/sqlite/candidates.ts';
import { openConnection } from '../../../../src/adapters/stores/sqlite/connection.ts';
import { Sorting } from '../../../../src/adapters/stores/sqlite/sorting.ts';
import { Statements } from '../../../../src/adapters/stores/sqlite/statements.ts';
import type { UserStore } from '../../../../src/domain/ports.ts';
import { positionOf } from '../../../../src/domain/sorts.ts';
import { StoredUser } from '../../../../src/domain/stored-user.ts';
import { aUser } from '../../../support/a-user.ts';
import { giveStore } from './a-file.ts';
import { countTurnsDuring } from './count-turns.ts';

/** More than are kept while they are sorted. */
const matching = 8_000;
/** So many that a walk past them is given up. */
const others = 13_000;

/** Those with the role stand together at the beginning of the order. */
const users = Array.from({ length: matching + others }, (_, index) =>
  StoredUser.of(
    aUser({
      displayName: `${index < matching ? 'a' : 'b'} ${String((11 * index) % (matching + others)).padStart(6, '0')}`,
      roles: [index < matching ? 'together' : 'other'],
    }),
  ),
);

describe('Many who match and stand together, in SQLite,', () => {
  const query = { filters: { role: 'together' }, sort: { by: 'displayName' } };
  const keyOf = (user: StoredUser): string => positionOf(user, query.sort).key ?? '';
  const inOrder = users.slice(0, matching).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const idsOf = (those: readonly StoredUser[]): string[] => those.map(({ id }) => id);
  const placeOf = (user: StoredUser | undefined) => user && positionOf(user, query.sort);
  let store: UserStore;
  let file: string;
  giveStore(users, (itsStore, path) => {
    [store, file] = [itsStore, path];
  });

  it('are listed to the last page, behind which a walk meets nobody for long', async () => {
    const page = await store.list({ ...query, after: placeOf(inOrder.at(-20)), limit: 64 });
    expect(idsOf(page)).to.deep.equal(idsOf(inOrder.slice(-19)));
    expect(await store.list({ ...query, after: placeOf(inOrder.at(-1)), limit: 64 })).to.deep.equal([]);
  });
  it('are passed over, as many as are asked for, from either end', async () => {
    for (const skip of [0, 1, 4000, matching - 30, matching, matching + 1, Number.MAX_SAFE_INTEGER]) {
      const wanted = idsOf(inOrder.slice(skip, skip + 64));
      expect(idsOf(await store.list({ ...query, skip, limit: 64 })), `${skip}`).to.deep.equal(wanted);
      const left = Math.max(0, matching - skip);
      const back = idsOf(inOrder.slice(Math.max(0, left - 64), left)).reverse();
      expect(idsOf(await store.list({ ...query, backward: true, skip, limit: 64 }))).to.deep.equal(back);
    }
  });
  it('leave others their turns while everybody is passed over or counted, in an index', async () => {
    const list = await countTurnsDuring(
      store.list({ filters: {}, sort: query.sort, skip: users.length - 1, limit: 1 }),
    );
    expect(list.value.map(keyOf)).to.deep.equal([users.map(keyOf).sort().at(-1)]);
    expect(list.turns).to.be.above(0);
    const count = await countTurnsDuring(store.count({ filters: { active: 'true' } }));
    expect(count.value).to.equal(users.length);
    expect(count.turns).to.be.above(0);
  });
  it('are passed over by parts when only some are kept at a time', () => {
    const db = openConnection(file, { readonly: true, busyTimeout: 0 });
    const statements = new Statements(db);
    const sorting = new Sorting(statements, new Candidates(statements), 3000);
    const lead: Lead = { filter: ['role', 'together'], terms: [], users: matching };
    for (const skip of [1, 2990, 3000, 5995, 6000, matching - 1, matching, 20_000])
      for (const from of [undefined, 2500]) {
        const after = from === undefined ? undefined : placeOf(inOrder[from]);
        const asked = { ...query, after, skip, limit: 10 };
        const begin = (from === undefined ? 0 : from + 1) + skip;
        const found = finish(sorting.sort(asked, wantedOf(asked), lead, statements.dataVersion()));
        expect(idsOf(found), `${skip} after ${from}`).to.deep.equal(idsOf(inOrder.slice(begin, begin + 10)));
      }
    db.close();
  });
});

function finish<T>(steps: Generator<undefined, T, void>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
