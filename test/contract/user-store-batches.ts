import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { matchAll, matching } from '../../src/domain/find/conditions.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { aUser, changed } from '../support/a-user.ts';
import type { PlainStore } from '../support/plain-store.ts';
import type { WriteOutcome } from '../support/verbs.ts';
import { outcome } from './refusals.ts';
import type { Bench } from './user-store.ts';

const codesOf = (outcomes: readonly WriteOutcome[]): string[] =>
  outcomes.map((one) => (one instanceof DomainError ? one.code : one));

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** More than a store reads at a time. */
const many = 700;

async function insertAll(store: PlainStore, users: readonly User[]): Promise<void> {
  const outcomes = await store.writeAll(users.map((user) => ({ user })));
  expect(new Set(outcomes)).to.deep.equal(new Set(['done']));
}

function lookUpCases({ ui, store }: Bench): void {
  ui.it('finds the existing users of many ids, each as it was stored', async () => {
    const users = times(many, () => aUser({ roles: ['a'] }));
    await insertAll(store(), users);
    const ids = users.flatMap(({ id }) => [id, randomUUID()]);
    const found = await store().findAll([...ids, ...ids.slice(0, 3)]);
    expect(found).to.deep.equal(new Map(users.map((user) => [user.id, user])));
    expect((await store().findAll([])).size).to.equal(0);
  });
  ui.it('finds by many keys what each finds alone, and at most the requested number for each', async () => {
    const users = times(many, (at) => aUser({ userName: `Name-${at}`, externalId: `e${at % 350}` }));
    await insertAll(store(), users);
    const names = users.flatMap(({ userName }) => [userName.toLowerCase(), `${userName.toLowerCase()}-none`]);
    const byName = await store().findAllBy('userName', names, 1);
    expect(byName).to.deep.equal(new Map(users.map((user) => [user.userName.toLowerCase(), [user]])));
    for (const limit of [1, 2, 3]) {
      const found = await store().findAllBy('externalId', ['e7', 'e8', 'none'], limit);
      expect([...found.keys()].sort()).to.deep.equal(['e7', 'e8']);
      for (const [key, those] of found) {
        expect(those).to.have.length(Math.min(limit, 2));
        expect(new Set(those.map(({ externalId }) => externalId))).to.deep.equal(new Set([key]));
        expect(new Set(those.map(({ id }) => id)).size).to.equal(those.length);
      }
    }
    expect((await store().findAllBy('userName', [], 1)).size).to.equal(0);
  });
  ui.it('finds a user by its rare key beside a key that all users have', async () => {
    const users = times(40, (at) => aUser({ externalId: at === 33 ? 'rare' : 'usual' }));
    await insertAll(store(), users);
    const found = await store().findAllBy('externalId', ['usual', 'rare'], 2);
    expect(found.get('rare')).to.deep.equal([users[33]]);
    expect(found.get('usual')).to.have.length(2);
  });
}

