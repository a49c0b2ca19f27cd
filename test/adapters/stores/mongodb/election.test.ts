import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import type { MongoMemoryReplSet } from 'mongodb-memory-server-core';
import { openMongoStore as openPort } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { caseDeadline, deadline } from '../../../support/deadlines.ts';
import { describeOwnMongo, directlyTo, startSet, withDatabase } from '../../../support/mongodb.ts';
import { runs } from '../../../support/runs.ts';
import { openMongoStore } from '../../../support/stores.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { untilReady } from './behind-a-proxy.ts';
import { Follower } from './follower.ts';
import { MemberWriters, UserWriters } from './writers.ts';

describeOwnMongo('The MongoDB store on three members, while many write,', () => {
  let set: MongoMemoryReplSet;
  let uri: string;
  let store: UserStore;
  let writers: UserWriters;
  /** In another process, as far as the store can tell. */
  let followed: Store;
  let follower: Follower;
  const frozen: number[] = [];

  before(async () => {
    set = await startSet(3);
    uri = withDatabase(set.getUri(), 'users-election');
  });
  beforeEach(async () => {
    // It may still be at odds over the last fault: like any start, this one waits until that is over.
    store = await openMongoStore({ uri, onProblem: () => {} });
    await untilReady(store);
    followed = await openPort({ uri, onProblem: () => {} });
    await untilReady(followed);
    follower = new Follower(followed);
    writers = new UserWriters(store, 16);
    await writers.progress(32);
  });
  afterEach(async () => {
    thaw();
    try {
      await writers?.stop();
      await follower?.stop();
    } finally {
      await Promise.all([store?.close(), followed?.close()]);
    }
  });
  after(async () => {
    await set?.stop();
  });

  /** Asked for as an operator would; gone with the member that answers. */
  async function admin<T>(ask: (client: MongoClient) => Promise<T>, at = uri): Promise<T> {
    const client = new MongoClient(at, { serverSelectionTimeoutMS: deadline });
    try {
      return await ask(client);
    } finally {
      await client.close();
    }
  }
  const primary = (): Promise<string> =>
    admin(async (client) => String((await client.db().admin().command({ hello: 1 })).primary));

  const stepDown = (): Promise<unknown> =>
    admin((client) =>
      client
        .db()
        .admin()
        .command({ replSetStepDown: deadline / 1000, force: true }),
    );
  /** For the cases that follow it may be elected again. */
  const letRun = (address: string): Promise<unknown> =>
    admin((client) => client.db().admin().command({ replSetFreeze: 0 }), directlyTo(address, uri));

  const pidOf = (address: string): number => {
    const server = set.servers.find(({ instanceInfo }) => address.endsWith(`:${instanceInfo?.port}`));
    return server?.instanceInfo?.instance.mongodProcess?.pid ?? expect.fail(`no member at ${address}`);
  };

  const freeze = (pid: number): void => {
    process.kill(pid, 'SIGSTOP');
    frozen.push(pid);
  };
  const thaw = (): void => {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT');
  };
  /** Through the same store all along: nothing was restarted. */
  async function servesOnAfter(fault: () => unknown): Promise<void> {
    await writers.recoverFrom(fault);
    await writers.progress(64);
    await writers.verify();
    await follower.verify();
  }

  it('loses no answered write when the primary steps down, and goes on under the next; a follower misses none', async () => {
    const before = await primary();
    await servesOnAfter(stepDown);
    expect(await primary()).not.to.equal(before);
    await letRun(before);
  });
  it('loses no answered change of members, and makes no other, when the primary steps down under 50 callers', async () => {
    const before = await primary();
    await writers.stop();
    const changes = await MemberWriters.start(store, 50);
    try {
      const some = 50;
      const progress = async () => {
        for (let more = runs(50 * 100); more > 0; more -= some) await changes.progress(some);
      };
      await progress();
      await changes.recoverFrom(stepDown);
      await progress();
      await changes.verify();
    } finally {
      await changes.stop();
    }
    expect(await primary()).not.to.equal(before);
    await letRun(before);
  }).timeout(5 * caseDeadline);
  it('loses no answered write when the primary freezes, and goes on under the next', async () => {
    const pid = pidOf(await primary());
    await servesOnAfter(() => freeze(pid));
  });
  it('calls no write done that a majority has not got, and goes on when it is regained', async () => {
    const leader = pidOf(await primary());
    for (const { instanceInfo } of set.servers) {
      const pid = instanceInfo?.instance.mongodProcess?.pid;
      if (pid !== undefined && pid !== leader) freeze(pid);
    }
    expect(await outcome(store.insert(Stored.of(aUser())))).to.be.oneOf(['outcome-unknown', 'unavailable']);
    await servesOnAfter(thaw);
  });
  it('loses no answered write when the primary is killed, and goes on under the next', async () => {
    const pid = pidOf(await primary());
    await servesOnAfter(() => process.kill(pid, 'SIGKILL'));
  });
});
