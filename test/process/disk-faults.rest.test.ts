import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { missing } from '../outside/tools.ts';
import { aFaultyDisk } from '../support/faulty-disk.ts';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';
import { allUsers } from './contents.ts';
import { damaged, fileOf, itEndsByItself, itMeetsDamage } from './disk-faults.ts';
import { large, poster } from './posts.ts';

describe('The service on SQLite, when the disk fails,', () => {
  afterEach(discardProcesses);

  itEndsByItself('1');

  it('exits with 1 when the WAL cannot be copied into the file, before the WAL has grown far', async function () {
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

  it('does not exit with 0 when the WAL cannot be copied into the file at the end', async function () {
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

  it('starts again after a start that could not copy the WAL into the file', async function () {
    const disk = aFaultyDisk(this, { file: 'users.db', calls: 'fsync fdatasync', isOnce: true });
    const service = await startProcess();
    const clients = await poster(service);
    for (let count = 0; count < 20; count += 1) expect(await clients.post()).to.equal(201);
    await service.stop('SIGKILL');
    disk.fail();
    const { code, told } = await run([], service.folder, disk.env);
    expect(code).to.equal(1);
    expect(told.join()).to.contain('SQLITE_IOERR_FSYNC');
    const again = await startProcess({ folder: service.folder });
    expect([...(await allUsers(again)).keys()]).to.have.members(clients.created);
  });

  it('starts again after a stop that could not copy the WAL into the file', async function () {
    const disk = aFaultyDisk(this, { file: 'users.db', calls: 'fsync fdatasync', isOnce: true });
    const service = await startProcess({ env: disk.env });
    const clients = await poster(service);
    expect(await clients.post()).to.equal(201);
    disk.fail();
    expect((await service.stop('SIGTERM')).code).to.equal(1);
    const again = await startProcess({ folder: service.folder });
    expect([...(await allUsers(again)).keys()]).to.have.members(clients.created);
  });

  it('starts again after a kill during a checkpoint, and after a start that could not write', async function () {
    const killing = aFaultyDisk(this, { file: 'users.db', calls: 'fsync fdatasync', error: 'KILL' });
    const service = await startProcess({ env: killing.env });
    const clients = await poster(service);
    expect(await clients.post()).to.equal(201);
    killing.fail();
    await service.stop('SIGTERM');
    const failing = aFaultyDisk(this, { file: 'users.db-wal', calls: 'pwrite' });
    failing.fail();
    const switchingOff = { USERS_CHANGES_RETENTION: '0' };
    const { code, told } = await run([], service.folder, { ...failing.env, ...switchingOff });
    expect(code).to.equal(1);
    expect(told.join()).to.contain('SQLITE_IOERR_WRITE');
    const again = await startProcess({ folder: service.folder });
    expect([...(await allUsers(again)).keys()]).to.have.members(clients.created);
  });

  it('exits with 1 when it cannot read a requested user', async function () {
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

  it('refuses writes while the disk is full, and accepts them again without a restart', async function () {
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
});

describe('Starting the service on a disk that is full', () => {
  let place = '';
  let isMounted = false;
  afterEach(discardProcesses);
  after(() => {
    if (isMounted) execFileSync('umount', [place]);
    if (place !== '') rmSync(place, { recursive: true, force: true });
  });

  it('says that the disk is full', async function () {
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

describe('The service on an SQLite file that is damaged', () => {
  afterEach(discardProcesses);

  itMeetsDamage('1');

  it('refuses to start on it', async () => {
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
