import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { aFaultyDisk } from '../support/faulty-disk.ts';
import { discardProcesses, run, startProcess } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { allUsers } from './contents.ts';
import { poster } from './posts.ts';

const atOnce = 4;

async function ended(): Promise<{ folder: string; file: string; created: string[] }> {
  const service = await startProcess();
  const { folder } = service;
  const { created, post } = await poster(service);
  for (let count = 0; count < 30; count += 1) expect(await post()).to.equal(201);
  await service.stop('SIGKILL');
  return { folder, file: join(folder, 'data', 'users.db'), created };
}

function usersIn(file: string): unknown[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare('SELECT id FROM users').pluck().all();
  } finally {
    db.close();
  }
}

describe('Copies of the SQLite file', () => {
  afterEach(discardProcesses);

  it('made under one name by several backups at once are one complete copy; the other backups fail and say that it exists', async () => {
    const { folder, created } = await ended();
    for (let round = 0; round < runs(4); round += 1) {
      const backup = join(folder, `backup-${round}.db`);
      const all = await Promise.all(Array.from({ length: atOnce }, () => run(['backup', backup], folder)));
      expect(usersIn(backup)).to.have.members(created);
      expect(all.map(({ code }) => code).sort()).to.deep.equal([0, 1, 1, 1]);
      for (const { code, told } of all)
        if (code !== 0) expect(told).to.deep.equal([`No backup: ${backup} is there already`]);
    }
    expect(readdirSync(folder).filter((name) => name.includes('part'))).to.deep.equal([]);
  });

  it('that do not fit on the disk are named in the error, and leave nothing behind', async function () {
    const { folder } = await ended();
    const backup = join(folder, 'backup.db');
    const disk = aFaultyDisk(this, { file: '.part', calls: 'pwrite', error: 'ENOSPC' });
    disk.fail();
    const { code, told } = await run(['backup', backup], folder, disk.env);
    expect(code).to.equal(1);
    expect(told).to.deep.equal([`No backup: ${backup}: database or disk is full`]);
    expect(readdirSync(folder).filter((name) => name.includes('backup'))).to.deep.equal([]);
  });

  it('that cannot be moved into place leave the existing file with its WAL and all users', async function () {
    const { folder, file, created } = await ended();
    const backup = join(folder, 'backup.db');
    expect((await run(['backup', backup], folder)).code).to.equal(0);
    const before = [file, `${file}-wal`].map((path) => readFileSync(path));
    const disk = aFaultyDisk(this, { file: '/users.db', calls: 'rename' });
    disk.fail();
    const { code, told } = await run(['restore', backup], folder, disk.env);
    expect(code).to.equal(1);
    expect(told.join()).to.match(/^Nothing restored: EIO/);
    expect([file, `${file}-wal`].map((path) => existsSync(path) && readFileSync(path))).to.deep.equal(before);
    expect([...(await allUsers(await startProcess({ folder }))).keys()]).to.have.members(created);
  });
});
