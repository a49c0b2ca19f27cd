import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { discardProcesses, type Process, run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { type Poster, poster } from './posts.ts';

const befalls: { what: string; named: string; does: (file: string) => void }[] = [
  { what: 'the file is removed', named: '', does: (file) => rmSync(file) },
  { what: 'the file is moved away', named: '', does: (file) => renameSync(file, `${file}.moved`) },
  {
    what: 'another file is put in its place',
    named: '',
    does: (file) => {
      copyFileSync(file, `${file}.other`);
      renameSync(`${file}.other`, file);
    },
  },
  { what: 'the file is emptied', named: '', does: (file) => truncateSync(file) },
  {
    what: 'a backup is copied over the file',
    named: '',
    does: (file) => {
      const db = new Database(file, { readonly: true });
      db.prepare('VACUUM INTO ?').run(`${file}.backup`);
      db.close();
      copyFileSync(`${file}.backup`, file);
    },
  },
  { what: 'its log is removed', named: '-wal', does: (file) => rmSync(`${file}-wal`) },
  {
    what: 'another file is put in the place of its log',
    named: '-wal',
    does: (file) => {
      writeFileSync(`${file}.other`, '');
      renameSync(`${file}.other`, `${file}-wal`);
    },
  },
  { what: 'what its processes share is removed', named: '-shm', does: (file) => rmSync(`${file}-shm`) },
];

async function started(workers = '1'): Promise<{ service: Process; file: string; clients: Poster }> {
  const service = await startProcess({ env: { USERS_WORKERS: workers } });
  const clients = await poster(service);
  for (let count = 0; count < 20; count += 1) expect(await clients.post()).to.equal(201);
  return { service, file: join(service.folder, 'data', 'users.db'), clients };
}

const startAgain = (folder: string) => run([], folder);

describe('While the service runs on SQLite', function () {
  this.timeout(60_000);
  afterEach(discardProcesses);

  for (const { what, named, does } of befalls)
    for (const workers of ['1', '2'])
      it(`no write is answered for after ${what}, and it ends by itself with 1 (${workers} of workers)`, async () => {
        const { service, file, clients } = await started(workers);
        does(file);
        const statuses = await clients.untilGone();
        expect(statuses).not.to.include(201);
        const line = await service.logged(/"the store cannot go on"/);
        expect(line).to.contain(`${file}${named} was `);
        expect((await service.stop('SIGCONT')).code).to.equal(1);
      });

  it('it ends by itself also when nobody writes, and does not start with no users in their place', async () => {
    const { service, file, clients } = await started();
    renameSync(file, `${file}.moved`);
    expect((await service.logged(/"the store cannot go on"/)).length).to.be.above(0);
    const { code } = await service.stop('SIGCONT');
    expect(code).to.equal(1);
    const refused = await startAgain(service.folder);
    expect(refused.code).to.equal(1);
    expect(refused.told.join())
      .to.contain('it is gone or empty, while its log')
      .and.to.contain('put the file back');
    renameSync(`${file}.moved`, file);
    const again = await startProcess({ folder: service.folder });
    expect(await (await poster(again)).all()).to.have.members(clients.created);
  });

  it('what was answered before its log was removed is in the file', async () => {
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
