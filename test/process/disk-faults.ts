/** What befalls the service on SQLite with one worker or several. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { aFaultyDisk } from '../support/faulty-disk.ts';
import { aFreePort } from '../support/free-port.ts';
import { type Process, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { large, poster } from './posts.ts';

/** Port 0 would be another one whenever no worker is left that listens. */
const anyPort = async (): Promise<string> => String(await aFreePort());

export const fileOf = (service: Process): string => join(service.folder, 'data', 'users.db');

/** Overwrites every page with documents of users, but no page that a start reads; the length stays. */
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

/** A service that is stopped, with a damaged file. */
export async function damaged(): Promise<Process> {
  const service = await startProcess();
  const clients = await poster(service);
  for (let count = 0; count < 60; count += 1) expect(await clients.post(large)).to.equal(201);
  await service.stop();
  damage(fileOf(service));
  return service;
}

export function itEndsByItself(workers: string): void {
  it(`exits with 1, and every write that it confirmed is stored (workers: ${workers})`, async function () {
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
}

export function itMeetsDamage(workers: string): void {
  it(`is unready and exits with 1 when it finds the damage, and confirms no write (workers: ${workers})`, async () => {
    const { folder } = await damaged();
    const service = await startProcess({
      folder,
      env: { USERS_WORKERS: workers, USERS_PORT: await anyPort() },
    });
    const clients = await poster(service);
    await until('the service is not ready', async () => {
      await clients.all().catch(() => undefined);
      return (await clients.ready()) !== 204;
    });
    expect(await clients.untilGone()).not.to.include(201);
    expect(await service.logged(/"the store cannot go on"/)).to.contain('SQLITE_CORRUPT');
    expect((await service.stop('SIGCONT')).code).to.equal(1);
  });
}
