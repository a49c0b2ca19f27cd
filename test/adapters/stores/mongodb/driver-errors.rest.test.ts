import { inspect } from 'node:util';
import { expect } from 'chai';
import { matchAll } from '../../../../src/domain/find/conditions.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { outcome, refused } from '../../../contract/refusals.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';
import { plain } from '../../../support/plain-store.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { behindAProxy, forAbsence, untilReady } from './behind-a-proxy.ts';
import type { Fault } from './proxy.ts';

describeMongo('The MongoDB store, when the network fails,', () => {
  const scene = behindAProxy();

  it('is unavailable while the server is gone, and serves again when the server is back', async () => {
    const store = await scene.open(forAbsence);
    const user = aUser();
    await store.insert(Stored.of(user));
    await scene.proxy.shut();
    const next = changed(user);
    expect(
      await Promise.all([
        outcome(store.check()),
        outcome(store.find(user.id)),
        outcome(store.list({ where: matchAll, limit: 1 })),
        outcome(store.insert(Stored.of(aUser()))),
        outcome(store.replace(Stored.of(next), user.meta.version)),
        outcome(store.remove(user.id, user.meta.version)),
      ]),
    ).to.deep.equal(Array(6).fill('unavailable'));
    await scene.proxy.open();
    await untilReady(store);
    expect((await store.find(user.id))?.value).to.deep.equal(user);
    expect(await store.replace(Stored.of(next), user.meta.version)).to.equal(true);
  });

  it('gives the reason why a server is away to reads and writes alike', async () => {
    const store = await scene.open(forAbsence);
    await scene.proxy.shut();
    for (const call of [() => store.find('x'), () => store.insert(Stored.of(aUser()))]) {
      const { cause } = await refused(call(), 'unavailable');
      expect(cause)
        .to.have.property('message')
        .match(/ECONNREFUSED/);
    }
  });

  for (const fault of ['lost', 'cut', 'silent'] as const) {
    it(`does a write once after its first attempt is ${fault}`, async () => {
      const store = await scene.open();
      const user = aUser();
      scene.disturb(user, fault, 1);
      expect(await outcome(store.insert(Stored.of(user)))).to.equal(undefined);
      const next = changed(user);
      scene.disturb(user, fault, 1);
      expect(await outcome(store.replace(Stored.of(next), user.meta.version))).to.equal(true);
      expect(await scene.direct.find(user.id)).to.deep.equal(next);
      scene.disturb(user, fault, 1);
      expect(await outcome(store.remove(user.id, next.meta.version))).to.equal(true);
      expect(await scene.direct.find(user.id)).to.equal(undefined);
    });
    it(`does not do a write whose attempts are all ${fault}`, async () => {
      const store = await scene.open();
      const user = aUser();
      scene.disturb(user, fault);
      expect(await outcome(store.insert(Stored.of(user)))).to.equal('unavailable');
      expect(await scene.direct.find(user.id)).to.equal(undefined);
      expect(await outcome(store.find(user.id))).to.equal('unavailable');
    });
  }
  it('reports an unknown outcome when a commit was sent and no server is found to repeat it', async () => {
    const store = await scene.open(forAbsence);
    const user = aUser();
    scene.proxy.rule = (request) => {
      if (!request.includes('commitTransaction')) return undefined;
      void scene.proxy.shut();
      return 'silent';
    };
    expect(await outcome(store.insert(Stored.of(user)))).to.equal('outcome-unknown');
    await scene.proxy.open();
  });
  it('completes all requests when the server answers slowly', async () => {
    const store = await scene.open();
    scene.proxy.rule = () => 'slow';
    const users = Array.from({ length: 8 }, () => aUser());
    await Promise.all(users.map((user) => store.insert(Stored.of(user))));
    expect(await Promise.all(users.map(({ id }) => plain(store).find(id)))).to.deep.equal(users);
  });
  it('gives up a write that waits too long for earlier ones, and does not do it', async () => {
    const store = await scene.open({ operationTimeout: 3000 });
    const [first, ...others] = [aUser(), aUser(), aUser()];
    let isSent = false;
    scene.proxy.rule = (request) => {
      if (!request.includes(first?.id ?? '')) return undefined;
      isSent = true;
      return 'held';
    };
    const stuck = outcome(store.insert(Stored.of(first ?? aUser())));
    await until('the first write is sent', () => isSent);
    const waiting = others.map((user) => outcome(store.insert(Stored.of(user))));
    expect(await Promise.all(waiting)).to.deep.equal(['unavailable', 'unavailable']);
    scene.disturb(first ?? aUser(), 'silent');
    scene.proxy.timeOut();
    expect(await stuck).to.equal('unavailable');
    for (const user of [first, ...others])
      expect(await scene.direct.find(user?.id ?? '')).to.equal(undefined);
  });
  it('loses no answered write and returns no wrong answer while requests meet every fault', async () => {
    const store = await scene.open();
    const faults = new Map<number, Fault>([
      [0, 'lost'],
      [5, 'cut'],
      [11, 'silent'],
    ]);
    let requests = 0;
    scene.proxy.rule = (request) => {
      if (!/insert|update|commitTransaction/.test(request)) return undefined;
      requests += 1;
      return faults.get(requests % 17);
    };
    const answered: User[] = [];
    const seen = new Set<unknown>();
    const writer = async (): Promise<void> => {
      for (let round = 0; round < 12; round += 1) {
        const user = aUser();
        const inserted = await outcome(store.insert(Stored.of(user)));
        seen.add(inserted);
        if (inserted !== undefined) continue;
        const next = changed(user);
        const replaced = await outcome(store.replace(Stored.of(next), user.meta.version));
        seen.add(replaced);
        if (replaced === true) answered.push(next);
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    expect([...seen]).to.have.members(
      ['outcome-unknown', 'unavailable', true, undefined].filter((end) => seen.has(end)),
    );
    expect(answered.length).to.be.greaterThan(0);
    for (const user of answered) expect(await scene.direct.find(user.id)).to.deep.equal(user);
  });
});

describeMongo('The MongoDB store, when the server refuses,', () => {
  let database: TestDatabase;
  let store: UserStore;

  before(async () => {
    database = await aDatabase();
    store = await database.open();
  });
  after(async () => {
    await store?.close();
    await database?.drop();
  });

  it('names no user in its errors', async () => {
    await store.insert(Stored.of(aUser({ userName: 'secret' })));
    const cause = await refused(store.insert(Stored.of(aUser({ userName: 'Secret' }))), 'user-name-taken');
    expect(inspect(cause, { depth: null })).not.to.include('ecret');
  });
});
