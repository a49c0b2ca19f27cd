import { describeMongo, inADatabase } from '../support/mongodb.ts';
import { discardProcesses } from '../support/process.ts';
import { isWhole } from '../support/runs.ts';
import { killSenders } from './killed-webhooks.ts';

const seconds = isWhole ? 120 : 20;

describe('Webhooks under 64 writers, whose processes are killed again and again, to a receiver that answers anything', () => {
  afterEach(discardProcesses);

  it('all arrive, first in commit order for each resource, from two processes on SQLite', () =>
    killSenders(seconds, 2, {}));

  describeMongo('from processes on MongoDB', () => {
    it('all arrive, first in commit order for each resource', () =>
      inADatabase(({ uri }) => killSenders(seconds, 3, { USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri })));
  });
});
