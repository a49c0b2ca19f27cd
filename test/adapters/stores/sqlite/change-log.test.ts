import { join } from 'node:path';
import { openSqliteStore } from '../../../../src/adapters/stores/sqlite/open-store.ts';
import { changeLogCases } from '../../../contract/change-log.ts';
import { deadline } from '../../../support/deadlines.ts';
import { aFolder, neverFatal } from './a-file.ts';

describe('The change log in SQLite', () =>
  changeLogCases(async () => {
    const folder = aFolder();
    const file = join(folder.path, 'users.db');
    const reopen = () => openSqliteStore({ file, onFatal: neverFatal, busyTimeout: deadline });
    return { store: await reopen(), reopen, discard: async () => folder.remove() };
  }));
