/** After an unclean shutdown MongoDB's statistics of a collection are wrong. Here a proxy makes them so. */
import { expect } from 'chai';
import { openMongoStore } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import type { ChangeLog } from '../../../../src/domain/changes/log.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { createUser, pruneAll, removeUser } from '../../../contract/change-log.ts';
import { aUser } from '../../../support/a-user.ts';
import { deadline } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo, directlyTo, type TestDatabase } from '../../../support/mongodb.ts';
import { tester } from '../../../support/store-verbs.ts';
import { FaultyProxy } from './proxy.ts';

/** How an element of BSON has a number, by its type. */
const writers: Readonly<Record<number, (at: Buffer, value: number) => unknown>> = {
  1: (at, value) => at.writeDoubleLE(value),
  16: (at, value) => at.writeInt32LE(value),
  18: (at, value) => at.writeBigInt64LE(BigInt(value)),
};

/** Sets the size of a collection in each reply that has statistics of it. */
const withSize = (bytes: number) => (reply: Buffer) => {
  const element = Buffer.from('size\0');
  const at = reply.includes('storageStats\0') ? reply.indexOf(element) : -1;
  if (at > 0) writers[reply[at - 1] ?? 0]?.(reply.subarray(at + element.length), bytes);
  return reply;
};

describeMongo('The change log in MongoDB, by its size,', () => {
  let database: TestDatabase;
  let proxy: FaultyProxy;
  let store: Store;
  let log: ChangeLog;
  const open = (uri: string) =>
    openMongoStore({ uri, operationTimeout: deadline, onProblem: (problem) => expect.fail(problem) });
  const entries = () => database.client.db().collection('changes');
  const countBytes = async (): Promise<number> => {
    const sum = { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } };
    const [found] = await entries().aggregate([sum]).toArray();
    return found?.bytes ?? 0;
  };
  const write = async (count: number) => {
    const users = Array.from({ length: count }, () => aUser());
    for (let from = 0; from < count; from += 250)
      await store.commit(
        users.slice(from, from + 250).map((user) => createUser(user)),
        tester,
      );
    return users;
  };

  beforeEach(async () => {
    database = await aDatabase();
    proxy = new FaultyProxy(database.primary);
    await proxy.open();
    store = await open(directlyTo(`127.0.0.1:${proxy.port}`, database.uri));
    log = store.changes ?? expect.fail('no log');
  });
  afterEach(async () => {
    await store.close();
    await proxy.shut();
    await database.drop();
  });

  it('keeps all entries that fit into maxBytes when the statistics say that they are larger', async () => {
    await write(1_300);
    proxy.edit = withSize(2 ** 30);
    await pruneAll(log, { maxBytes: await countBytes() });
    expect(await entries().countDocuments()).to.equal(1_300);
    expect((await log.measure()).bytes).to.equal(await countBytes());
  });

  it('is pruned to maxBytes when the statistics say that it is empty', async () => {
    await write(1_300);
    proxy.edit = withSize(0);
    const maxBytes = (await countBytes()) / 2;
    await pruneAll(log, { maxBytes });
    expect(await countBytes()).to.be.within(maxBytes * 0.98, maxBytes);
  });

  it('is pruned to maxBytes by several processes at once, which together remove no more than a single one', async () => {
    await write(2_300);
    const others = await Promise.all([open(database.uri), open(database.uri)]);
    const logs = [store, ...others].map(({ changes }) => changes ?? expect.fail('no log'));
    const maxBytes = (await countBytes()) / 3;
    for (let turn = 0; turn < 3; turn += 1) {
      await Promise.all(logs.map((one) => pruneAll(one, { maxBytes })));
      expect(await countBytes()).to.be.within(maxBytes * 0.98, maxBytes);
      await write(250);
    }
    for (const other of others) await other.close();
  });

  it('stops counting erased values after some rounds of pruning', async () => {
    const users = await write(2_300);
    await pruneAll(log, {});
    for (const user of users.slice(1_000, 1_020)) await store.commit([removeUser(user, true)], tester);
    for (let turn = 0; turn < 3; turn += 1) await pruneAll(log, {});
    expect((await log.measure()).bytes).to.equal(await countBytes());
  });
});
