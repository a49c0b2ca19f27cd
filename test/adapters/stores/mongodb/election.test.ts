import { expect } from 'chai';
import { openMongoStore as openPort } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aUser } from '../../../support/a-user.ts';
import { kindsWith } from '../../../support/cards.ts';
import { caseDeadline } from '../../../support/deadlines.ts';
import { describeOwnMongo, directlyTo, startSet, withDatabase } from '../../../support/mongodb.ts';
import { FaultySet } from '../../../support/mongodb-faults.ts';
import { runs } from '../../../support/runs.ts';
import { openMongoStore } from '../../../support/stores.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { untilReady } from './behind-a-proxy.ts';
import { Follower } from './follower.ts';
import { BadgeRacers, MemberWriters, UserWriters } from './writers.ts';

const changesOf = ({ changes }: Store) => changes ?? expect.fail('no log');

describeOwnMongo('The MongoDB store on three members, while many write,', () => {
  let set: FaultySet;
  let uri: string;
  let store: UserStore;
  let writers: UserWriters;
  /** In another process, as far as the store can tell. */
  let followed: Store;
  let follower: Follower;

  before(async () => {
    const members = await startSet(3);
    uri = withDatabase(members.getUri(), 'users-election');
    set = new FaultySet(members, uri);
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
    set?.thaw();
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

  /** Through the same store all along: nothing was restarted. */
  async function servesOnAfter(fault: () => unknown): Promise<void> {
    await writers.recoverFrom(fault);
    await writers.progress(64);
    await writers.verify();
    await follower.verify();
  }

  it('loses no answered write when the primary steps down, and continues under the next; a follower misses none', async () => {
    const before = await set.primary();
    await servesOnAfter(() => set.stepDown());
    expect(await set.primary()).not.to.equal(before);
    await set.letRun(before);
  });
  it('loses no answered change of members, and makes no unrequested one, when the primary steps down under 50 callers', async () => {
    const before = await set.primary();
    await writers.stop();
    const changes = await MemberWriters.start(store, 50);
    try {
      const some = 50;
      const progress = async () => {
        for (let more = runs(50 * 100); more > 0; more -= some) await changes.progress(some);
      };
      await progress();
      await changes.recoverFrom(() => set.stepDown());
      await progress();
      await changes.verify();
    } finally {
      await changes.stop();
    }
    expect(await set.primary()).not.to.equal(before);
    await set.letRun(before);
  }).timeout(5 * caseDeadline);
  it('gives each unique key to one of 64 racing writers while primaries step down and freeze', async () => {
    await writers.stop();
    const place = { uri: withDatabase(uri, 'badges-election'), kinds: kindsWith('badge') };
    const stores = await Promise.all([1, 2].map(() => openPort({ ...place, onProblem: () => {} })));
    await Promise.all(stores.map(untilReady));
    const racers = new BadgeRacers(stores, 64);
    try {
      for (let more = Math.max(1, runs(5)); more > 0; more -= 1) {
        await racers.progress(256);
        const before = await set.primary();
        await racers.recoverFrom(() => set.stepDown());
        await set.letRun(before);
        await racers.recoverFrom(async () => set.freeze(await set.primary()));
        set.thaw();
      }
      await racers.verify();
    } finally {
      await racers.stop();
      await Promise.all(stores.map((one) => one.close()));
    }
  }).timeout(5 * caseDeadline);
  it('loses no answered write when the primary freezes, and continues under the next', async () => {
    const primary = await set.primary();
    await servesOnAfter(() => set.freeze(primary));
  });
  it('refuses no cursor on the word of a deposed primary, which lacks the newest entries', async () => {
    const primary = await set.primary();
    const alone = directlyTo(primary, uri);
    const late = await openPort({ uri: alone, onProblem: () => {} });
    await untilReady(late);
    const keepPrimary = (mode: 'alwaysOn' | 'off') =>
      set.admin(
        (client) => client.db('admin').command({ configureFailPoint: 'blockHeartbeatStepdown', mode }),
        alone,
      );
    await keepPrimary('alwaysOn');
    try {
      await writers.recoverFrom(() => set.freeze(primary));
      const newest = (await changesOf(followed).read('now', 1)).end;
      set.thaw();
      await untilReady(late);
      expect((await changesOf(late).read('now', 1)).end.number).to.be.below(newest.number);
      expect(await outcome(changesOf(late).read(newest, 1))).to.equal('unavailable');
    } finally {
      await keepPrimary('off');
      await late.close();
    }
    await servesOnAfter(() => undefined);
  });
  it('reports no write as done that a majority lacks, and continues when the majority is back', async () => {
    const primary = await set.primary();
    for (const address of set.addresses) if (address !== primary) await set.freeze(address);
    expect(await outcome(store.insert(Stored.of(aUser())))).to.be.oneOf(['outcome-unknown', 'unavailable']);
    await servesOnAfter(() => set.thaw());
  });
  it('loses no answered write when the primary is killed, and continues under the next', async () => {
    const primary = await set.primary();
    await servesOnAfter(() => set.kill(primary));
  });
});
