import { discardProcesses } from '../support/process.ts';
import { copies, itDoesNotPlayItsLog, itHasEveryUser, own } from './copied-files.ts';

describe('A backup of the SQLite file of two workers', () => {
  afterEach(discardProcesses);

  itHasEveryUser('2');
});

describe('The service, killed and started on a copy of its SQLite file,', () => {
  afterEach(discardProcesses);

  for (const how of [...Object.keys(copies), own])
    for (const isEarlier of [false, true]) itDoesNotPlayItsLog(how, isEarlier);
});
