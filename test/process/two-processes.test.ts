import { describeMongo, inADatabase } from '../support/mongodb.ts';
import { discardProcesses } from '../support/process.ts';
import { oneWinnerEach } from './races.ts';

const rounds = 3;

describe('Two processes of the service on one store', () => {
  afterEach(discardProcesses);

  it('let one creation of a userName and one change of a version win, on SQLite', () =>
    oneWinnerEach(rounds, {}));

  describeMongo('that is a replica set', () => {
    it('let one creation of a userName and one change of a version win', () =>
      inADatabase(({ uri }) => oneWinnerEach(rounds, { USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri })));
  });
});
