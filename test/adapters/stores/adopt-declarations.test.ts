import { expect } from 'chai';
import { adoptDeclarations, untilAdopted } from '../../../src/adapters/stores/adopt-declarations.ts';
import { markWrites } from '../../../src/adapters/stores/mark-writes.ts';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import type { StoreLocation } from '../../../src/adapters/stores/port/store-module.ts';
import { randomIds } from '../../../src/adapters/system/clock-and-ids.ts';
import { followTime } from '../../../src/domain/follow-time.ts';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../../src/domain/kinds.ts';
import { Stored } from '../../../src/domain/resource/stored.ts';
import type { Store, Write } from '../../../src/domain/store.ts';
import { aUser } from '../../support/a-user.ts';
import { until } from '../../support/deadlines.ts';
import { profileOf } from '../../support/profiles.ts';
import { tester } from '../../support/store-verbs.ts';
import { overridden } from '../../support/stores.ts';

const next = kindsOf({ attributes: { badge: { type: 'integer' } } });

/** The location of one store, which stays open. @param isAway whether it is out of reach */
function locationOf(store: Store, isAway = () => false): StoreLocation {
  let declared = '{}';
  return {
    open: async () => overridden(store, { changes: store.changes, close: async () => {} }),
    declared: {
      async read() {
        if (isAway()) throw new Error('out of reach');
        return declared;
      },
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

const fail = (cause: unknown) => expect.fail(String(cause));
const now = new Date();
const clock = { now: () => now };

describe('Texts that become typed values by a new declaration', () => {
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

describe('A store that is out of reach when the service starts with other declarations', () => {
  /** @returns the store as the service takes it, and what ends it */
  async function start(store: Store, isAway: () => boolean) {
    const parts = { kinds: next, onFatal: fail, onProblem: fail, clock, ids: randomIds };
    const adopt = () =>
      adoptDeclarations(locationOf(store, isAway), { ...parts, marked: (one: Store) => one });
    expect(await adopt()).to.equal(false);
    const fatal = Promise.withResolvers<unknown>();
    return {
      served: untilAdopted(store, adopt, { onFatal: fatal.resolve, onProblem: fail }),
      fatal: fatal.promise,
    };
  }

  it('is not ready and takes no writes until the declarations are adopted', async () => {
    const store = memoryStore(kindsOf({}));
    const [user, other] = [aUser({ attributes: { badge: '042' } }), aUser()];
    await add(store, user);
    let isAway = true;
    const { served } = await start(store, () => isAway);
    const create: Write = { kind: 'user', id: other.id, op: 'create', next: Stored.of(other) };
    const refusals = await Promise.allSettled([served.commit([create], tester), served.check()]);
    expect(refusals.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    isAway = false;
    await until('it is ready', () =>
      served.check().then(
        () => true,
        () => false,
      ),
    );
    expect((await served.find('user', user.id))?.value).to.deep.include({ attributes: { badge: 42 } });
    expect(await served.commit([create], tester)).to.deep.equal(['done']);
    await served.close();
  });

  it('ends the service if they do not fit what is stored', async () => {
    const store = memoryStore(kindsOf({}));
    await add(store, aUser({ attributes: { badge: 'none' } }));
    let isAway = true;
    const { served, fatal } = await start(store, () => isAway);
    isAway = false;
    expect(String(await fatal)).to.include("The attributes can't be declared like this: attributes.badge");
    await served.close();
  });
});
