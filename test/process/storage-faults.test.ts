import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { missing } from '../outside/tools.ts';
import { aFaultyDisk } from '../support/faulty-disk.ts';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, type Process, run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { large, poster } from './posts.ts';

/** Port 0 would be another one whenever no worker is left that listens. */
const anyPort = async (): Promise<string> => String(await aFreePort());

const fileOf = (service: Process): string => join(service.folder, 'data', 'users.db');

/** Writes over every page that holds users' documents, but none that a start looks at; the length stays. */
function damage(file: string): void {
  const db = new Database(file);
  const pages = db.prepare<[], number>(
    "SELECT pageno FROM dbstat WHERE name = 'users' AND pagetype <> 'internal'",
  );
  const numbers = pages.pluck().all();
  db.close();
  expect(numbers.length).to.be.above(60);
  const fd = openSync(file, 'r+');
  for (const page of numbers) writeSync(fd, Buffer.alloc(4096, page), 0, 4096, (page - 1) * 4096);
  closeSync(fd);
}

describe('The service on SQLite, when the disk fails,', function () {
  this.timeout(30_000);
  afterEach(discardProcesses);

  for (const workers of ['1', '2'])
    it(`ends by itself with 1, having answered for no write that is not there (${workers} of workers)`, async function () {
      const disk = aFaultyDisk(this, { file: 'users.db-wal', calls: 'fsync fdatasync' });
      const service = await startProcess({
        env: { ...disk.env, USERS_WORKERS: workers, USERS_PORT: await anyPort() },
      });
      const clients = await poster(service);
      for (let count = 0; count < 20; count += 1) expect(await clients.post()).to.equal(201);
      disk.fail();
      expect(await clients.untilGone()).not.to.include(201);
      expect(await service.logged(/"the store cannot go on"/)).to.contain('SQLITE_IOERR_FSYNC');
      expect((await service.stop('SIGCONT')).code).to.equal(1);
      disk.mend();
      const again = await startProcess({ folder: service.folder });
      const there = await allUsers(again);
      expect([...there.keys()]).to.include.members(clients.created);
      expectUndamaged(fileOf(again), there);
    });

  it('ends by itself with 1 when the log can’t be copied into the file, before the log has grown far', async function () {
    const disk = aFaultyDisk(this, { file: 'users.db', calls: 'pwrite' });
    const service = await startProcess({ env: disk.env });
    const clients = await poster(service);
    disk.fail();
    await Promise.all(Array.from({ length: 16 }, () => clients.untilGone(large)));
    expect(await service.logged(/"the store cannot go on"/)).to.contain('SQLITE_IOERR_WRITE');
    expect((await service.stop('SIGCONT')).code).to.equal(1);
    expect(statSync(`${fileOf(service)}-wal`).size).to.be.below(40 * 2 ** 20);
    disk.mend();
    const again = await startProcess({ folder: service.folder });
    expect([...(await allUsers(again)).keys()]).to.include.members(clients.created);
  });

  it('does not end as if all were well when the log can’t be copied into the file at the end', async function () {
    const disk = aFaultyDisk(this, { file: 'users.db', calls: 'pwrite' });
    const service = await startProcess({ env: disk.env });
    const clients = await poster(service);
    expect(await clients.post()).to.equal(201);
    disk.fail();
    const { code, log } = await service.stop('SIGTERM');
    expect(code).to.equal(1);
    expect(log.join()).to.contain('SQLITE_IOERR_WRITE').and.to.contain('did not stop in order');
    disk.mend();
    const again = await startProcess({ folder: service.folder });
    expect([...(await allUsers(again)).keys()]).to.have.members(clients.created);
  });

  it('ends by itself with 1 when what is asked for can’t be read', async function () {
    const disk = aFaultyDisk(this, { file: 'users.db', calls: 'pread' });
    const first = await startProcess();
    const before = await poster(first);
    for (let count = 0; count < 50; count += 1) expect(await before.post(large)).to.equal(201);
    await first.stop();
    const service = await startProcess({ folder: first.folder, env: disk.env });
    const clients = await poster(service);
    disk.fail();
    await clients.all().catch(() => undefined);
    expect(await service.logged(/"the store cannot go on"/)).to.match(/SQLITE_(?:IOERR|CORRUPT)/);
    expect((await service.stop('SIGCONT')).code).to.equal(1);
  });

  it('refuses writes while it is full, and takes them again without a restart once it is not', async function () {
    const disk = aFaultyDisk(this, { file: 'users.db-wal', calls: 'pwrite', error: 'ENOSPC' });
    const service = await startProcess({ env: disk.env });
    const clients = await poster(service);
    expect(await clients.post()).to.equal(201);
    disk.fail();
    for (let count = 0; count < 20; count += 1) expect(await clients.post()).to.equal(503);
    disk.mend();
    expect(await clients.post()).to.equal(201);
    expect((await service.stop()).code).to.equal(0);
    expect(existsSync(`${fileOf(service)}-wal`)).to.equal(false);
  });
  it('goes on while the log can’t be copied into a file that has no room to grow', async function () {
    const disk = aFaultyDisk(this, { file: 'users.db', calls: 'pwrite', error: 'ENOSPC' });
    const service = await startProcess({ env: disk.env });
    const clients = await poster(service);
    disk.fail();
    for (let count = 0; count < 60; count += 1)
      await Promise.all(
        Array.from({ length: 16 }, async () => expect(await clients.post(large)).to.equal(201)),
      );
    disk.mend();
    expect((await service.stop()).code).to.equal(0);
    const again = await startProcess({ folder: service.folder });
    expect([...(await allUsers(again)).keys()]).to.have.members(clients.created);
  });
});

