import { expect } from 'chai';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import type { Write } from '../../src/domain/store.ts';
import { aUser, changed } from '../support/a-user.ts';
import { LoggedWrites } from '../support/logged-writes.ts';
import { tester } from '../support/store-verbs.ts';
import { overridden } from '../support/stores.ts';
import { createUser, removeUser, replaceUser } from './change-log.ts';

const user = aUser();
const next = changed(user);
const [create, replace, remove] = [createUser(user), replaceUser(user, next), removeUser(next)];

/** The complaints of the watcher of all tests. @param missed writes that leave no entry @param stray writes that the watcher doesn't see */
async function findMistakes({
  missed = [],
  stray = [],
}: {
  missed?: readonly Write[];
  stray?: readonly Write[];
}): Promise<string> {
  const inner = memoryStore();
  const store = overridden(inner, {
    changes: inner.changes,
    commit: async (writes, by) =>
      missed.some((write) => writes.includes(write)) ? ['done'] : await inner.commit(writes, by),
  });
  const watcher = new LoggedWrites(() => 'a test');
  watcher.watch(store, { isAlone: true });
  for (const write of [create, replace, remove])
    await (stray.includes(write) ? inner : store).commit([write], tester);
  await store.close();
  try {
    watcher.expectAll();
    return '';
  } catch (error) {
    return String(error);
  }
}

describe('The watcher of all tests', () => {
  it('finds nothing wrong with a store whose log has an entry for each write', async () => {
    expect(await findMistakes({})).to.equal('');
  });

  for (const [type, write] of [
    ['user.deleted', remove],
    ['user.updated', replace],
    ['user.created', create],
  ] as const) {
    it(`finds a write without its entry: ${type}`, async () => {
      const found = await findMistakes({ missed: [write] });
      expect(found).to.include(`${type} ${user.id}: 1 writes, 0 entries (in: a test)`);
    });

    it(`finds an entry without its write: ${type}`, async () => {
      const found = await findMistakes({ stray: [write] });
      expect(found).to.include(`${type} ${user.id}: 0 writes, 1 entries (in: a test)`);
    });
  }
});
