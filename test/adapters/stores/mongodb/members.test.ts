import { expect } from 'chai';
import { aGroupOf } from '../../../contract/group-store.ts';
import { until } from '../../../support/deadlines.ts';
import { describeMongo, inADatabase } from '../../../support/mongodb.ts';
import { plain } from '../../../support/plain-store.ts';

describeMongo('Members of groups in MongoDB', () => {
  it('leave nothing behind once their group is removed, also what another process was to remove', () =>
    inADatabase(async (database) => {
      const first = await database.open();
      const { group } = await aGroupOf(plain(first), 1200);
      await aGroupOf(plain(first), 2);
      await first.groups.remove(group.id, (await first.groups.find(group.id))?.version ?? '');
      await first.close();
      await database.open();
      const db = database.client.db();
      const users = () => db.collection('users').countDocuments({ 'groups.0': { $exists: true } });
      await until('only the members of the other group are left', async () => (await users()) === 2);
      const sets = () => db.collection('dropped_sets').countDocuments();
      await until('no set is left to be removed', async () => (await sets()) === 0);
      expect(await users()).to.equal(2);
    }));
});
