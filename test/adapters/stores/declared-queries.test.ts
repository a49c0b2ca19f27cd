import { join } from 'node:path';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/open-store.ts';
import { declaredQueryCases } from '../../contract/declared-queries.ts';
import { aFolder, neverFatal } from './sqlite/a-file.ts';

describe('A list by declared attributes, in memory,', () =>
  declaredQueryCases(async (kinds) => memoryStore(kinds)));

describe('A list by declared attributes, in SQLite,', () => {
  let folder: ReturnType<typeof aFolder>;
  beforeEach(() => {
    folder = aFolder();
  });
  afterEach(() => folder.remove());
  declaredQueryCases((kinds) =>
    openSqliteStore({ file: join(folder.path, 'users.db'), kinds, onFatal: neverFatal }),
  );
});
