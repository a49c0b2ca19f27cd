import { join } from 'node:path';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { openSqliteStore } from '../../src/adapters/stores/sqlite/open-store.ts';
import { aFolder, neverFatal } from '../adapters/stores/sqlite/a-file.ts';
import { onAllStores } from '../support/runs.ts';
import { kinds } from './directories.ts';
import { oracleCases } from './oracle-cases.ts';

describe('A client with an access profile, in memory,', () =>
  oracleCases(async () => memoryStore(kinds), onAllStores ? 400 : 120));

describe('A client with an access profile, in SQLite,', () => {
  if (!onAllStores) return;
  const folder = aFolder();
  let opened = 0;
  oracleCases(() => {
    opened += 1;
    return openSqliteStore({ file: join(folder.path, `${opened}.db`), kinds, onFatal: neverFatal });
  });
  // After the stores are closed.
  after(() => folder.remove());
});
