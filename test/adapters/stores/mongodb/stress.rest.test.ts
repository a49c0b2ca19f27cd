import { expect } from 'chai';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { until } from '../../../support/deadlines.ts';
import { describeMongo } from '../../../support/mongodb.ts';
import { behindAProxy, forAbsence, untilReady } from './behind-a-proxy.ts';
import type { Fault } from './proxy.ts';
import { Watched } from './stress.ts';

/** At once, many times as many as there are connections. */
const crowd = 100;
const waves = 3;

describeMongo('The MongoDB store, when many requests meet a failing network,', () => {
  const scene = behindAProxy();

  for (const fault of ['lost', 'cut', 'silent', 'refused'] as const satisfies (Fault | 'refused')[]) {
    it(`answers all requests and leaks no memory: ${fault}`, async () => {
      const store = await scene.open(fault === 'refused' ? forAbsence : {});
      if (fault === 'refused') await scene.proxy.shut();
      // Not what a new connection sends at first, which names the database as well.
      else scene.proxy.rule = (request) => (/insert|find/.test(request) ? fault : undefined);
      const watched = new Watched();
      const wave = async (): Promise<void> => {
        const requests = Array.from({ length: crowd / 2 }, () => [
          outcome(store.insert(watched.add(Stored.of(aUser())))),
          outcome(store.find(aUser().id)),
        ]);
        expect(['unavailable', 'outcome-unknown']).to.include.members(await Promise.all(requests.flat()));
      };
      for (let count = 0; count < waves; count += 1) await wave();
      await watched.untilGone();
      scene.proxy.rule = () => undefined;
      if (fault === 'refused') await scene.proxy.open();
      await untilReady(store);
    });
  }
  it('leaks no memory when the server answers slowly', async () => {
    const store = await scene.open();
    scene.proxy.rule = () => 'slow';
    const watched = new Watched();
    const wave = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 20 }, () => store.insert(watched.add(Stored.of(aUser())))));
    for (let count = 0; count < waves; count += 1) await wave();
    await watched.untilGone();
  });
});

describe('The check for leaks', () => {
  it('finds an object that is kept', async () => {
    const watched = new Watched();
    const kept = watched.add(aUser());
    watched.add(aUser());
    await until('one of two is gone', () => watched.count() === 1);
    expect(kept.active).to.equal(true);
  });
});
