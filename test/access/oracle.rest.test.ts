import { openMongoStore } from '../../src/adapters/stores/mongodb/open-store.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { isWhole } from '../support/runs.ts';
import { kinds } from './directories.ts';
import { oracleCases } from './oracle-cases.ts';

describeMongo('A client with an access profile, in MongoDB,', () => {
  const databases: TestDatabase[] = [];
  after(() => Promise.all(databases.map((database) => database.drop())));
  oracleCases(
    async () => {
      const database = await aDatabase();
      databases.push(database);
      return await openMongoStore({ uri: database.uri, kinds, onProblem: () => {} });
      // Each directory takes MongoDB seconds: as many as in the other stores only with RUNS=1.
    },
    isWhole ? 400 : 130,
  );
});
