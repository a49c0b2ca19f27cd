import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { matchAll, matching } from '../../src/domain/find/conditions.ts';
import type { Caller } from '../../src/domain/ports.ts';
import { users } from '../../src/domain/use-cases/users.ts';
import { aUser, changed } from '../support/a-user.ts';
import { ofPlain, type PlainStore } from '../support/plain-store.ts';
import { runs } from '../support/runs.ts';
import { portOf } from '../support/stores.ts';
import { outcome } from './refusals.ts';
import type { Bench } from './user-store.ts';

const racers = 32;
/** How often each race is run. */
const rounds = runs(3);

/** All racers do the same at once, in turns over the stores, which share their data. */
async function race<T>(stores: readonly PlainStore[], run: (store: PlainStore, racer: number) => Promise<T>) {
  return Promise.all(
    Array.from({ length: racers }, (_, racer) => {
      const store = stores[racer % stores.length];
      return store ? outcome(run(store, racer)) : expect.fail('no store');
    }),
  );
}

const count = (results: readonly unknown[], wanted: unknown): number =>
  results.filter((result) => result === wanted).length;

async function raceInserts(stores: readonly PlainStore[]): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const userName = `Racer${round}`;
    const results = await race(stores, (store, racer) =>
      store.insert(aUser({ userName: racer % 2 ? userName : userName.toUpperCase() })),
    );
    expect(count(results, undefined)).to.equal(1);
    expect(count(results, 'user-name-taken')).to.equal(racers - 1);
    for (const store of stores) {
      expect(
        await store.list({ where: matching({ userName: userName.toLowerCase() }), limit: 9 }),
      ).to.have.length(1);
    }
  }
}

async function raceReplaces(stores: readonly PlainStore[]): Promise<void> {
  const user = aUser();
  await stores[0]?.insert(user);
  for (let round = 0, current = user; round < rounds; round += 1) {
    const nexts = Array.from({ length: racers }, () => changed(current));
    const results = await race(stores, (store, racer) =>
      store.replace(nexts[racer] ?? current, current.meta.version),
    );
    expect(count(results, true)).to.equal(1);
    expect(count(results, false)).to.equal(racers - 1);
    current = nexts[results.indexOf(true)] ?? current;
    for (const store of stores) expect(await store.find(user.id)).to.deep.equal(current);
  }
}

async function raceRemoves(stores: readonly PlainStore[]): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const user = aUser();
    await stores[0]?.insert(user);
    const results = await race(stores, (store, racer) =>
      racer % 2 ? store.remove(user.id, user.meta.version) : store.replace(changed(user), user.meta.version),
    );
    expect(count(results, true)).to.equal(1);
    expect(count(results, false)).to.equal(racers - 1);
  }
}

async function raceRenames(stores: readonly PlainStore[]): Promise<void> {
  const users = Array.from({ length: racers }, () => aUser());
  await Promise.all(users.map((user) => stores[0]?.insert(user)));
  const results = await race(stores, async (store, racer) => {
    const user = users[racer] ?? expect.fail('no user');
    return store.replace(changed(user, { userName: 'Wanted' }), user.meta.version);
  });
  expect(count(results, true)).to.equal(1);
  expect(count(results, 'user-name-taken')).to.equal(racers - 1);
}

const clock = { now: () => new Date() };
const ids = { id: randomUUID, version: randomUUID };
const writer: Caller = { id: 'writer', via: 'test', scopes: new Set(['users:write']) };

async function raceChanges(stores: readonly PlainStore[]): Promise<void> {
  const user = aUser();
  await stores[0]?.insert(user);
  const names = Array.from({ length: racers }, (_, racer) => `racer-${racer}`);
  const results = await race(stores, (store, racer) =>
    users(portOf(ofPlain(store)), clock, ids).change(writer, user.id, ({ roles = [], ...rest }) => ({
      ...rest,
      roles: [...roles, names[racer]],
    })),
  );
  const seen = results.map((result) => (typeof result === 'string' ? [result] : result.value.roles));
  // Each change builds on another one, and no two on the same.
  expect(new Set(seen.map((roles) => roles?.length)).size).to.equal(racers);
  for (const store of stores) expect((await store.find(user.id))?.roles).to.have.members(names);
}

export function concurrencyCases({ ui, store, reopen }: Bench, persists: boolean): void {
  ui.describe(`when ${racers} write at once`, () => {
    ui.it('gives a name to one of the writers', async () => raceInserts([store()]));
    ui.it('lets one of the writers replace a version', async () => raceReplaces([store()]));
    ui.it('lets one of the writers replace or remove a version', async () => raceRemoves([store()]));
    ui.it('lets one of several users rename itself to a free name', async () => raceRenames([store()]));
    ui.it('loses no change of a user that names no version', async () => raceChanges([store()]));
    ui.it('accepts all writes that do not concern the same user', async () => {
      const users = Array.from({ length: racers }, () => aUser());
      await Promise.all(users.map((user) => store().insert(user)));
      expect(await store().list({ where: matchAll, limit: racers + 1 })).to.have.deep.members(users);
    });
    ui.it('shows a write to every read that begins after its answer', async () => {
      await race([store()], async (one) => {
        const user = aUser();
        await one.insert(user);
        expect(await one.find(user.id)).to.deep.equal(user);
        await one.remove(user.id, user.meta.version);
        expect(await one.find(user.id)).to.equal(undefined);
      });
    });
    if (!persists) return;
    ui.it('gives a name to one of the writers through two stores on the same data', async () =>
      raceInserts([store(), await reopen()]),
    );
    ui.it('lets one of the writers replace a version through two stores on the same data', async () =>
      raceReplaces([store(), await reopen()]),
    );
    ui.it(
      'lets one of the writers replace or remove a version through two stores on the same data',
      async () => raceRemoves([store(), await reopen()]),
    );
    ui.it('lets one of several users rename itself through two stores on the same data', async () =>
      raceRenames([store(), await reopen()]),
    );
    ui.it('loses no change of a user that comes through two stores on the same data', async () =>
      raceChanges([store(), await reopen()]),
    );
  });
}
