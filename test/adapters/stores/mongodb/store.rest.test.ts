import { userStoreContract } from '../../../contract/user-store.ts';
import { aDatabase, describeMongo } from '../../../support/mongodb.ts';
import { some } from '../../../support/runs.ts';

describeMongo('On MongoDB', () => {
  userStoreContract(
    'MongoDB',
    async () => {
      const database = await aDatabase();
      const reopen = () => database.open();
      return {
        store: await reopen(),
        reopen,
        discard: () => database.drop(),
        clear: async () => {
          const collections = await database.client.db().collections();
          // The log's own state stays: a store that is open relies on it.
          for (const collection of collections.filter(
            ({ collectionName }) => collectionName !== 'change_log',
          ))
            await collection.deleteMany({});
        },
      };
    },
    { persists: true, some },
  );
});
