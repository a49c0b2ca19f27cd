/** A store of any size for the writes of a dry run: on disk, in a temporary folder. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../adapters/stores/sqlite/open-store.ts';
import type { Store } from '../../domain/store.ts';

export interface ScratchStore {
  readonly store: Store;
  /** Closes and removes it. */
  remove(): Promise<void>;
}

/** @param onFatal called when the store fails */
export async function openScratchStore(onFatal: (error: unknown) => void): Promise<ScratchStore> {
  // Other users of the system may not read it.
  const folder = mkdtempSync(join(tmpdir(), 'user-management-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeFolder);
  const store = await openSqliteStore({ file: join(folder, 'users.db'), onFatal, isPassedThrough: true });
  return {
    store,
    remove: async () => {
      await store.close();
      process.off('exit', removeFolder);
      removeFolder();
    },
  };
}
