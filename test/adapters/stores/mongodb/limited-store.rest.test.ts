import { openMongoStore } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import { limitedStoreCases } from '../../../contract/limited-store.ts';
import { aDatabase, describeMongo, type TestDatabase } from '../../../support/mongodb.ts';

describeMongo('The directory of a caller with an access profile, in MongoDB,', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.drop());
  limitedStoreCases(() => openMongoStore({ uri: database.uri, onProblem: () => undefined }));
});
