import { describeMongo, inADatabase } from '../support/mongodb.ts';
import { runs } from '../support/runs.ts';
import { itRestoresUnderKills } from './killed-restorations.ts';

/** `RUNS=1` has them all. */
const [turns, kills] = [runs(1_000), runs(40)];

describe('Users and groups that are restored beside other writers, on SQLite,', () => {
  itRestoresUnderKills(turns, kills, (run) => run({}));
});

describeMongo('Users and groups that are restored beside other writers, on MongoDB,', () => {
  itRestoresUnderKills(turns, kills, (run) =>
    inADatabase(({ uri }) => run({ USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri })),
  );
});
