import { join } from 'node:path';
import { userStoreContract } from '../../../contract/user-store.ts';
import { removeAll } from '../../../support/remove-all.ts';
import { aFolder, openAt } from './a-file.ts';

userStoreContract(
  'SQLite',
  async () => {
    const folder = aFolder();
    const reopen = () => openAt(join(folder.path, 'users.db'));
    const store = await reopen();
    return { store, reopen, discard: async () => folder.remove(), clear: () => removeAll(store) };
  },
  { persists: true },
);
