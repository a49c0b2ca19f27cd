import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import type { UserStore } from '../../../src/domain/ports.ts';
import { outcome } from '../../contract/refusals.ts';
import { aUser } from '../../support/a-user.ts';
import { describeOwnMongo, openAt, startSet, withDatabase } from '../../support/mongodb.ts';
import { Writers } from './writers.ts';

const impatient = {
  serverSelectionTimeout: 1000,
  connectTimeout: 500,
  socketTimeout: 3000,
  operationTimeout: 1000,
  heartbeatFrequency: 500,
};

describeOwnMongo('The MongoDB store on three members, while many write,', function () {
  this.timeout(60_000);
  let set: MongoMemoryReplSet;
  let uri: string;
  let store: UserStore;
  let writers: Writers;
  const frozen: number[] = [];

  before(async () => {
    set = await startSet(3);
    uri = withDatabase(set.getUri(), 'users-election');
  });
  beforeEach(async () => {
    store = await openAt(uri, impatient);
    writers = new Writers(store, 16);
    await writers.progress(32);
  });
  afterEach(async () => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    try {
      await writers?.stop();
    } finally {
      await store?.close();
    }
  });
  after(async () => {
    await set?.stop();
  });

  /** Asked for as an operator would; gone with the member that answers. */
  async function admin<T>(ask: (client: MongoClient) => Promise<T>): Promise<T> {
    const client = new MongoClient(uri, { serverSelectionTimeoutMS: 10_000 });
    try {
      return await ask(client);
    } finally {
      await client.close();
    }
  }
  const primary = (): Promise<string> =>
    admin(async (client) => String((await client.db().admin().command({ hello: 1 })).primary));

  const pidOf = (address: string): number => {
    const server = set.servers.find(({ instanceInfo }) => address.endsWith(`:${instanceInfo?.port}`));
    return server?.instanceInfo?.instance.mongodProcess?.pid ?? expect.fail(`no member at ${address}`);
  };

  it('loses no answered write when the primary steps down, and goes on under the next', async () => {
    const before = await primary();
    await admin((client) => client.db().admin().command({ replSetStepDown: 10, force: true }));
    await writers.progress(64);
    expect(await primary()).not.to.equal(before);
    await writers.verify();
  });
  it('loses no answered write when the primary freezes, and goes on under the next', async () => {
    const before = await primary();
    const pid = pidOf(before);
    process.kill(pid, 'SIGSTOP');
    frozen.push(pid);
    await writers.progress(64);
    await writers.verify();
  });
  it('calls no write done that a majority has not got, and goes on when it is regained', async () => {
    const leader = pidOf(await primary());
    for (const { instanceInfo } of set.servers) {
      const pid = instanceInfo?.instance.mongodProcess?.pid;
      if (pid === undefined || pid === leader) continue;
      process.kill(pid, 'SIGSTOP');
      frozen.push(pid);
    }
    expect(await outcome(store.insert(aUser()))).to.be.oneOf(['outcome-unknown', 'unavailable']);
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
    await writers.progress(64);
    await writers.verify();
  });
  it('loses no answered write when the primary is killed, and goes on under the next', async () => {
    process.kill(pidOf(await primary()), 'SIGKILL');
    await writers.progress(64);
    await writers.verify();
  });
});
