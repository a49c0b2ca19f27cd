import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { changeLogCases } from '../../../contract/change-log.ts';
import { memberHistoryCases } from '../../../contract/member-histories.ts';
import { restorationCases } from '../../../contract/restored.ts';

describe('The change log in memory', () => {
  const open = async () => ({ store: memoryStore() });
  changeLogCases(open);
  memberHistoryCases(open);
  restorationCases(open);
});
