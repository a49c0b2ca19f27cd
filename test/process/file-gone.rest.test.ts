import { renameSync, rmSync } from 'node:fs';
import { expect } from 'chai';
import { discardProcesses, run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { befalls, itEnds, started } from './files-gone.ts';
import { poster } from './posts.ts';

describe('While the service runs on SQLite', () => {
  afterEach(discardProcesses);

  it('it ends when its file is removed, even without writes, and refuses to start with an empty directory', async () => {
    const { service, file, clients } = await started();
    renameSync(file, `${file}.moved`);
    expect((await service.logged(/"the store cannot go on"/)).length).to.be.above(0);
    const { code } = await service.stop('SIGCONT');
    expect(code).to.equal(1);
    const refused = await run([], service.folder);
    expect(refused.code).to.equal(1);
    expect(refused.told.join())
      .to.contain('it is gone or empty, while its log')
      .and.to.contain('put the file back');
    renameSync(`${file}.moved`, file);
    const again = await startProcess({ folder: service.folder });
    expect(await (await poster(again)).all()).to.have.members(clients.created);
  });

  it('writes that were answered before its WAL was removed are in the file', async () => {
    const { service, file, clients } = await started();
    rmSync(`${file}-wal`);
    await service.logged(/"the store cannot go on"/);
    await service.stop('SIGCONT');
    const again = await startProcess({ folder: service.folder });
    const there = await allUsers(again);
    expect([...there.keys()]).to.have.members(clients.created);
    expectUndamaged(file, there);
  });
});

describe('While the service runs on SQLite and its files are lost or replaced,', () => {
  afterEach(discardProcesses);

  for (const befall of befalls) for (const workers of ['1', '2']) itEnds(befall, workers);
});
