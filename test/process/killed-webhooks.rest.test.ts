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

/** The fencing numbers that the lease has had, in the order of its holders. */
async function watchLease(uri: string) {
  const client = await new MongoClient(uri).connect();
  const changes = client.db().collection<{ _id: string; holder: string; fence: number }>('webhooks').watch();
  const fences: number[] = [];
  changes.on('change', (change) => {
    const isLease = 'documentKey' in change && change.documentKey._id === 'lease';
    if (!isLease || change.operationType !== 'update') return;
    const { holder, fence } = change.updateDescription.updatedFields ?? {};
    if (holder !== undefined && fence !== undefined) fences.push(fence);
  });
  return { fences, close: () => client.close() };
}

describe('Webhooks under 64 writers, whose processes are killed again and again, to a receiver that answers anything', function () {
  this.timeout(seconds * 1000 + 4 * deadline);
  before(function () {
    needed(this, 'openssl');
  });
  afterEach(discardProcesses);

  it('all arrive, first in commit order for each resource, from two processes on SQLite', () =>
    killSenders(seconds, 2, {}));

  describeOwnMongo('from processes on MongoDB', () => {
    it('all arrive, first in commit order for each resource, while its members elect another primary; each holder of the lease has a higher number', async () => {
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
        expect(lease.fences.length).to.be.above(1);
        expect(lease.fences).to.deep.equal([...new Set(lease.fences)].sort((one, other) => one - other));
      } finally {
        await lease.close();
        await set.stop();
      }
    });
  });
});
