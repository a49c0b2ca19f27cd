import { execFileSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  copyFileSync,
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
import { missing } from '../support/left-out.ts';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';
import { allUsers } from './contents.ts';
import {
  aScene,
  itDoesNotPlayItsLog,
  itHasEveryUser,
  makeCopy,
  own,
  refusal,
  usersAfterStart,
  write,
} from './copied-files.ts';
import { poster } from './posts.ts';

describe('A backup of the SQLite file', () => {
  afterEach(discardProcesses);

  itHasEveryUser('1');

  it('is made whether or not the service runs, and never overwrites a file', async () => {
    const { service, folder, backup } = await aScene();
    await service.stop('SIGKILL');
    expect((await run(['backup', backup], folder)).log.join()).to.match(/^30 users /);
    const { code, told } = await run(['backup', backup], folder);
    expect(code).to.equal(1);
    expect(told.join()).to.contain('is there already');
  });

  for (const [command, failure] of [
    ['backup', 'No backup'],
    ['restore', 'Nothing restored'],
  ] as const)
    it(`is refused by ${command} while the users are in MongoDB, and the old file stays`, async () => {
      const { service, folder, file, backup } = await aScene();
      await service.stop();
      const bytes = readFileSync(file);
      if (command === 'restore') await run(['backup', backup], folder);
      const env = { USERS_STORE: 'mongodb', USERS_MONGODB_URI: 'mongodb://127.0.0.1:1/users' };
      const there = readdirSync(folder);
      const { code, told } = await run([command, backup], folder, env);
      expect([code, told]).to.deep.equal([
        1,
        [
          `${failure}: the store is mongodb (USERS_STORE), and this command is for SQLite: see docs/operate/back-up.md`,
        ],
      ]);
      expect([readFileSync(file), readdirSync(folder)]).to.deep.equal([bytes, there]);
    });

  it('is restored after the service was killed, whatever its WAL contains, and the replaced files are kept', async () => {
    const scene = await aScene();
    const { service, folder, backup, clients } = scene;
    await makeCopy(own, scene);
    const before = [...clients.created];
    await write(clients);
    await service.stop('SIGKILL');
    const { code, log } = await run(['restore', backup], folder);
    expect(code).to.equal(0);
    const kept = /the previous database is now (.*)$/.exec(log.join())?.[1] ?? '';
    expect(await usersAfterStart(scene)).to.have.members(before);
    const keptFile = new Database(kept);
    expect(keptFile.prepare('SELECT id FROM users').pluck().all()).to.have.members(clients.created);
    keptFile.close();
  });

  it('belongs to the account of the service when root restores it, over a file or into an empty folder', async function () {
    if (process.getuid?.() !== 0) missing(this, 'root');
    const scene = await aScene();
    const { service, folder, file, backup } = scene;
    await makeCopy(own, scene);
    await service.stop();
    const account = 4242;
    for (const path of [file, join(folder, 'data')]) chownSync(path, account, account);
    for (const isThere of [true, false]) {
      if (!isThere) rmSync(file);
      const create = isThere ? [] : ['--create'];
      expect((await run(['restore', ...create, backup], folder)).code).to.equal(0);
      const { uid, gid, mode } = statSync(file);
      expect([uid, gid, mode & 0o777]).to.deep.equal([account, account, 0o600]);
    }
  });

  it('is restored to a place without a database only with --create; the message has the whole path', async () => {
    const { service, folder, backup } = await aScene();
    expect((await run(['backup', backup], folder)).code).to.equal(0);
    await service.stop();
    const elsewhere = aDataFolder();
    const place = join(elsewhere, 'data', 'users.db');
    const refused = await run(['restore', backup], elsewhere);
    expect(refused.code).to.equal(1);
    expect(refused.told).to.deep.equal([
      `Nothing restored: there is no database at ${place}: run the command with the settings of the service (USERS_SQLITE_FILE), or add --create`,
    ]);
    expect(readdirSync(elsewhere)).to.deep.equal([]);
    const { code, log } = await run(['restore', '--create', backup], elsewhere);
    expect([code, log]).to.deep.equal([0, [`30 users of ${backup} are in ${place}`]]);
  });

  it('is refused when it is damaged, from another program or in use, and while the service runs; nothing changes', async () => {
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

describe('The service, killed and started on a SQLite file that was changed by hand,', () => {
  afterEach(discardProcesses);

  itDoesNotPlayItsLog('SQLite’s backup', true);

  it('does not start without its WAL, which had the last answered writes', async () => {
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

  it('recovers as usual after another program read the file, checkpointed its WAL, or opened it while the service ran', async () => {
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

  it('is checked by --verify, which counts its users and changes nothing', async () => {
    const { service, folder, backup } = await aScene();
    expect((await run(['backup', backup], folder)).code).to.equal(0);
    await service.stop();
    const bytes = readFileSync(backup);
    const { code, log, told } = await run(['backup', '--verify', backup], folder);
    expect([code, log, told]).to.deep.equal([0, [`30 users are in ${backup}, which is complete`], []]);
    expect(readFileSync(backup).equals(bytes)).to.equal(true);
    expect(readdirSync(folder).sort()).to.deep.equal(['backup.db', 'data']);
  });

  it('is refused by --verify when it has a damaged page, belongs to another program or has a WAL beside it', async () => {
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
