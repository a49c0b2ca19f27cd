import { join } from 'node:path';
import { everybody } from '../../../../src/domain/find/conditions.ts';
import type { UserStore } from '../../../../src/domain/ports.ts';
import { userStoreContract } from '../../../contract/user-store.ts';
import { aFolder, openAt } from './a-file.ts';

async function removeAll(store: UserStore): Promise<void> {
  for (const rows of [store, store.groups]) {
    const all = await rows.list({ where: everybody, limit: 10_000 });
    await Promise.all(all.map(({ id, version }) => rows.remove(id, version)));
  }
}

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
