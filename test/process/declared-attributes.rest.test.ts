import { aDatabase, describeMongo, type TestDatabase } from '../support/mongodb.ts';
import { itKeepsThePromises } from './changed-declarations.ts';

describe('Declared attributes, whose file changes between two starts on SQLite,', () => {
  itKeepsThePromises(() => ({}));
});

describeMongo('Declared attributes, whose file changes between two starts on MongoDB,', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await aDatabase();
  });
  afterEach(() => database.drop());
  itKeepsThePromises(() => ({ USERS_STORE: 'mongodb', USERS_MONGODB_URI: database.uri }));
});
