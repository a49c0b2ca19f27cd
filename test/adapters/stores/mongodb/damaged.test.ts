import { expect } from 'chai';
import { everybody } from '../../../../src/domain/find/conditions.ts';
import { type Position, positionOf } from '../../../../src/domain/find/sorts.ts';
import { StoredUser } from '../../../../src/domain/user/stored-user.ts';
import { aUser } from '../../../support/a-user.ts';
import { aDatabase, describeMongo, inADatabase } from '../../../support/mongodb.ts';
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

  it('walks past users edited by hand, in each order, without missing a user or coming back', () =>
    inADatabase(async (database) => {
      const store = await database.open();
      const documents = database.client.db().collection<Loose & { _id: string }>('users');
      const all = Array.from({ length: 9 }, (_, at) => aUser({ displayName: `name ${at}` }));
      await Promise.all(all.map((user) => store.insert(StoredUser.of(user))));
      const [, first, , third, , last] = all;
      const edited = new Set([first?.id, third?.id, last?.id]);
      await documents.updateOne({ _id: first?.id ?? '' }, { $set: { displayName: 'name 8.5' } });
      await documents.updateOne({ _id: last?.id ?? '' }, { $set: { displayName: 'name 0.5' } });
      await documents.updateOne({ _id: third?.id ?? '' }, { $set: { displayName: 7 } });
      for (const backward of [false, true]) {
        const seen: string[] = [];
        let after: Position | undefined;
        for (let pages = 0; ; pages += 1) {
          expect(pages).to.be.below(12);
          const page = await store.list({
            where: everybody,
            sort: { by: 'displayName' },
            after,
            backward,
            limit: 1,
          });
          const [user] = page;
          if (user === undefined) break;
          seen.push(user.id);
          after = positionOf(user, { by: 'displayName' });
        }
        // Who was changed may move across the place that the walk has reached.
        expect(seen.filter((id) => !edited.has(id))).to.have.members(
          all.map(({ id }) => id).filter((id) => !edited.has(id)),
        );
      }
    }));
});
