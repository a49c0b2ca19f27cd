import { join } from 'node:path';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/open-store.ts';
import { aFolder, neverFatal } from '../../adapters/stores/sqlite/a-file.ts';
import { limitedFeedCases } from '../../contract/limited-feed.ts';
import { onAllStores } from '../../support/runs.ts';

describe('Changes for callers with an access profile, in memory,', () =>
  limitedFeedCases(async () => ({ store: memoryStore() })));

describe('Changes for callers with an access profile, in SQLite,', () =>
  limitedFeedCases(
    async () => {
      const folder = aFolder();
      const store = await openSqliteStore({ file: join(folder.path, 'users.db'), onFatal: neverFatal });
      return { store, discard: async () => folder.remove() };
    },
    onAllStores ? 30 : 10,
  ));
