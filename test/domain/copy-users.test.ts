import { expect } from 'chai';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { copyUsers, differences } from '../../src/domain/copy-users.ts';
import type { UserStore } from '../../src/domain/ports.ts';
import { aUser } from '../support/a-user.ts';
import { plain } from '../support/plain-store.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function filled(count: number): Promise<UserStore> {
  const store = memoryStore();
  for (let i = 0; i < count; i += 1) await store.insert(aUser());
  return store;
}

describe('Moving house', () => {
  it('copies every user as it is, and sees that nothing differs', async () => {
    const [from, to] = [await filled(250), memoryStore()];
    const progress: number[] = [];
    expect(await copyUsers(from, to, (done) => progress.push(done))).to.equal(250);
    expect(progress).to.deep.equal([100, 200, 250]);
    expect(await all(differences(from, to))).to.deep.equal([]);
    expect(await plain(to).list({ filters: {}, limit: 1000 })).to.deep.equal(
      await plain(from).list({ filters: {}, limit: 1000 }),
    );
  });

  it('goes on where it was broken off, and puts right what has changed since', async () => {
    const [from, to] = [await filled(120), memoryStore()];
    const [first, second] = await plain(from).list({ filters: {}, limit: 2 });
    if (first === undefined || second === undefined) throw new Error('no users');
    await to.insert(first);
    await to.insert({ ...second, title: 'old', meta: { ...second.meta, version: 'old' } });
    expect(await all(differences(from, to))).to.have.length(119);
    await copyUsers(from, to, () => undefined);
    expect(await all(differences(from, to))).to.deep.equal([]);
  });

  it('names the users that only one side has', async () => {
    const [from, to] = [await filled(3), await filled(2)];
    const ids = [
      ...(await from.list({ filters: {}, limit: 9 })),
      ...(await to.list({ filters: {}, limit: 9 })),
    ];
    expect(await all(differences(from, to))).to.deep.equal(ids.map(({ id }) => id).sort());
  });
});
