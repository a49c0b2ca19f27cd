import { discardProcesses } from '../support/process.ts';
import { itEndsByItself, itMeetsDamage } from './disk-faults.ts';

describe('Two workers of the service on SQLite, when the disk fails or the file is damaged,', () => {
  afterEach(discardProcesses);

  itEndsByItself('2');
  itMeetsDamage('2');
});
