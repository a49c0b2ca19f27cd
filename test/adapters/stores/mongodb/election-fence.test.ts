import { expect } from 'chai';
import { ElectionFence } from '../../../../src/adapters/stores/mongodb/connection/election-fence.ts';
import { matchAll, matching } from '../../../../src/domain/find/conditions.ts';
import { aUser } from '../../../support/a-user.ts';
import { describeMongo, inADatabase, openAt } from '../../../support/mongodb.ts';
import { plain } from '../../../support/plain-store.ts';

/** A set whose primary was elected by this election. */
const ledBy = (electionId: string) => ({
  servers: new Map([
    ['a:1', { type: 'RSSecondary', address: 'a:1', electionId: null }],
    ['b:1', { type: 'RSPrimary', address: 'b:1', electionId }],
  ]),
});

describe('Reads from a new primary of MongoDB', () => {
  it('wait until a majority has confirmed it, once for all reads', async () => {
    const steps: string[] = [];
    const fence = new ElectionFence(async () => steps.push('confirmed'));
    fence.onTopologyChange(ledBy('one'));
    const read = () => fence.read(async () => steps.push('read'));
    await Promise.all([read(), read()]);
    await read();
    expect(steps).to.deep.equal(['confirmed', 'read', 'read', 'read']);
    fence.onTopologyChange(ledBy('two'));
    await read();
    expect(steps.slice(4)).to.deep.equal(['confirmed', 'read']);
  });
  it('are repeated when it was elected meanwhile', async () => {
    const fence = new ElectionFence(async () => {});
    fence.onTopologyChange(ledBy('one'));
    let reads = 0;
    const result = await fence.read(async () => {
      reads += 1;
      if (reads === 1) fence.onTopologyChange(ledBy('two'));
      return reads;
    });
    expect(result).to.equal(2);
  });
  it('fail when the confirmation fails, which the next read tries again', async () => {
    let failures = 1;
    const fence = new ElectionFence(async () => {
      if (failures > 0) throw new Error(`no majority ${failures--}`);
    });
    fence.onTopologyChange(ledBy('one'));
    const failed = await fence.read(async () => 'read').catch((cause: unknown) => String(cause));
    expect(failed).to.equal('Error: no majority 1');
    expect(await fence.read(async () => 'read')).to.equal('read');
  });
  it('continue without a new confirmation when the same primary returns after an absence', async () => {
    let confirmed = 0;
    const fence = new ElectionFence(async () => {
      confirmed += 1;
    });
    fence.onTopologyChange(ledBy('one'));
    await fence.read(async () => 'read');
    fence.onTopologyChange({ servers: new Map() });
    fence.onTopologyChange(ledBy('one'));
    await fence.read(async () => 'read');
    expect(confirmed).to.equal(1);
  });
});

describeMongo('Reads that ask MongoDB for a majority each time, by the connection string,', () => {
  it('find one user, and lists of any length', () =>
    inADatabase(async ({ uri }) => {
      const store = plain(await openAt(`${uri}&readConcernLevel=linearizable`));
      const users = Array.from({ length: 150 }, () => aUser({ roles: ['x'] }));
      await Promise.all(users.map((user) => store.insert(user)));
      expect(await store.find(users[0]?.id ?? '')).to.deep.equal(users[0]);
      expect(await store.list({ where: matchAll, limit: 149 })).to.have.length(149);
      expect(await store.list({ where: matching({ role: 'x' }), limit: 1000 })).to.have.length(150);
      await store.close();
    }));
});
