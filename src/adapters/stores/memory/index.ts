import * as Type from 'typebox';
import { closed } from '../../../domain/validation/explain.ts';
import type { DeliveryRow, DeliveryStore } from '../port/delivery-store.ts';
import type { StoreModule } from '../port/store-module.ts';

const settings = Type.Optional(closed({}));

/** One for the process, since the API shows the state of webhooks. */
let deliveries: DeliveryStore | undefined;

export const memory: StoreModule<typeof settings> = {
  settings,
  isShared: false,
  at: () => ({
    async open({ kinds, isLogged }) {
      const { memoryStore } = await import('./store.ts');
      return memoryStore(kinds, isLogged !== false);
    },
    openDeliveries: async () => (deliveries ??= memoryDeliveries()),
    inspect: async () => 'users are kept in memory, and gone when the service ends',
    isThere: () => true,
    files: () => [],
    describe: async () => 'memory: gone when this ends',
  }),
};

/** The state of webhooks of one process, which always has the lease. */
export function memoryDeliveries(): DeliveryStore {
  const rows = new Map<string, DeliveryRow>();
  return {
    leaseTime: Number.POSITIVE_INFINITY,
    hold: async () => 1,
    read: async (of, receiver) =>
      [...rows]
        .filter(([, row]) => row.of === of && (receiver === undefined || row.receiver === receiver))
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, row]) => structuredClone(row)),
    async write(changes, fence = 1) {
      if (fence !== 1) return false;
      for (const { value, ...id } of changes) {
        const name = [id.of, id.receiver, id.key].join(' ');
        if (value === undefined) rows.delete(name);
        else rows.set(name, { ...id, value: structuredClone(value) });
      }
      return true;
    },
    async close() {},
  };
}
