import { movedLogCases } from '../../../contract/moved-logs.ts';
import { restorationCases } from '../../../contract/restored.ts';
import { openLog } from './opened-log.ts';

// Each opens a store before each of its tests.
for (const cases of [restorationCases, movedLogCases])
  describe('The change log in SQLite, moved and restored from,', () => cases(openLog));