function outcomeCases({ ui, store, asItIs }: Bench): void {
  ui.it('performs the writes of a batch, and reports the outcome of each', async () => {
    const [there, other, gone] = [aUser(), aUser({ userName: 'Other' }), aUser()];
    await insertAll(store(), [there, other]);
    const fresh = times(many, () => aUser());
    const next = changed(there, { title: 'next' });
    const outcomes = await store().writeAll([
      { user: aUser({ id: there.id }) },
      { user: aUser({ userName: 'oTHER' }) },
      ...fresh.map((user) => ({ user })),
      { user: next, version: there.meta.version },
      { user: changed(other), version: randomUUID() },
      { user: changed(gone), version: gone.meta.version },
    ]);
    expect(codesOf(outcomes)).to.deep.equal([
      'id-taken',
      'user-name-taken',
      ...fresh.map(() => 'done'),
      'done',
      'stale',
      'stale',
    ]);
    const [conflict] = outcomes.slice(1);
    expect(conflict instanceof DomainError ? conflict.violations : undefined).to.deep.equal([
      { pointer: '/userName', detail: 'another user has this userName' },
    ]);
    expect(await store().find(there.id)).to.deep.equal(next);
    expect(await store().find(other.id)).to.deep.equal(other);
    expect(await store().find(gone.id)).to.equal(undefined);
    expect(await store().count({ where: matchAll })).to.equal(many + 2);
    expect(await store().writeAll([])).to.deep.equal([]);
  });
  ui.it('refuses a rename in a batch to a taken name, and does the other writes', async () => {
    const [one, two, three] = [aUser(), aUser(), aUser({ userName: 'Three' })];
    await insertAll(store(), [one, two, three]);
    const renamed = changed(two, { title: 'second' });
    const outcomes = await store().writeAll([
      { user: changed(one, { userName: 'three' }), version: one.meta.version },
      { user: renamed, version: two.meta.version },
      { user: changed(three, { userName: 'THREE' }), version: randomUUID() },
    ]);
    expect(codesOf(outcomes)).to.deep.equal(['user-name-taken', 'done', 'stale']);
    expect(await store().find(one.id)).to.deep.equal(one);
    expect(await store().find(two.id)).to.deep.equal(renamed);
  });
  ui.it('keeps the keys of users that a batch changes', async () => {
    const users = times(20, (at) => aUser({ userName: `before-${at}`, roles: ['old'] }));
    await insertAll(store(), users);
    const next = users.map((user, at) => changed(user, { userName: `after-${at}`, roles: ['new'] }));
    await store().writeAll(next.map((user, at) => ({ user, version: users[at]?.meta.version })));
    expect(await store().count({ where: matching({ role: 'old' }) })).to.equal(0);
    expect(await store().count({ where: matching({ role: 'new' }) })).to.equal(20);
    expect((await store().findAllBy('userName', ['before-3', 'after-3'], 1)).size).to.equal(1);
    await insertAll(store(), [aUser({ userName: 'before-3' })]);
  });
  ui.it('gives a name or an id that two creations of a batch want to one of them', async () => {
    const user = aUser();
    const named = codesOf(
      await store().writeAll([
        { user: aUser({ userName: 'wanted' }) },
        { user: aUser({ userName: 'WANTED' }) },
      ]),
    );
    expect(named.sort()).to.deep.equal(['done', 'user-name-taken']);
    const sameIds = codesOf(await store().writeAll([{ user }, { user: aUser({ id: user.id }) }]));
    expect(sameIds.sort()).to.deep.equal(['done', 'id-taken']);
  });
  ui.it('replaces a version once when a batch names its user twice', async () => {
    const user = aUser();
    await insertAll(store(), [user]);
    const nexts = [changed(user), changed(user)];
    const outcomes = codesOf(
      await store().writeAll(nexts.map((next) => ({ user: next, version: user.meta.version }))),
    );
    expect(outcomes.toSorted()).to.deep.equal(['done', 'stale']);
    expect(await store().find(user.id)).to.deep.equal(nexts[outcomes.indexOf('done')]);
  });
  ui.it('refuses each write of a batch as unavailable when it is closed', async () => {
    await asItIs().close();
    const closed = await outcome(
      store()
        .writeAll([{ user: aUser() }, { user: aUser() }])
        .then(codesOf),
    );
    expect([closed].flat()).to.satisfy((codes: string[]) => codes.every((code) => code === 'unavailable'));
    expect(await outcome(store().findAll([randomUUID()]))).to.equal('unavailable');
    expect(await outcome(store().findAllBy('userName', ['a'], 1))).to.equal('unavailable');
  });
}

function racingCases({ ui, store, reopen }: Bench, persists: boolean): void {
  ui.it('lets one of several batches at once replace each version', async () => {
    const stores = [store(), persists ? await reopen() : store()];
    const users = times(100, () => aUser());
    await insertAll(store(), users);
    const racers = times(6, () => users.map((user) => changed(user)));
    const all = await Promise.all(
      racers.map((nexts, racer) =>
        (stores[racer % 2] ?? store()).writeAll(
          nexts.map((user, at) => ({ user, version: users[at]?.meta.version })),
        ),
      ),
    );
    for (const [at, { id }] of users.entries()) {
      const ends = codesOf(all.flatMap((outcomes) => outcomes[at] ?? []));
      expect(ends.toSorted()).to.deep.equal(['done', ...times(5, () => 'stale')]);
      expect(await store().find(id)).to.deep.equal(racers[ends.indexOf('done')]?.[at]);
    }
  });
}

/** The writes of a batch, and the look-ups of many, have the same results as single ones. */
export function batchCases(bench: Bench, persists: boolean): void {
  bench.ui.describe('with many look-ups or writes together', () => {
    lookUpCases(bench);
    outcomeCases(bench);
    racingCases(bench, persists);
    if (!persists) return;
    bench.ui.it('keeps the writes of a batch when it is opened again', async () => {
      const users = times(300, () => aUser());
      await insertAll(bench.store(), users);
      await bench.store().close();
      expect((await (await bench.reopen()).findAll(users.map(({ id }) => id))).size).to.equal(300);
    });
  });
}
