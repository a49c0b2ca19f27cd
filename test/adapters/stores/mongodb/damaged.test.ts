import { aDatabase, describeMongo } from '../../../support/mongodb.ts';
import { damagedUserCases, type Loose } from '../../damaged-users.ts';

describeMongo('On MongoDB', () => {
  damagedUserCases('MongoDB', async () => {
    const database = await aDatabase();
    const users = database.client.db().collection<{ _id: string; text: string }>('users');
    return {
      store: await database.open(),
      edit: async (id, change) => {
        const user: Loose = JSON.parse((await users.findOne({ _id: id }))?.text ?? '{}');
        change(user);
        await users.updateOne({ _id: id }, { $set: { text: JSON.stringify(user) } });
      },
      discard: () => database.drop(),
    };
  });
});
