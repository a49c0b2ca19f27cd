import { discardProcesses } from '../support/process.ts';
import { damages, itIsNotTrusted } from './damaged-logs.ts';

describe('The service killed, and then its SQLite file’s log damaged in any way,', () => {
  afterEach(discardProcesses);

  for (const damage of damages)
    for (const isShared of damage.showsInTheLog ? [true, false] : [true]) itIsNotTrusted(damage, isShared);
});
