import { expect } from 'chai';
import { aFaultyDisk } from '../support/faulty-disk.ts';
import { discardProcesses, startProcess } from '../support/process.ts';
import { allUsers } from './contents.ts';
import { large, poster } from './posts.ts';

/** In bytes: far below the 16 MiB after which the WAL is copied on a large disk. */
const spaceOfLog = 2 ** 20;

describe('The service on SQLite, on a disk without space for a longer WAL,', () => {
  afterEach(discardProcesses);

  const fault = { file: 'users.db-wal', calls: 'pwrite', error: 'ENOSPC', from: spaceOfLog } as const;

  it('accepts all writes, since it copies the WAL into the file and restarts it', async function () {
    const disk = aFaultyDisk(this, fault);
    const service = await startProcess({ env: disk.env });
    const clients = await poster(service);
    disk.fail();
    for (let count = 0; count < 200; count += 1) expect(await clients.post(large)).to.equal(201);
    await service.stop('SIGKILL');
    const again = await startProcess({ folder: service.folder, env: disk.env });
    expect([...(await allUsers(again)).keys()]).to.have.members(clients.created);
  });

  it('accepts writes after a kill and a restart with a WAL that fills the disk', async function () {
    const disk = aFaultyDisk(this, fault);
    const service = await startProcess({ env: disk.env });
    const clients = await poster(service);
    while (clients.created.length < 100) expect(await clients.post(large)).to.equal(201);
    disk.fail();
    await service.stop('SIGKILL');
    const again = await startProcess({ folder: service.folder, env: disk.env });
    const others = await poster(again);
    for (let count = 0; count < 20; count += 1) expect(await others.post(large)).to.equal(201);
    expect((await again.stop()).code).to.equal(0);
  });
});
