import { execFileSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Connection } from '../../src/adapters/stores/sqlite/file/connection.ts';
import { discardProcesses, type Environment, type Process, run, startProcess } from '../support/process.ts';
import { allUsers, expectUndamaged } from './contents.ts';
import { type Poster, poster } from './posts.ts';

interface Scene {
  readonly service: Process;
  readonly folder: string;
  readonly file: string;
  readonly backup: string;
  readonly clients: Poster;
}

async function aScene(env: Environment = {}): Promise<Scene> {
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

async function write(clients: Poster, count = 30): Promise<void> {
  for (let at = 0; at < count; at += 1) expect(await clients.post()).to.equal(201);
}

/** The line that says why it does not start; nothing is changed by that. */
async function refusal({ folder, file }: Scene): Promise<string> {
  const bytes = [file, `${file}-wal`].map((path) => existsSync(path) && readFileSync(path));
  const { code, told } = await run([], folder);
  expect(code).to.equal(1);
  expect([file, `${file}-wal`].map((path) => existsSync(path) && readFileSync(path))).to.deep.equal(bytes);
  return told.join('\n');
}

async function usersAfterStart({ folder, file }: Scene): Promise<string[]> {
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
const copies: Readonly<Record<string, (db: Connection, backup: string) => unknown>> = {
  // As sqlite3's .backup.
  'SQLite’s backup': (db, backup) => db.backup(backup),
  'VACUUM INTO': (db, backup) => db.prepare('VACUUM INTO ?').run(backup),
};
const own = 'npm run backup';

async function makeCopy(how: string, { folder, file, backup }: Scene): Promise<void> {
  if (how === own) {
    expect((await run(['backup', backup], folder)).code).to.equal(0);
    return;
  }
  const db = new Database(file);
  await copies[how]?.(db, backup);
  db.close();
}

describe('A backup of the SQLite file', function () {
  this.timeout(60_000);
  afterEach(discardProcesses);

  for (const workers of ['1', '2'])
    it(`has every user answered for before it began, made while all write (${workers} of workers)`, async () => {
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
      expect(restored.log.join()).to.match(
        /^\d+ users of .* are in data\/users\.db; what was there before is /,
      );
      const again = await startProcess({ folder });
      const there = await allUsers(again);
      expect([...there.keys()]).to.include.members(before);
      expectUndamaged(file, there);
    });

  it('is made of a file that nobody has open, too, and never over another file', async () => {
    const { service, folder, backup } = await aScene();
    await service.stop('SIGKILL');
    expect((await run(['backup', backup], folder)).log.join()).to.match(/^30 users /);
    const { code, told } = await run(['backup', backup], folder);
    expect(code).to.equal(1);
    expect(told.join()).to.contain('is there already');
  });

  for (const command of ['backup', 'restore'])
    it(`is not taken to be what was meant as an option of npm run ${command}, or as nothing`, async () => {
      const { folder } = await aScene();
      for (const words of [['--helpme'], [''], []]) {
        const { code, told } = await run([command, ...words], folder);
        expect(code).to.equal(64);
        expect(told.join()).to.contain(`usage: user-management ${command} `);
      }
      expect(readdirSync(folder)).to.deep.equal(['data']);
    });

  it('is restored after the service was killed, whatever its log held, and what was there is kept', async () => {
    const scene = await aScene();
    const { service, folder, backup, clients } = scene;
    await makeCopy(own, scene);
    const before = [...clients.created];
    await write(clients);
    await service.stop('SIGKILL');
    const { code, log } = await run(['restore', backup], folder);
    expect(code).to.equal(0);
    const kept = /what was there before is (.*)$/.exec(log.join())?.[1] ?? '';
    expect(await usersAfterStart(scene)).to.have.members(before);
    const keptFile = new Database(kept);
    expect(keptFile.prepare('SELECT id FROM users').pluck().all()).to.have.members(clients.created);
    keptFile.close();
  });

  it('that root restores stays the service account’s, whether a file was there or its folder alone', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const scene = await aScene();
    const { service, folder, file, backup } = scene;
    await makeCopy(own, scene);
    await service.stop();
    const account = 4242;
    for (const path of [file, join(folder, 'data')]) chownSync(path, account, account);
    for (const isThere of [true, false]) {
      if (!isThere) rmSync(file);
      expect((await run(['restore', backup], folder)).code).to.equal(0);
      const { uid, gid, mode } = statSync(file);
      expect([uid, gid, mode & 0o777]).to.deep.equal([account, account, 0o600]);
    }
  });

  it('is refused when it is damaged, none of ours, or in use, and while the service runs; nothing is changed', async () => {
    const scene = await aScene();
    const { service, folder, file, backup, clients } = scene;
    await makeCopy(own, scene);
    const refused = async (what: string): Promise<string> => {
      const { code, told } = await run(['restore', what], folder);
      expect(code).to.equal(1);
      return told.join();
    };
    expect(await refused(backup)).to.contain('the service, or another program, has it open');
    expect(await refused(file)).to.contain('the service, or another program, has it open');
    expect(await clients.post()).to.equal(201);
    await service.stop('SIGKILL');
    const other = join(folder, 'other.db');
    const foreign = new Database(other);
    foreign.exec('CREATE TABLE theirs (a)');
    foreign.close();
    expect(await refused(other)).to.contain('it is not a user directory');
    const nothing = join(folder, 'nothing.db');
    closeSync(openSync(nothing, 'w'));
    expect(await refused(nothing)).to.contain(`${nothing} is empty`);
    const fifo = join(folder, 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect(await refused(fifo)).to.contain(`${fifo} is a FIFO, not a file`);
    const bytes = readFileSync(backup);
    const cut = join(folder, 'cut.db');
    copyFileSync(backup, cut);
    const fd = openSync(cut, 'r+');
    writeSync(fd, Buffer.alloc(3 * 4096, 7), 0, 3 * 4096, 2 * 4096);
    closeSync(fd);
    expect(await refused(cut)).to.contain('it is damaged');
    expect(readFileSync(backup).equals(bytes)).to.equal(true);
    expect(await usersAfterStart(scene)).to.have.members(clients.created);
  });
});

describe('The service killed, and its SQLite file changed by hand,', function () {
  this.timeout(60_000);
  afterEach(discardProcesses);

  for (const how of [...Object.keys(copies), own])
    for (const restart of [false, true])
      it(`does not play its log into a copy by ${how} of ${restart ? 'an earlier run' : 'the same run'}`, async () => {
        const scene = await aScene();
        const { folder, file, backup, clients } = scene;
        await makeCopy(how, scene);
        const before = [...clients.created];
        let { service } = scene;
        if (restart) {
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

  it('does not start without its log, which held what was answered last', async () => {
    const scene = await aScene();
    const { service, folder, file } = scene;
    await service.stop('SIGKILL');
    rmSync(`${file}-wal`);
    expect(await refusal(scene))
      .to.contain('its log')
      .and.to.contain(`npm run restore -- ${file}`);
    expect((await run(['restore', file], folder)).code).to.equal(0);
    expect(await usersAfterStart(scene)).to.be.an('array');
  });

  it('recovers as ever after another program has read the file, copied its log into it, or looked at it while it ran', async () => {
    const scene = await aScene();
    const { folder, file, clients, service } = scene;
    const tool = new Database(file);
    tool.pragma('wal_checkpoint(TRUNCATE)');
    expect(await clients.post()).to.equal(201);
    expect(await clients.post()).to.equal(201);
    await service.stop('SIGKILL');
    tool.close();
    const again = await startProcess({ folder });
    expect([...(await allUsers(again)).keys()]).to.have.members(clients.created);
    const more = await poster(again);
    const second = new Database(file);
    second.pragma('wal_checkpoint(TRUNCATE)');
    expect(await more.post()).to.equal(201);
    expect(await more.post()).to.equal(201);
    await again.stop('SIGKILL');
    const last = await startProcess({ folder });
    expect([...(await allUsers(last)).keys()]).to.have.members([...clients.created, ...more.created]);
    second.close();
  });

  it('is looked through by --verify, which says how many are in it and changes nothing', async () => {
    const { service, folder, backup } = await aScene();
    expect((await run(['backup', backup], folder)).code).to.equal(0);
    await service.stop();
    const bytes = readFileSync(backup);
    const { code, log, told } = await run(['backup', '--verify', backup], folder);
    expect([code, log, told]).to.deep.equal([0, [`30 users are in ${backup}, which is whole`], []]);
    expect(readFileSync(backup).equals(bytes)).to.equal(true);
    expect(readdirSync(folder).sort()).to.deep.equal(['backup.db', 'data']);
  });

  it('is refused by --verify when a page of it is damaged, when it is none of ours or has a log beside it', async () => {
    const { service, folder, backup, file } = await aScene();
    expect((await run(['backup', backup], folder)).code).to.equal(0);
    const open = await run(['backup', '--verify', file], folder);
    expect([open.code, open.told.join()]).to.deep.equal([1, open.told.join()]);
    expect(open.told.join()).to.match(/^No good backup: .*has a log beside it/);
    await service.stop();
    const fd = openSync(backup, 'r+');
    writeSync(fd, Buffer.alloc(4096, 0x55), 0, 4096, 3 * 4096);
    closeSync(fd);
    for (const [what, reason] of [
      [backup, /damaged|malformed/],
      [join(folder, 'nobody.db'), /ENOENT/],
      ['/etc/passwd', /not a database/],
    ] as const) {
      const { code, told } = await run(['backup', '--verify', what], folder);
      expect(code, told.join()).to.equal(1);
      expect(told.join())
        .to.match(/^No good backup: /)
        .and.to.match(reason);
    }
  });
});
