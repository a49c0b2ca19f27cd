import { describeMongo, inADatabase } from '../support/mongodb.ts';
import { discardProcesses } from '../support/process.ts';
import { oneWinnerEach } from './races.ts';

const rounds = 10;

describe('Two processes of two workers each on one store', () => {
  afterEach(discardProcesses);

  it('let one creation of a userName and one change of a version win, on SQLite', () =>
    oneWinnerEach(rounds, { USERS_WORKERS: '2' }));

  describeMongo('that is a replica set', () => {
    it('let one creation of a userName and one change of a version win', () =>
      inADatabase(({ uri }) =>
        oneWinnerEach(rounds, { USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri, USERS_WORKERS: '2' }),
      ));
  });
});

describe('Two processes of the service on one store', () => {
  afterEach(discardProcesses);

  it('let one creation of a userName and one change of a version win, on SQLite', () => oneWinnerEach(3, {}));

  describeMongo('that is a replica set', () => {
    it('let one creation of a userName and one change of a version win', () =>
      inADatabase(({ uri }) => oneWinnerEach(3, { USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri })));
  });
});
