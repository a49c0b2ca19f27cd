import { expect } from 'chai';
import { randomIds, systemClock } from '../../src/adapters/system/clock-and-ids.ts';
import { matchAll } from '../../src/domain/find/conditions.ts';
import { followTime } from '../../src/domain/follow-time.ts';
import { type CopyOptions, copyResources } from '../../src/domain/import/copy-resources.ts';
import { hasSameContent } from '../../src/domain/import/differences.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { aUser, changed } from '../support/a-user.ts';
import { copyParts, differencesOf } from '../support/copies.ts';
import { kinds } from '../support/kinds.ts';
import { plain } from '../support/plain-store.ts';
import { tester } from '../support/store-verbs.ts';
import { memoryStore, portOf } from '../support/stores.ts';
import type { UserStore, UserWrite } from '../support/verbs.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function filled(count: number): Promise<UserStore> {
  const store = memoryStore();
  for (let i = 0; i < count; i += 1) await store.insert(Stored.of(aUser()));
  return store;
}

/** Moves, and returns who was left, and why. */
async function moved(from: UserStore, to: UserStore, options: Partial<CopyOptions> = {}) {
  const { left } = await copyResources(portOf(from), portOf(to), { ...copyParts, by: tester, ...options });
  return [...left].map(([id, why]) => ({ id, why }));
}

async function firstOf(store: UserStore, count: number): Promise<User[]> {
  return plain(store).list({ where: matchAll, limit: count });
}

/** Without what a forced copy makes anew. */
const content = ({ meta: { created }, ...rest }: User) => ({ ...rest, created });