describe('Starting the service on a disk that is full', function () {
  this.timeout(20_000);
  let place = '';
  let isMounted = false;
  afterEach(discardProcesses);
  after(() => {
    if (isMounted) execFileSync('umount', [place]);
    if (place !== '') rmSync(place, { recursive: true, force: true });
  });

  it('says that it is full, not only that something went wrong', async function () {
    place = mkdtempSync(join(tmpdir(), 'users-full-'));
    isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place]).status === 0;
    if (!isMounted) missing(this, 'the right to mount a small disk');
    const file = join(place, 'users.db');
    const env = { USERS_SQLITE_FILE: file };
    await (await startProcess({ env })).stop();
    writeFileSync(join(place, 'rest'), '');
    while (statfsSync(place).bavail > 0) appendFileSync(join(place, 'rest'), Buffer.alloc(4096));
    const { code, told } = await run([], aDataFolder(), env);
    expect(code).to.equal(1);
    expect(told.join()).to.contain(file).and.to.contain('the disk is full').and.to.contain('SQLITE_');
  });
});

describe('The service on an SQLite file that is damaged', function () {
  this.timeout(30_000);
  afterEach(discardProcesses);

  async function damaged(): Promise<Process> {
    const service = await startProcess();
    const clients = await poster(service);
    for (let count = 0; count < 60; count += 1) expect(await clients.post(large)).to.equal(201);
    await service.stop();
    damage(fileOf(service));
    return service;
  }

  for (const workers of ['1', '2'])
    it(`is unready and ends with 1 as soon as it meets the damage, and answers for no write (${workers} of workers)`, async () => {
      const { folder } = await damaged();
      const service = await startProcess({
        folder,
        env: { USERS_WORKERS: workers, USERS_PORT: await anyPort() },
      });
      const clients = await poster(service);
      let ready: number | undefined = 204;
      while (ready === 204) {
        await clients.all().catch(() => undefined);
        ready = await clients.ready();
      }
      expect(await clients.untilGone()).not.to.include(201);
      expect(await service.logged(/"the store cannot go on"/)).to.contain('SQLITE_CORRUPT');
      expect((await service.stop('SIGCONT')).code).to.equal(1);
    });

  it('does not start again on it', async () => {
    const { folder } = await damaged();
    const service = await startProcess({ folder });
    const clients = await poster(service);
    await clients.all().catch(() => undefined);
    await service.stop('SIGCONT');
    const file = fileOf(service);
    const bytes = readFileSync(file);
    const refused = await run([], folder);
    expect(refused.code).to.equal(1);
    expect(refused.told.join())
      .to.contain(file)
      .and.to.contain('is damaged')
      .and.to.contain('npm run restore');
    expect(readFileSync(file).equals(bytes)).to.equal(true);
  });
});
