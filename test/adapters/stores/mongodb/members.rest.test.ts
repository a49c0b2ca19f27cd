import { expect } from 'chai';
import { type ClientSession, MongoClient } from 'mongodb';
import { aGroupOf, idsOf, inGroup, membersOf, removing } from '../../../contract/group-store.ts';
import { until } from '../../../support/deadlines.ts';
import { describeMongo, describeTestCommands, inADatabase } from '../../../support/mongodb.ts';
import { plain } from '../../../support/plain-store.ts';

/** Changes the group in a transaction that is left open. */
async function leaveOpen(client: MongoClient, _id: string): Promise<ClientSession> {
  const session = client.startSession();
  session.startTransaction();
  const groups = client.db().collection<{ _id: string }>('groups');
  await groups.updateOne({ _id }, { $inc: { 'members.revision': 1 } }, { session });
  return session;
}

const nameFor = (database: string) => ({ appName: `users ${database}` });

describeMongo('Members of groups in MongoDB', () => {
  it('leave nothing behind when their group is removed, even if another process dies before it has removed them', () =>
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
      const sets = async () =>
        (await db.collection('dropped_sets').countDocuments()) +
        (await db.collection('left_sets').countDocuments());
      await until('no set is left to be removed', async () => (await sets()) === 0);
      expect(await users()).to.equal(2);
    }));

  it('take few commands to read: two for a page, one for the groups of many users', () =>
    inADatabase(async (database) => {
      const store = await database.open();
      const { group, members } = await aGroupOf(plain(store), 30);
      const db = database.client.db();
      const profiled = async (run: () => Promise<unknown>) => {
        await db.command({ profile: 2 });
        await run();
        await db.command({ profile: 0 });
        const profile = db.collection('system.profile');
        // The store looks by itself, from time to time, whether the server answers: for an id that no user has.
        const isRead = { 'command.filter._id': { $ne: '' }, op: { $in: ['query', 'getmore', 'command'] } };
        const found = await profile.find({ ...isRead, ns: /\.(?:users|groups)$/ }).toArray();
        await profile.drop();
        return found.flatMap(({ command }) => command.find ?? command.aggregate ?? []);
      };
      const where = inGroup(group.id);
      const page = () => store.list({ where, limit: 10 });
      expect(await profiled(page)).to.deep.equal(['groups', 'users']);
      expect(await profiled(() => store.related(idsOf(members), 100))).to.deep.equal(['users']);
      expect(await profiled(() => store.groups.related([group.id], 100))).to.deep.equal(['groups']);
    }));

  it('can be changed after a process died while changing them; transactions of other applications continue', () =>
    inADatabase(async (database) => {
      const store = await database.open({ operationTimeout: 20_000 });
      const { group, members } = await aGroupOf(plain(store), 2);
      const [another, third] = [await aGroupOf(plain(store), 2), await aGroupOf(plain(store), 2)];
      const elsewhere = new MongoClient(database.uri, nameFor('another-installation'));
      const dead = new MongoClient(database.uri, nameFor(database.client.db().databaseName));
      // Idle for longer than the one that is ended.
      const waiting = [
        await leaveOpen(database.client, another.group.id),
        await leaveOpen(elsewhere, third.group.id),
      ];
      const abandoned = await leaveOpen(dead, group.id);
      expect(await store.groups.changeMembers(group.id, removing(...members))).to.equal(true);
      expect(await membersOf(plain(store), group.id)).to.deep.equal([]);
      for (const session of waiting) await session.commitTransaction();
      await Promise.all([abandoned, ...waiting].map((session) => session.endSession()));
      await Promise.all([dead.close(), elsewhere.close()]);
    }));
});

describeTestCommands('Members of groups in MongoDB, for an account that may not end transactions,', () => {
  it('can be changed when another transaction has ended, and the missing privilege is reported', () =>
    inADatabase(async (database) => {
      const told: string[] = [];
      const store = await database.open({ onProblem: (message) => void told.push(message) });
      const { group, members } = await aGroupOf(plain(store), 2);
      const refuse = (mode: 'off' | 'alwaysOn') => {
        const { databaseName } = database.client.db();
        const data = { failCommands: ['aggregate'], errorCode: 13, ...nameFor(databaseName) };
        return database.client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
      };
      const other = await leaveOpen(database.client, group.id);
      await refuse('alwaysOn');
      try {
        const changed = store.groups.changeMembers(group.id, removing(...members));
        await until('the missing privilege is reported', async () => told.length > 0);
        await other.abortTransaction();
        expect(await changed).to.equal(true);
      } finally {
        await refuse('off');
        await other.endSession();
      }
      expect(told.join()).to.match(/does not let the account end transactions .*: MongoServerError 13/);
      expect(told).to.have.length(1);
    }));
});
