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
          for (const collection of await database.client.db().collections()) await collection.deleteMany({});
        },
      };
    },
    { persists: true, some },
  );
});
