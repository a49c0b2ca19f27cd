import { expect } from 'chai';
import { type ClientSession, MongoClient } from 'mongodb';
import { aGroupOf, membersOf, removing } from '../../../contract/group-store.ts';
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

  /** Changes the group in a transaction that is left open. */
  async function leaveOpen(client: MongoClient, _id: string): Promise<ClientSession> {
    const session = client.startSession();
    session.startTransaction();
    const groups = client.db().collection<{ _id: string }>('groups');
    await groups.updateOne({ _id }, { $inc: { 'members.revision': 1 } }, { session });
    return session;
  }

  it('are changed although a process that died was changing them; transactions of other applications go on', () =>
    inADatabase(async (database) => {
      const store = await database.open({ operationTimeout: 20_000 });
      const { group, members } = await aGroupOf(plain(store), 2);
      const { group: other } = await aGroupOf(plain(store), 2);
      const dead = new MongoClient(database.uri, { appName: 'users' });
      const abandoned = await leaveOpen(dead, group.id);
      const waiting = await leaveOpen(database.client, other.id);
      expect(await store.groups.changeMembers(group.id, removing(...members))).to.equal(true);
      expect(await membersOf(plain(store), group.id)).to.deep.equal([]);
      await waiting.commitTransaction();
      await Promise.all([abandoned.endSession(), waiting.endSession()]);
      await dead.close();
    }));
});
