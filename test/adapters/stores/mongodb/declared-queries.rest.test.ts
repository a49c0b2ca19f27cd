import { openMongoStore } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import { declaredQueryCases } from '../../../contract/declared-queries.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';

describeMongo('A list by declared attributes, in MongoDB,', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.drop());
  declaredQueryCases((kinds) => openMongoStore({ uri: database.uri, kinds, onProblem: () => undefined }));
});
