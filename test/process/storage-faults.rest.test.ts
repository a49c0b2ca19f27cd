import { statSync } from 'node:fs';
import { expect } from 'chai';
import { aFaultyDisk } from '../support/faulty-disk.ts';
import { discardProcesses, startProcess } from '../support/process.ts';
import { allUsers } from './contents.ts';
import { fileOf, itEndsByItself, itMeetsDamage } from './disk-faults.ts';
import { large, poster } from './posts.ts';

describe('Two workers of the service on SQLite, when the disk fails or the file is damaged,', () => {
  afterEach(discardProcesses);

  itEndsByItself('2');
  itMeetsDamage('2');
});

describe('The service on SQLite, when its file has no room to grow,', () => {
  afterEach(discardProcesses);

  it('continues while the WAL cannot be copied into the file', async function () {
    const disk = aFaultyDisk(this, { file: 'users.db', calls: 'pwrite', error: 'ENOSPC' });
    const service = await startProcess({ env: disk.env });
    const clients = await poster(service);
    disk.fail();
    // Far more than the log ever holds on a disk that is well.
    while (statSync(`${fileOf(service)}-wal`).size < 20 * 2 ** 20)
      await Promise.all(
        Array.from({ length: 16 }, async () => expect(await clients.post(large)).to.equal(201)),
      );
    disk.mend();
    expect((await service.stop()).code).to.equal(0);
    const again = await startProcess({ folder: service.folder });
    expect([...(await allUsers(again)).keys()]).to.have.members(clients.created);
  });
});
