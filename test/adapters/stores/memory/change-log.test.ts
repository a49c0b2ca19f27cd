import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { changeLogCases } from '../../../contract/change-log.ts';
import { memberHistoryCases } from '../../../contract/member-histories.ts';
import { restorationCases } from '../../../contract/restored.ts';

for (const cases of [changeLogCases, memberHistoryCases, restorationCases])
  describe('The change log in memory', () => cases(async () => ({ store: memoryStore() })));
