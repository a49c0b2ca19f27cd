import { existsSync, readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { discardProcesses, run, startProcess } from '../support/process.ts';
import { allUsers } from './contents.ts';
import { damages, frame, itIsNotTrusted, killed, spoil, writeAt } from './damaged-logs.ts';

describe('The service, killed and started with a damaged WAL,', () => {
  afterEach(discardProcesses);

  for (const damage of damages) itIsNotTrusted(damage);

  it('recovers all readable commits with npm run restore', async () => {
    const { folder, file, log, created } = await killed();
    spoil(log, statSync(log).size - 1, 1);
    expect((await run(['restore', file], folder)).log.join()).to.match(/^29 users of /);
    const there = await allUsers(await startProcess({ folder }));
    expect([...there.keys()]).to.have.members(created.slice(0, -1));
  });

  it('starts as usual when the WAL ends in an unfinished write', async () => {
    const { folder, log, created } = await killed();
    const bytes = readFileSync(log);
    // The pages of the last write once more, as far as they got: no page stands where its sum says.
    writeAt(log, bytes.length, bytes.subarray(-frame).fill(0, 24, 2048));
    const there = await allUsers(await startProcess({ folder }));
    expect([...there.keys()]).to.have.members(created);
    expect(existsSync(log)).to.equal(true);
  });
});
