import { userStoreContract } from '../../../contract/user-store.ts';
import { aDatabase, describeMongo } from '../../../support/mongodb.ts';

describeMongo('On MongoDB', function () {
  // The first case starts the server.
  this.timeout(60_000);
  userStoreContract(
    'MongoDB',
    async () => {
      const database = await aDatabase();
      const reopen = () => database.open();
      return { store: await reopen(), reopen, discard: () => database.drop() };
    },
    { persists: true },
  );
});
