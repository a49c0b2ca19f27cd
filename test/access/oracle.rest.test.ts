import { openMongoStore } from '../../src/adapters/stores/mongodb/open-store.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { kinds } from './directories.ts';
import { oracleCases } from './oracle-cases.ts';

describeMongo('A client with an access profile, in MongoDB,', () => {
  const databases: TestDatabase[] = [];
  after(() => Promise.all(databases.map((database) => database.drop())));
  oracleCases(async () => {
    const database = await aDatabase();
    databases.push(database);
    return await openMongoStore({ uri: database.uri, kinds, onProblem: () => {} });
  });
});
