import * as Type from 'typebox';
import type { DeliveryStore } from '../port/delivery-store.ts';
import type { StoreModule } from '../port/store-module.ts';
import { closed } from '../port/store-module.ts';

const settings = Type.Optional(closed({}));

/** One for the process: what webhooks keep is also shown. */
let deliveries: Promise<DeliveryStore> | undefined;

export const memory: StoreModule<typeof settings> = {
  settings,
  isShared: false,
  async open(_, { kinds, isLogged }) {
    const { memoryStore } = await import('./store.ts');
    return memoryStore(kinds, isLogged);
  },
  openDeliveries: () =>
    (deliveries ??= import('./deliveries.ts').then(({ memoryDeliveries }) => memoryDeliveries())),
  inspect: async () => 'users are kept in memory, and gone when the service ends',
  describe: async () => 'memory: gone when this ends',
};
