import { expect } from 'chai';
import { adoptDeclarations } from '../../../src/adapters/stores/index.ts';
import { markWrites } from '../../../src/adapters/stores/mark-writes.ts';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import type { StoreLocation } from '../../../src/adapters/stores/port/store-module.ts';
import { randomIds } from '../../../src/adapters/system/clock-and-ids.ts';
import { followTime } from '../../../src/domain/follow-time.ts';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../../src/domain/kinds.ts';
import { Stored } from '../../../src/domain/resource/stored.ts';
import type { Store } from '../../../src/domain/store.ts';
import { aUser } from '../../support/a-user.ts';
import { profileOf } from '../../support/profiles.ts';
import { tester } from '../../support/store-verbs.ts';
import { overridden } from '../../support/stores.ts';

const next = kindsOf({ attributes: { badge: { type: 'integer' } } });

/** The location of one store, which stays open. */
function locationOf(store: Store): StoreLocation {
  let declared = '{}';
  return {
    open: async () => overridden(store, { changes: store.changes, close: async () => {} }),
    declared: {
      read: async () => declared,
      async replace(before: string, after: string) {
        if (declared !== before) return false;
        declared = after;
        return true;
      },
    },
  } as unknown as StoreLocation;
}

async function add(store: Store, user: User): Promise<void> {
  const next = Stored.of(user);
  expect(await store.commit([{ kind: 'user', id: user.id, op: 'create', next }], tester)).to.deep.equal([
    'done',
  ]);
}

describe('The texts that a new declaration makes values', () => {
  const fail = (cause: unknown) => expect.fail(String(cause));
  const now = new Date();
  const clock = { now: () => now };
  const access = profileOf({ user: { where: { filter: 'title', key: 'dr' }, read: '*' } });
  const { filterMark = '' } = access.of('user');
  const profiles = { all: [access], find: () => access };
  const marked = (store: Store) => markWrites(store, next, profiles);
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
  const hooks = { kinds: next, onFatal: fail, onProblem: fail, clock, ids: randomIds, marked };

  it('leave a user active whose validity began while the service was stopped', async () => {
    const store = memoryStore(kindsOf({}));
    const meta = { created: ago(60), lastModified: ago(60), version: 'v' };
    const user = aUser({ active: false, validFrom: ago(5), attributes: { badge: '042' }, meta });
    await add(store, user);
    await adoptDeclarations(locationOf(store), hooks);
    await followTime({ store, kinds: next, clock, ids: randomIds });
    expect((await store.find('user', user.id))?.value).to.deep.include({
      active: true,
      attributes: { badge: 42 },
    });
  });

  it('are marked for the filters of access profiles, so that followers with a filter go on', async () => {
    const store = memoryStore(kindsOf({}));
    await add(store, aUser({ title: 'Dr', attributes: { badge: '042' } }));
    await adoptDeclarations(locationOf(store), hooks);
    const { entries = [] } = (await store.changes?.history(1)) ?? {};
    expect(entries[0]).to.deep.include({ type: 'user.updated', inside: { [filterMark]: 3 } });
  });
});