describe('A copy of a directory', () => {
  it('copies every user unchanged, and finds no difference afterwards', async () => {
    const [from, to] = [await filled(600), memoryStore()];
    const progress: number[] = [];
    expect(await moved(from, to, { onProgress: (done) => progress.push(done) })).to.deep.equal([]);
    expect(progress.slice(-2)).to.deep.equal([512, 600]);
    expect(await all(differencesOf(from, to))).to.deep.equal([]);
    expect(await plain(to).list({ where: matchAll, limit: 1000 })).to.deep.equal(
      await plain(from).list({ where: matchAll, limit: 1000 }),
    );
  });

  it('reports how many users wait for clients that write the same users', async () => {
    const [from, to] = [await filled(3), memoryStore()];
    let isBusy = true;
    const busy: UserStore = Object.assign(Object.create(to), {
      findAll: (ids: readonly string[]) => to.findAll(ids),
      findAllBy: (...query: Parameters<UserStore['findAllBy']>) => to.findAllBy(...query),
      writeAll: async (writes: readonly UserWrite[]) => {
        if (!isBusy) return to.writeAll(writes);
        isBusy = false;
        return writes.map(() => 'stale');
      },
    });
    const progress: (readonly [number, number])[] = [];
    const onProgress = (...told: readonly [number, number]) => progress.push(told);
    expect(await moved(from, busy, { onProgress })).to.deep.equal([]);
    expect(progress).to.deep.equal([
      [0, 3],
      [3, 0],
    ]);
  });

  it('copies a user unchanged that the current rules would refuse', async () => {
    const [from, to] = [memoryStore(), memoryStore()];
    const user = { ...aUser(), title: 'x'.repeat(10_000) };
    await from.insert(Stored.of(user));
    expect(await moved(from, to)).to.deep.equal([]);
    expect(await plain(to).find(user.id)).to.deep.equal(user);
  });

  it('continues where it was interrupted', async () => {
    const [from, to] = [await filled(120), memoryStore()];
    for (const user of await firstOf(from, 2)) await to.insert(Stored.of(user));
    expect(await all(differencesOf(from, to))).to.have.length(118);
    expect(await moved(from, to)).to.deep.equal([]);
    expect(await all(differencesOf(from, to))).to.deep.equal([]);
  });

  it('ends with the error of a store that fails halfway, and continues the next time', async () => {
    const [from, to] = [await filled(1200), memoryStore()];
    const full = new DomainError('unavailable', 'the disk is full');
    const progress: number[] = [];
    const failing: UserStore = Object.assign(Object.create(to), {
      findAll: (ids: readonly string[]) => to.findAll(ids),
      findAllBy: (...query: Parameters<UserStore['findAllBy']>) => to.findAllBy(...query),
      writeAll: async (writes: readonly UserWrite[]) =>
        progress.length < 1 ? to.writeAll(writes) : writes.map(() => full),
    });
    const end = await moved(from, failing, { onProgress: (done) => progress.push(done) }).catch(String);
    expect(end).to.include('the disk is full');
    expect(await moved(from, to)).to.deep.equal([]);
    expect(await all(differencesOf(from, to))).to.deep.equal([]);
  });

  it('leaves a user that differs in the target unchanged, names it, and copies the others', async () => {
    const [from, to] = [await filled(120), memoryStore()];
    const [user = aUser()] = await firstOf(from, 1);
    const theirs = changed(user, { title: 'theirs' });
    await to.insert(Stored.of(theirs));
    expect(await moved(from, to)).to.deep.equal([
      { id: user.id, why: 'a user with this id exists, and differs' },
    ]);
    expect(await plain(to).find(user.id)).to.deep.equal(theirs);
    expect(await all(differencesOf(from, to))).to.deep.equal([user.id]);
  });

  it('names both users when a name is taken, and copies the others', async () => {
    const [from, to] = [await filled(120), memoryStore()];
    const [user = aUser()] = await firstOf(from, 1);
    const holder = aUser({ userName: user.userName.toUpperCase() });
    await to.insert(Stored.of(holder));
    for (const force of [false, false, true]) {
      const [one, ...others] = await moved(from, to, { force });
      expect([one?.id, others]).to.deep.equal([user.id, []]);
      expect(one?.why).to.include(holder.id).and.not.include(user.userName);
    }
    expect(await plain(to).list({ where: matchAll, limit: 1000 })).to.have.length(120);
  });

  it('may come from two stores, one after the other', async () => {
    const [from, other, to] = [await filled(3), await filled(3), memoryStore()];
    expect(await moved(from, to)).to.deep.equal([]);
    expect(await moved(other, to)).to.deep.equal([]);
    expect(await plain(to).list({ where: matchAll, limit: 9 })).to.have.length(6);
  });

  it('restores, with force, what was changed and deleted since, under new versions', async () => {
    const [from, to] = [await filled(5), memoryStore()];
    await moved(from, to);
    const [one = aUser(), two = aUser(), three = aUser()] = await firstOf(from, 3);
    const since = changed(one, { title: 'since' });
    await to.replace(Stored.of(since), one.meta.version);
    await to.remove(two.id, two.meta.version);
    expect(await moved(from, to, { force: true })).to.deep.equal([]);
    expect(await all(differencesOf(from, to, hasSameContent))).to.deep.equal([]);
    const there = await firstOf(to, 3);
    expect(there.map(content)).to.deep.equal([one, two, three].map(content));
    const before = [one, two, since].map(({ meta }) => meta.version);
    for (const { meta } of there.slice(0, 2)) expect(before).not.to.include(meta.version);
    expect(there[2]).to.deep.equal(three);
    expect(await moved(from, to, { force: true })).to.deep.equal([]);
    expect(await firstOf(to, 3)).to.deep.equal(there);
  });

  it('with force, activates a user whose validFrom has passed', async () => {
    const [from, to] = [memoryStore(), memoryStore()];
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const meta = { created: minutesAgo(60), lastModified: minutesAgo(60), version: 'v' };
    const [user, there] = [aUser({ active: false, validFrom: minutesAgo(5), meta }), aUser()];
    for (const one of [user, { ...user, id: there.id, userName: there.userName }])
      await from.insert(Stored.of(one));
    await to.insert(Stored.of(there));
    expect(await moved(from, to, { force: true })).to.deep.equal([]);
    await followTime({ store: portOf(to), kinds, clock: systemClock, ids: randomIds });
    expect((await firstOf(to, 3)).map(({ active }) => active)).to.deep.equal([true, true]);
  });

  it('moves names from one user to another, with force', async () => {
    const [from, to] = [memoryStore(), memoryStore()];
    const [one, two] = ['1', '2'].map((digit) =>
      aUser({ id: `0000000${digit}-0000-7000-8000-000000000000` }),
    );
    if (one === undefined || two === undefined) throw new Error('no users');
    await to.insert(Stored.of({ ...two, userName: 'wanted' }));
    await from.insert(Stored.of({ ...one, userName: 'wanted' }));
    await from.insert(Stored.of({ ...two, userName: 'other' }));
    expect(await moved(from, to, { force: true })).to.deep.equal([]);
    expect(await all(differencesOf(from, to, hasSameContent))).to.deep.equal([]);
  });

  it('names the users that only one side has', async () => {
    const [from, to] = [await filled(3), await filled(2)];
    const ids = [
      ...(await from.list({ where: matchAll, limit: 9 })),
      ...(await to.list({ where: matchAll, limit: 9 })),
    ];
    expect(await all(differencesOf(from, to, hasSameContent))).to.deep.equal(ids.map(({ id }) => id).sort());
  });
});
