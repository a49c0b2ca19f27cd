import { userStoreContract } from '../../../contract/user-store.ts';
import { memoryStore } from '../../../support/stores.ts';

userStoreContract('memory', async () => ({ store: memoryStore() }));
