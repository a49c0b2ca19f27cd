import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { needed } from '../outside/tools.ts';
import { deadline } from '../support/deadlines.ts';
import { describeOwnMongo, startSet, withDatabase } from '../support/mongodb.ts';
import { FaultySet } from '../support/mongodb-faults.ts';
import { discardProcesses } from '../support/process.ts';
import { isWhole } from '../support/runs.ts';
import { killSenders } from './killed-webhooks.ts';

const seconds = isWhole ? 120 : 20;

/** The holders of the lease for each fencing number, in the order of the takeovers. */
async function watchLease(uri: string) {
  const client = await new MongoClient(uri).connect();
  const changes = client.db().collection<{ _id: string; holder: string; fence: number }>('webhooks').watch();
  const holders = new Map<number, Set<string>>();
  changes.on('change', (change) => {
    if (!('documentKey' in change) || change.documentKey._id !== 'lease') return;
    const isUpdate = change.operationType === 'update';
    const found = isUpdate
      ? change.updateDescription.updatedFields
      : 'fullDocument' in change && change.fullDocument;
    const { holder, fence } = found || {};
    if (holder === undefined || fence === undefined) return;
    holders.set(fence, (holders.get(fence) ?? new Set()).add(holder));
  });
  const close = async () => {
    await changes.close();
    await client.close();
  };
  return { holders, close };
}

describe('Webhooks under 64 writers, whose processes are killed again and again, to a receiver that answers anything', function () {
  this.timeout(seconds * 1000 + 4 * deadline);
  before(function () {
    needed(this, 'openssl');
  });
  afterEach(discardProcesses);

  it('all arrive from two processes on SQLite, and the first attempts for each resource are in the order of the commits', () =>
    killSenders(seconds, 2, {}));

  describeOwnMongo('from processes on MongoDB', () => {
    it('all arrive while its members elect another primary, the first attempts for each resource in the order of the commits; each holder of the lease has a higher number', async () => {
      const members = await startSet(3);
      const uri = withDatabase(members.getUri(), 'users');
      const set = new FaultySet(members, uri);
      const lease = await watchLease(uri);
      try {
        await killSenders(seconds, 3, { USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri }, async () => {
          const before = await set.primary();
          await set.stepDown();
          await set.letRun(before);
        });
        const fences = [...lease.holders.keys()];
        expect(fences).to.deep.equal(fences.toSorted((one, other) => one - other));
        expect(fences.length).to.be.above(1);
        for (const holders of lease.holders.values()) expect(holders.size).to.equal(1);
      } finally {
        await lease.close();
        await set.stop();
      }
    });
  });
});
