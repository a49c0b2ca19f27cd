import { join } from 'node:path';
import { userStoreContract } from '../../../contract/user-store.ts';
import { aFolder, openAt } from './a-file.ts';

userStoreContract(
  'SQLite',
  async () => {
    const folder = aFolder();
    const reopen = () => openAt(join(folder.path, 'users.db'));
    return { store: await reopen(), reopen, discard: async () => folder.remove() };
  },
  { persists: true },
);
