/** A store for what a dry run would have written, of any size: on disk, in a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../adapters/stores/sqlite/open-store.ts';
import type { UserStore } from '../../domain/ports.ts';

export interface ScratchStore {
  readonly store: UserStore;
  /** Closes it, and leaves nothing of it. */
  remove(): Promise<void>;
}

/** @param onFatal called when it can't go on */
export async function openScratchStore(onFatal: (error: unknown) => void): Promise<ScratchStore> {
  // Nobody else may look into it.
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
