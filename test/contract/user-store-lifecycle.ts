import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { matchAll, matching } from '../../src/domain/find/conditions.ts';
import { aUser, changed } from '../support/a-user.ts';
import { asked } from '../support/asked.ts';
import { refused } from './refusals.ts';
import type { Bench } from './user-store.ts';

function closingCases({ ui, store }: Bench): void {
  ui.it('is ready', async () => store().check());
  ui.it('may be closed twice, also at once', async () => {
    await Promise.all([store().close(), store().close()]);
    await store().close();
  });
  ui.it('refuses all operations as unavailable when it is closed', async () => {
    const user = aUser();
    await store().insert(user);
    await store().close();
    const calls = [
      store().find(user.id),
      store().list({ where: matchAll, limit: 1 }),
      store().list({ where: matching({ active: 'true' }), limit: 1 }),
      store().list({ ...asked('user'), sort: { by: 'userName' }, limit: 1 }),
      store().count({ where: matchAll }),
      store().count(asked('user')),
      store().insert(aUser()),
      store().replace(changed(user), user.meta.version),
      store().remove(user.id, user.meta.version),
      store().check(),
    ];
    await Promise.all(calls.map((call) => refused(call, 'unavailable')));
  });
  ui.it('finishes accepted writes before it closes', async () => {
    let answered = 0;
    const inserts = Array.from({ length: 100 }, async () => {
      await store().insert(aUser());
      answered += 1;
    });
    await store().close();
    // The promises of an existing answer settle within a turn.
    await nextTurn();
    expect(answered, 'writes answered when it is closed').to.equal(inserts.length);
    await Promise.all(inserts);
  });
}

function persistenceCases({ ui, store, reopen }: Bench): void {
  ui.it('keeps all users when it is opened again', async () => {
    const [one, two, gone] = [aUser({ roles: ['a'] }), aUser(), aUser({ roles: ['a'] })];
    for (const user of [one, two, gone]) await store().insert(user);
    const next = changed(two, { userName: 'Renamed', roles: ['a'] });
    await store().replace(next, two.meta.version);
    await store().remove(gone.id, gone.meta.version);
    await store().close();

    const again = await reopen();
    expect(await again.find(one.id)).to.deep.equal(one);
    expect(await again.find(gone.id)).to.equal(undefined);
    expect(await again.list({ where: matching({ role: 'a' }), limit: 9 })).to.have.deep.members([one, next]);
    await refused(again.insert(aUser({ userName: 'rENAMED' })), 'user-name-taken');
    await again.insert(aUser({ userName: two.userName }));
  });
  ui.it('shows an answered write to every other store on the same data at once', async () => {
    const other = await reopen();
    for (let round = 0; round < 20; round += 1) {
      const user = aUser({ externalId: `round-${round}` });
      await store().insert(user);
      expect(await other.find(user.id)).to.deep.equal(user);
      expect(await other.list({ where: matching({ externalId: `round-${round}` }), limit: 2 })).to.deep.equal(
        [user],
      );
      expect(await other.remove(user.id, user.meta.version)).to.equal(true);
      expect(await store().find(user.id)).to.equal(undefined);
    }
  });
  ui.it('goes on when another store on the same data is closed', async () => {
    const other = await reopen();
    await other.close();
    await store().insert(aUser());
    expect(await store().list({ where: matchAll, limit: 9 })).to.have.length(1);
  });
}

export function lifecycleCases(bench: Bench, persists: boolean): void {
  bench.ui.describe('from opening to closing', () => {
    closingCases(bench);
    if (persists) persistenceCases(bench);
  });
}
