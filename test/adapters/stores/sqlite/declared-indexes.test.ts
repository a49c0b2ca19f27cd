import { join } from 'node:path';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import { declaredIndexesContract } from '../../../contract/declared-indexes.ts';
import { aFolder, openAt } from './a-file.ts';

declaredIndexesContract('SQLite', async () => {
  const folder = aFolder();
  const file = join(folder.path, 'users.db');
  return {
    rows: 100,
    open: (declarations, steps) => openAt(file, { kinds: kindsOf(declarations), buildSteps: steps?.left }),
    discard: async () => folder.remove(),
  };
});
