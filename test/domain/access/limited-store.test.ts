import { join } from 'node:path';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/open-store.ts';
import { aFolder, neverFatal } from '../../adapters/stores/sqlite/a-file.ts';
import { limitedStoreCases } from '../../contract/limited-store.ts';

describe('The directory of a caller with an access profile, in memory,', () =>
  limitedStoreCases(async () => memoryStore()));

describe('The directory of a caller with an access profile, in SQLite,', () => {
  let folder: ReturnType<typeof aFolder>;
  beforeEach(() => {
    folder = aFolder();
  });
  afterEach(() => folder.remove());
  limitedStoreCases(() => openSqliteStore({ file: join(folder.path, 'users.db'), onFatal: neverFatal }));
});
