import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { describeMongo } from '../../../support/mongodb.ts';
import { plain } from '../../../support/plain-store.ts';
import { runs } from '../../../support/runs.ts';
import { behindAProxy, untilReady } from './behind-a-proxy.ts';
import type { Fault } from './proxy.ts';

/** In one command larger than what the system holds of a connection. */
const manyIds = (): string[] => Array.from({ length: 220_000 }, () => aUser().id);

/** The largest, as many as a command of MongoDB may have. */
function largeUsers(): User[] {
  const attributes = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`a${at}`, 'x'.repeat(1024)]));
  return Array.from({ length: 700 }, () => aUser({ attributes }));
}

describeMongo('The MongoDB store, when a connection closes while a command waits to be sent,', () => {
  const scene = behindAProxy();

  /** Has the next large commands go wrong. */
  const disturb = (fault: Fault, times = Number.POSITIVE_INFINITY): void => {
    let left = times;
    // Of the monitor and of the handshake all are small.
    scene.proxy.rule = (request) => {
      if (left === 0 || request.length < 10_000) return undefined;
      left -= 1;
      return fault;
    };
  };

  it('sends reads and writes again when the connection was reset once', async () => {
    const store = plain(await scene.open());
    const user = aUser();
    await scene.direct.insert(user);
    disturb('torn', 1);
    expect([...(await store.findAll([...manyIds(), user.id])).values()]).to.deep.equal([user]);
    const users = largeUsers();
    disturb('torn', 1);
    const outcomes = await store.writeAll(users.map((one) => ({ user: one })));
    expect(new Set(outcomes)).to.deep.equal(new Set(['done']));
    expect((await scene.direct.findAll(users.map(({ id }) => id))).size).to.equal(users.length);
  });
  for (const fault of ['stuck', 'torn'] as const)
    it(`is unavailable, and does no write, when every attempt is ${fault}`, async () => {
      const store = plain(await scene.open());
      disturb(fault);
      expect(await outcome(store.findAll(manyIds()))).to.equal('unavailable');
      const users = largeUsers();
      const outcomes = await store.writeAll(users.map((user) => ({ user })));
      expect(new Set(outcomes.map((one) => typeof one === 'object' && one.code))).to.deep.equal(
        new Set(['unavailable']),
      );
      scene.proxy.rule = () => undefined;
      await untilReady(await scene.open());
      expect(await scene.direct.findAll(users.map(({ id }) => id))).to.have.property('size', 0);
    });

  it('answers every request, however often the server ends all connections meanwhile', async () => {
    const store = await scene.open({ maxPoolSize: 30 });
    const outcomes: Promise<unknown>[] = [];
    for (let round = 0; round < runs(60); round += 1) {
      await untilReady(store);
      await Promise.all(Array.from({ length: 30 }, () => outcome(store.find(''))));
      scene.proxy.endConnections();
      for (let turns = 0; turns < 20; turns += 1) {
        outcomes.push(outcome(store.find('')));
        await turn();
      }
    }
    for (const one of await Promise.all(outcomes)) expect(one).to.be.oneOf([undefined, 'unavailable']);
  });
});
