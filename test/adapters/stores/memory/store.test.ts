import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { userStoreContract } from '../../../contract/user-store.ts';

userStoreContract('memory', async () => ({ store: memoryStore() }));
