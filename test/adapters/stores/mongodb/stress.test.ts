import { expect } from 'chai';
import { StoredUser } from '../../../../src/domain/user/stored-user.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { describeMongo } from '../../../support/mongodb.ts';
import { behindAProxy, patient, untilReady } from './behind-a-proxy.ts';
import type { Fault } from './proxy.ts';
import { ResourceWatch } from './stress.ts';

/** At once, a hundred times as many as there are connections. */
const crowd = 400;
const waves = 4;
/** In bytes: less than a kilobyte for each request of the later waves. */
const memory = crowd * (waves - 1) * 1024;

describeMongo('The MongoDB store, when many requests meet a failing network,', function () {
  this.timeout(60_000);
  const scene = behindAProxy();

  for (const fault of ['lost', 'cut', 'silent', 'refused'] as const satisfies (Fault | 'refused')[]) {
    it(`answers them all, holds up nothing and keeps nothing of them: ${fault}`, async () => {
      const store = await scene.open();
      if (fault === 'refused') await scene.proxy.shut();
      else scene.proxy.rule = (request) => (request.includes('users-test') ? fault : undefined);
      const wave = async (): Promise<void> => {
        const requests = Array.from({ length: crowd / 2 }, () => [
          outcome(store.insert(StoredUser.of(aUser()))),
          outcome(store.find(aUser().id)),
        ]);
        expect(['unavailable', 'outcome-unknown']).to.include.members(await Promise.all(requests.flat()));
      };
      // The first wave makes pools and caches that stay: it is not measured.
      await wave();
      const resources = new ResourceWatch();
      for (let count = 1; count < waves; count += 1) await wave();
      resources.assertUnharmed({ memory });
      scene.proxy.rule = () => undefined;
      if (fault === 'refused') await scene.proxy.open();
      await untilReady(store);
    });
  }
  it('holds up nothing and keeps nothing of them when answers come slowly', async () => {
    const store = await scene.open(patient);
    scene.proxy.rule = () => 'slow';
    const wave = async (): Promise<void> => {
      const found = await Promise.all(Array.from({ length: 40 }, () => store.find(aUser().id)));
      expect(new Set(found)).to.deep.equal(new Set([undefined]));
    };
    await wave();
    const resources = new ResourceWatch();
    await wave();
    await wave();
    resources.assertUnharmed();
  });
});

describe('The watch over event loop and memory', () => {
  it('sees memory that is kept', () => {
    const resources = new ResourceWatch();
    const kept = Array.from({ length: crowd * (waves - 1) }, () => [aUser(), ...Array(100)]);
    expect(() => resources.assertUnharmed({ memory })).to.throw('memory in use');
    expect(kept).not.to.have.length(0);
  });
  it('sees a hold of the event loop', async () => {
    const resources = new ResourceWatch();
    const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
    await turn();
    for (const start = performance.now(); performance.now() - start < 1100; );
    await turn();
    expect(() => resources.assertUnharmed()).to.throw('hold of the event loop');
  });
});
