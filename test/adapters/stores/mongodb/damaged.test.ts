import { aDatabase, describeMongo } from '../../../support/mongodb.ts';
import { damagedUserCases, type Loose } from '../../damaged-users.ts';

describeMongo('On MongoDB', () => {
  damagedUserCases('MongoDB', async () => {
    const database = await aDatabase();
    const users = database.client.db().collection<Loose & { _id: string }>('users');
    return {
      store: await database.open(),
      edit: async (id, change) => {
        const { _id, ...document } = (await users.findOne({ _id: id })) ?? { _id: id };
        change(document);
        await users.replaceOne({ _id: id }, document);
      },
      discard: () => database.drop(),
    };
  });
});
