import { join } from 'node:path';
import { expect } from 'chai';
import { openConnection } from '../../../../src/adapters/stores/sqlite/connection.ts';
import { Writes } from '../../../../src/adapters/stores/sqlite/writes.ts';
import type { UserStore } from '../../../../src/domain/ports.ts';
import { positionOf } from '../../../../src/domain/sorts.ts';
import { StoredUser } from '../../../../src/domain/stored-user.ts';
import { aUser } from '../../../support/a-user.ts';
import { aFolder, openAt } from './a-file.ts';

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

/** In one transaction, since durable writes take longer. */
function fill(file: string): void {
  const db = openConnection(file, { readonly: false, busyTimeout: 1000 });
  const writes = new Writes(db);
  db.transaction(() => {
    for (const { text } of users) writes.apply({ kind: 'insert', document: text });
    writes.finish();
  })();
  db.close();
}

describe('Many who match and stand together, in SQLite,', () => {
  const folder = aFolder();
  const file = join(folder.path, 'users.db');
  const query = { filters: { role: 'together' }, sort: { by: 'displayName' } };
  const keyOf = (user: StoredUser): string => positionOf(user, query.sort).key ?? '';
  const inOrder = users.slice(0, matching).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const idsOf = (those: readonly StoredUser[]): string[] => those.map(({ id }) => id);
  const placeOf = (user: StoredUser | undefined) => user && positionOf(user, query.sort);
  let store: UserStore;

  before(async () => {
    await (await openAt(file)).close();
    fill(file);
    store = await openAt(file);
  });
  after(async () => {
    await store.close();
    folder.remove();
  });

  it('are listed to the last page, behind which a walk meets nobody for long', async () => {
    const page = await store.list({ ...query, after: placeOf(inOrder.at(-20)), limit: 64 });
    expect(idsOf(page)).to.deep.equal(idsOf(inOrder.slice(-19)));
    expect(await store.list({ ...query, after: placeOf(inOrder.at(-1)), limit: 64 })).to.deep.equal([]);
  });
});
