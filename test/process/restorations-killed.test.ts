import { itRestoresUnderKills } from './killed-restorations.ts';

describe('Users and groups that are restored beside other writers, on SQLite,', () => {
  itRestoresUnderKills(60, 3, (run) => run({}));
});
