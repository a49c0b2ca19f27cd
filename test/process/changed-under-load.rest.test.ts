import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { itSurvivesChanges } from './changed-under-load.ts';

describe('Declared attributes, whose file changes under load, on SQLite,', () => {
  itSurvivesChanges(() => ({}));
});

describeMongo('Declared attributes, whose file changes under load, on MongoDB,', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.drop());
  itSurvivesChanges(() => ({ USERS_STORE: 'mongodb', USERS_MONGODB_URI: database.uri }));
});
