import { expect } from 'chai';
import { mongoDeliveries } from '../../../../src/adapters/stores/mongodb/deliveries.ts';
import type { DeliveryStore } from '../../../../src/adapters/stores/port/delivery-store.ts';
import { type DeliveryPlace, deliveryStoreCases, takeLease } from '../../../contract/delivery-store.ts';
import { describeMongo, inADatabase } from '../../../support/mongodb.ts';

const inPlace =
  (leaseTime?: number) =>
  (run: (place: DeliveryPlace) => Promise<void>): Promise<void> =>
    inADatabase(async ({ uri }) => {
      const opened: DeliveryStore[] = [];
      const open = () => {
        const store = mongoDeliveries({ uri }, leaseTime);
        opened.push(store);
        return store;
      };
      try {
        await run({ open });
      } finally {
        for (const store of opened) await store.close();
      }
    });

describeMongo('The state of webhooks in MongoDB', () => {
  deliveryStoreCases(inPlace(), true);

  it('can be taken over some time after its holder died; later writes of that holder are refused', () =>
    inPlace(500)(async (place) => {
      const [dead, next] = [place.open(), place.open()];
      const before = await dead.hold();
      const after = await takeLease(next);
      expect(after).to.be.above(before ?? 0);
      expect(await dead.write([{ of: 'failure', receiver: 'hr', key: '1', value: {} }], before)).to.equal(
        false,
      );
      expect(await next.read('failure')).to.deep.equal([]);
    }));
});
