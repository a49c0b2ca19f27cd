import { openMongoStore } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import { limitedFeedCases } from '../../../contract/limited-feed.ts';
import { deadline } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo } from '../../../support/mongodb.ts';

const onProblem = (message: string): never => {
  throw new Error(message);
};

describeMongo('Changes for callers with an access profile, in MongoDB,', () =>
  limitedFeedCases(async () => {
    const database = await aDatabase();
    const { uri } = database;
    const store = await openMongoStore({ uri, onProblem, operationTimeout: deadline });
    return { store, discard: () => database.drop() };
  }, 30),
);
