import { memoryStore } from '../../../../src/adapters/stores/memory/store.ts';
import { changeLogCases } from '../../../contract/change-log.ts';

describe('The change log in memory', () => changeLogCases(async () => ({ store: memoryStore() })));
