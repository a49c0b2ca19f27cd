import { join } from 'node:path';
import { expect } from 'chai';
import { discardProcesses, startProcess } from '../support/process.ts';

describe('The log of a start on SQLite', () => {
  afterEach(discardProcesses);

  it('says that a file is new, as when a disk is not mounted, and nothing about a file that was there', async () => {
    const first = await startProcess();
    expect(await first.logged(/there are no users yet/)).to.contain(join(first.folder, 'data', 'users.db'));
    await first.stop();
    const second = await startProcess({ folder: first.folder });
    expect((await second.stop()).log.join()).not.to.contain('there are no users yet');
  });
});
