import { copyFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Connection } from '../../src/adapters/stores/sqlite/file/connection.ts';
import { type Environment, type Process, run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { type Poster, poster } from './posts.ts';

interface Scene {
  readonly service: Process;
  readonly folder: string;
  readonly file: string;
  readonly backup: string;
  readonly clients: Poster;
}

export async function aScene(env: Environment = {}): Promise<Scene> {
  const service = await startProcess({ env });
  const { folder } = service;
  const scene = {
    service,
    folder,
    file: join(folder, 'data', 'users.db'),
    backup: join(folder, 'backup.db'),
  };
  const clients = await poster(service);
  await write(clients);
  return { ...scene, clients };
}

export async function write(clients: Poster, count = 30): Promise<void> {
  for (let at = 0; at < count; at += 1) expect(await clients.post()).to.equal(201);
}

/** The line that says why it does not start; nothing is changed by that. */
export async function refusal({ folder, file }: Scene): Promise<string> {
  const bytes = [file, `${file}-wal`].map((path) => existsSync(path) && readFileSync(path));
  const { code, told } = await run([], folder);
  expect(code).to.equal(1);
  expect([file, `${file}-wal`].map((path) => existsSync(path) && readFileSync(path))).to.deep.equal(bytes);
  return told.join('\n');
}

export async function usersAfterStart({ folder, file }: Scene): Promise<string[]> {
  const service = await startProcess({ folder });
  const there = await allUsers(service);
  expect(await (await poster(service)).post()).to.equal(201);
  await service.stop();
  const after = new Database(file, { readonly: true });
  expect(after.pragma('integrity_check', { simple: true })).to.equal('ok');
  after.close();
  return [...there.keys()];
}

/** Other programs' ways, with the service running. */
export const copies: Readonly<Record<string, (db: Connection, backup: string) => unknown>> = {
  // As sqlite3's .backup.
  'SQLite’s backup': (db, backup) => db.backup(backup),
  'VACUUM INTO': (db, backup) => db.prepare('VACUUM INTO ?').run(backup),
};
export const own = 'npm run backup';

export async function makeCopy(how: string, { folder, file, backup }: Scene): Promise<void> {
  if (how === own) {
    expect((await run(['backup', backup], folder)).code).to.equal(0);
    return;
  }
  const db = new Database(file);
  await copies[how]?.(db, backup);
  db.close();
}

/** @param how a copy is made @param isEarlier whether the service was started anew since */
export function itDoesNotPlayItsLog(how: string, isEarlier: boolean): void {
  it(`does not apply its WAL to a copy by ${how} of ${isEarlier ? 'an earlier run' : 'the same run'}`, async () => {
    const scene = await aScene();
    const { folder, file, backup, clients } = scene;
    await makeCopy(how, scene);
    const before = [...clients.created];
    let { service } = scene;
    if (isEarlier) {
      await service.stop();
      service = await startProcess({ folder });
    }
    await write(await poster(service));
    await service.stop('SIGKILL');
    copyFileSync(backup, file);
    const line = await refusal(scene);
    expect(line).to.contain(`${file}-wal`).and.to.contain(`npm run restore -- ${file}`);
    expect((await run(['restore', file], folder)).code).to.equal(0);
    expect(await usersAfterStart(scene)).to.have.members(before);
  });
}

export function itHasEveryUser(workers: string): void {
  it(`has every user whose creation was answered before it began, while many clients write (workers: ${workers})`, async () => {
    const scene = await aScene({ USERS_WORKERS: workers });
    const { service, clients, folder, backup, file } = scene;
    const before = [...clients.created];
    let isMade = false;
    const writers = Array.from({ length: 8 }, async () => {
      while (!isMade) expect(await clients.post()).to.equal(201);
    });
    const made = await run(['backup', backup], folder);
    isMade = true;
    await Promise.all(writers);
    expect(made.told).to.deep.equal([]);
    expect(made.code).to.equal(0);
    expect(statSync(backup).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder).sort()).to.deep.equal(['backup.db', 'data']);
    await service.stop();
    const restored = await run(['restore', backup], folder);
    expect(restored.log.join())
      .to.match(/^\d+ users of /)
      .and.to.contain(` are in ${file}; the previous database is now `);
    const again = await startProcess({ folder });
    const there = await allUsers(again);
    expect([...there.keys()]).to.include.members(before);
    expectUndamaged(file, there);
  });
}
