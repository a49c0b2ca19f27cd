/** The contract of what webhooks keep (stores/port/delivery-store.ts). */
import { expect } from 'chai';
import fc from 'fast-check';
import type {
  DeliveryRow,
  DeliveryRowKind,
  DeliveryStore,
} from '../../src/adapters/stores/port/delivery-store.ts';
import { anyText } from '../support/any-text.ts';
import { until as untilHolds } from '../support/deadlines.ts';
import { runs } from '../support/runs.ts';

export interface DeliveryPlace {
  /** A handle on the same rows and the same lease; closed at the end. */
  open(): DeliveryStore;
}

/** The number, once the lease is free. */
export async function takeLease(store: DeliveryStore): Promise<number> {
  let fence: number | undefined;
  await untilHolds('the lease is free', async () => {
    fence = await store.hold();
    return fence !== undefined;
  });
  return fence ?? 0;
}

const kinds: readonly DeliveryRowKind[] = ['progress', 'failure', 'request'];
const rowOf = fc.record({
  of: fc.constantFrom(...kinds),
  receiver: fc.constantFrom('hr', 'payroll', 'a'),
  key: fc.constantFrom('', '1', '000012', 'Ä'),
  value: fc.option(fc.record({ at: fc.integer(), text: anyText() }), { nil: undefined }),
});

const nameOf = ({ of, receiver, key }: Omit<DeliveryRow, 'value'>) => [of, receiver, key].join(' ');

/** The rows of the model that a read should find. */
const found = (model: ReadonlyMap<string, DeliveryRow>, of: DeliveryRowKind, receiver?: string) =>
  [...model]
    .filter(([, row]) => row.of === of && (receiver === undefined || row.receiver === receiver))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row);

/** @param isShared whether several handles, of several processes, are on the same rows */
export function deliveryStoreCases(
  withPlace: (run: (place: DeliveryPlace) => Promise<void>) => Promise<void>,
  isShared: boolean,
) {
  it('keeps rows until they are removed, and reads them in their order', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(rowOf, { maxLength: 4 }), { maxLength: 6 }), (batches) =>
        withPlace(async (place) => {
          const store = place.open();
          const fence = await takeLease(store);
          const model = new Map<string, DeliveryRow>();
          for (const [at, batch] of batches.entries()) {
            expect(
              await store.write(batch as Parameters<typeof store.write>[0], at % 2 === 0 ? fence : undefined),
            ).to.equal(true);
            for (const { value, ...id } of batch)
              if (value === undefined) model.delete(nameOf(id));
              else model.set(nameOf(id), { ...id, value });
          }
          for (const of of kinds) {
            expect(await store.read(of)).to.deep.equal(found(model, of));
            expect(await store.read(of, 'hr')).to.deep.equal(found(model, of, 'hr'));
          }
        }),
      ),
      { numRuns: runs(30) },
    ));

  it('lets the holder prolong its lease under the same number', () =>
    withPlace(async (place) => {
      const store = place.open();
      const fence = await store.hold();
      expect(fence).to.be.a('number');
      expect(await store.hold()).to.equal(fence);
    }));

  if (!isShared) return;

  it('has one holder at a time; the next one has a higher number, and writes of the previous one are refused', () =>
    withPlace(async (place) => {
      const [first, second] = [place.open(), place.open()];
      const row = { of: 'progress', receiver: 'hr', key: '' } as const;
      const before = await first.hold();
      expect(await second.hold()).to.equal(undefined);
      expect(await first.write([{ ...row, value: { by: 'first' } }], before)).to.equal(true);
      expect(await second.write([{ ...row, of: 'request', value: { by: 'command' } }])).to.equal(true);
      expect(await first.read('request')).to.have.lengthOf(1);
      await first.close();
      const after = await takeLease(second);
      expect(after).to.be.above(before ?? 0);
      const third = place.open();
      for (const change of [{ ...row, value: { by: 'third' } }, row, { ...row, receiver: 'new', value: {} }])
        expect(await third.write([change], before)).to.equal(false);
      expect(await second.read('progress')).to.deep.equal([{ ...row, value: { by: 'first' } }]);
    }));

  it('has one holder, however many ask at once', () =>
    withPlace(async (place) => {
      const stores = Array.from({ length: 8 }, () => place.open());
      const fences = await Promise.all(stores.map((store) => store.hold()));
      expect(fences.filter((fence) => fence !== undefined)).to.have.lengthOf(1);
    }));
}
