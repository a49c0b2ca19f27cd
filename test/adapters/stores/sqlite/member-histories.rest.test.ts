import { memberHistoryCases } from '../../../contract/member-histories.ts';
import { openLog } from './opened-log.ts';

describe('The change log in SQLite', () => memberHistoryCases(openLog));
