import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { missing, needed, outputOf } from '../outside/tools.ts';
import { aUser } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, launch, program, run } from '../support/process.ts';
import { untilStopped } from '../support/processes.ts';
import { runHere } from './called.ts';
import { fileIn, fill } from './directories.ts';

/** In the order of their ids. */
const someUsers = (count: number, more: (at: number) => Partial<User> = () => ({})): User[] =>
  Array.from({ length: count }, (_, at) => {
    const id = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
    return aUser({ id, userName: `user${at}`, ...more(at) });
  });

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const parts = (folder: string): string[] => readdirSync(folder).filter((name) => name.endsWith('.part'));

/** More than a pipe holds, and than a disk of a megabyte. */
const many = () => someUsers(2000, () => ({ displayName: 'x'.repeat(200), title: 'y'.repeat(200) }));

function hasRead(fd: number, into: Buffer): boolean {
  try {
    return readSync(fd, into) > 0;
  } catch {
    // EAGAIN: there is nothing yet.
    return false;
  }
}

describe('An export', () => {
  let folder = '';
  beforeEach(() => {
    folder = aDataFolder();
  });
  afterEach(discardProcesses);
  /** The lines of a table. */
  const exported = async (...options: string[]): Promise<string[]> => {
    expect((await runHere(['export', ...options, '--force', 'table.csv'], folder)).code).to.equal(0);
    return readFileSync(join(folder, 'table.csv'), 'utf8').split('\r\n').slice(0, -1);
  };

  it('writes all users as the API shows them to a file that only the owner can read, and leaves no other file', async () => {
    const users = someUsers(300);
    await fill(folder, users);
    const { code, log, told } = await run(['export', 'users.jsonl'], folder);
    expect([code, log, told]).to.deep.equal([0, [], ['300 users are in users.jsonl']]);
    const file = join(folder, 'users.jsonl');
    expect(linesOf(readFileSync(file, 'utf8')).map((line) => JSON.parse(line))).to.deep.equal(users);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(readdirSync(folder).sort()).to.deep.equal(['data', 'users.jsonl']);
  });

  it('writes only the users to standard output when the file is - or omitted', async () => {
    await fill(folder, someUsers(2));
    for (const more of [[], ['-']]) {
      const { code, log } = await run(['export', '--format', 'json', ...more], folder);
      expect([code, JSON.parse(log.join('')).users.length]).to.deep.equal([0, 2]);
    }
  });

  it('compresses a file whose name ends with .gz', async () => {
    await fill(folder, someUsers(2));
    expect((await runHere(['export', 'users.xml.gz'], folder)).code).to.equal(0);
    const text = gunzipSync(readFileSync(join(folder, 'users.xml.gz'))).toString();
    expect(text)
      .to.match(/^<\?xml/)
      .and.to.contain('<userName>user1</userName>');
  });

  it('has the format of --format, whatever the name ends with', async () => {
    await fill(folder, someUsers(1));
    const { code, told } = await runHere(['export', '--format', 'csv', 'users.json'], folder);
    expect([code, told]).to.deep.equal([0, ['1 user is in users.json']]);
    expect(readFileSync(join(folder, 'users.json'), 'utf8')).to.match(/^id,userName,active,/);
  });

  it('of no users is a valid file of the format', async () => {
    await fill(folder, []);
    for (const format of ['xml', 'csv']) {
      const file = `none.${format}`;
      expect((await runHere(['export', file], folder)).told).to.deep.equal([`0 users are in ${file}`]);
      const { log } = await runHere(['import', file], folder);
      expect(log).to.deep.equal(['0 created, 0 changed, 0 unchanged, 0 refused']);
    }
  });

  it('has the matching users, in the requested order, as the list does', async () => {
    await fill(
      folder,
      someUsers(20, (at) => ({ displayName: `Ada ${99 - at}`, roles: [at < 10 ? 'admin' : 'guest'] })),
    );
    const where = ['--where', 'role=admin&search=ada+9', '--where', 'sort=displayName'];
    const lines = await exported('--columns', 'displayName,id', ...where);
    const names = Array.from({ length: 10 }, (_, at) => `Ada ${90 + at}`);
    expect(lines.map((line) => line.split(',')[0])).to.deep.equal(['displayName', ...names]);
  });

  it('takes several values, absence and exclusion by each filter of --where', async () => {
    const rolesAt = [['admin'], ['auditor'], ['guest'], ['admin', 'guest'], []];
    await fill(
      folder,
      someUsers(5, (at) => ({ displayName: `Ada ${at}`, roles: rolesAt[at] ?? [] })),
    );
    const namesOf = async (...where: string[]) => {
      const asked = [...where, 'sort=displayName'].flatMap((text) => ['--where', text]);
      return (await exported('--columns', 'displayName', ...asked)).slice(1);
    };
    expect(await namesOf('role.in=admin', 'role.in=auditor')).to.deep.equal(['Ada 0', 'Ada 1', 'Ada 3']);
    expect(await namesOf('role.not=guest&role.exists=true')).to.deep.equal(['Ada 0', 'Ada 1']);
    expect(await namesOf('role.exists=false')).to.deep.equal(['Ada 4']);
  });

  it('has in CSV the columns with values, or the requested columns', async () => {
    await fill(
      folder,
      someUsers(300, (at) => (at === 299 ? { attributes: { z: '=1+1' }, roles: ['a|b', 'c'] } : {})),
    );
    const [all] = await exported();
    expect(all).to.equal('id,userName,active,roles,attributes.z,meta.created,meta.lastModified,meta.version');
    const chosen = ['--columns', 'attributes.z,userName'];
    const plain = await exported(...chosen);
    expect([plain[0], plain.at(-1)]).to.deep.equal(['attributes.z,userName', '=1+1,user299']);
    const safe = await exported('--spreadsheet', ...chosen);
    expect([safe[0], safe.at(-1)]).to.deep.equal(['\uFEFFattributes.z,userName', "'=1+1,user299"]);
  });

  it('leaves out users that it cannot print, names them and exits with 2', async () => {
    const users = someUsers(5);
    await fill(folder, users);
    const db = new Database(fileIn(folder));
    db.prepare("UPDATE users SET document = json_set(document, '$.emails', 7) WHERE id = ?").run(
      users[2]?.id,
    );
    db.close();
    const { code, told } = await run(['export', 'users.csv'], folder);
    expect([code, told[0]]).to.deep.equal([2, `Left out: the stored user ${users[2]?.id} can't be read`]);
    expect(told.slice(1).join()).to.contain('4 users are in users.csv').and.to.contain('1 user was left out');
    expect(readFileSync(join(folder, 'users.csv'), 'utf8').trim().split('\r\n')).to.have.length(5);
  });

  it('is refused without a store, and creates none', async () => {
    const { code, told } = await runHere(['export', 'users.jsonl'], folder);
    expect([code, told.join()]).to.deep.equal([1, `No file: ${fileIn(folder)} is not there`]);
    expect(readdirSync(folder)).to.deep.equal([]);
    const memory = await runHere(['export', 'users.jsonl'], folder, { USERS_STORE: 'memory' });
    expect([memory.code, memory.told.join()]).to.deep.equal([
      1,
      'No file: the store memory exists only in one process: set USERS_STORE to another one',
    ]);
  });

  it('overwrites a file only with --force, and never anything else', async () => {
    await fill(folder, someUsers(3));
    writeFileSync(join(folder, 'there.jsonl'), 'before');
    symlinkSync('there.jsonl', join(folder, 'link.jsonl'));
    mkdirSync(join(folder, 'folder.jsonl'));
    const refused = await runHere(['export', 'link.jsonl'], folder);
    expect([refused.code, refused.told]).to.deep.equal([
      1,
      ['No file: link.jsonl: it exists already; --force overwrites it'],
    ]);
    expect(readFileSync(join(folder, 'there.jsonl'), 'utf8')).to.equal('before');
    expect((await runHere(['export', '--force', 'there.jsonl'], folder)).code).to.equal(0);
    expect(linesOf(readFileSync(join(folder, 'there.jsonl'), 'utf8'))).to.have.length(3);
    expect(statSync(join(folder, 'there.jsonl')).mode & 0o777).to.equal(0o600);
    for (const [name, why] of [
      ['folder.jsonl', 'it exists and is not a file'],
      ['absent/users.jsonl', 'ENOENT'],
    ]) {
      const { code, told } = await runHere(['export', '--force', name as string], folder);
      expect([code, told.length]).to.deep.equal([1, 1]);
      expect(told[0]).to.contain(`No file: ${name}: ${why}`);
    }
  });

  it('replaces a symbolic link, and leaves its target unchanged', async () => {
    await fill(folder, someUsers(3));
    writeFileSync(join(folder, 'another.txt'), 'before', { mode: 0o644 });
    symlinkSync('another.txt', join(folder, 'link.jsonl'));
    symlinkSync('nowhere', join(folder, 'dangling.jsonl'));
    expect((await runHere(['export', '--force', 'link.jsonl'], folder)).code).to.equal(0);
    expect((await runHere(['export', 'dangling.jsonl'], folder)).code).to.equal(0);
    for (const name of ['link.jsonl', 'dangling.jsonl']) {
      const stat = lstatSync(join(folder, name));
      expect([stat.isFile(), stat.mode & 0o777], name).to.deep.equal([true, 0o600]);
      expect(linesOf(readFileSync(join(folder, name), 'utf8'))).to.have.length(3);
    }
    expect(readFileSync(join(folder, 'another.txt'), 'utf8')).to.equal('before');
    expect(statSync(join(folder, 'another.txt')).mode & 0o777).to.equal(0o644);
    expect(readdirSync(folder)).not.to.include('nowhere');
  });

  it('never overwrites the store or the files beside it, even with --force', async () => {
    await fill(folder, someUsers(3));
    symlinkSync('data', join(folder, 'link'));
    for (const place of ['data/users.db', 'data/users.db-wal', 'link/users.db', 'data/users.db-journal']) {
      const { code, told } = await runHere(['export', '--force', '--format', 'jsonl', place], folder);
      expect([code, told]).to.deep.equal([1, [`No file: ${place}: it belongs to the store`]]);
    }
    expect((await run(['export', '--format', 'jsonl'], folder)).log).to.have.length(3);
  });

  it('reports in one line that its reader has gone', async () => {
    await fill(folder, many());
    const { child, ended } = launch(['export', '--format', 'jsonl'], folder);
    child.stdout?.destroy();
    const { code, told } = await ended;
    expect([code, told]).to.deep.equal([1, ['No file: standard output: write EPIPE']]);
  });

  it('reports a full disk behind standard output', async () => {
    await fill(folder, someUsers(3));
    const full = await run(
      ['export', '--format', 'jsonl'],
      folder,
      {},
      { stdout: openSync('/dev/full', 'w') },
    );
    expect([full.code, full.told.length]).to.deep.equal([1, 1]);
    expect(full.told[0]).to.contain('No file: standard output: ENOSPC');
  });

  it('leaves no file on a full disk', async function () {
    await fill(folder, many());
    const disk = mkdtempSync(join(tmpdir(), 'users-full-'));
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]).status !== 0)
      missing(this, 'the right to mount a small disk');
    try {
      for (const name of ['users.jsonl', 'users.csv.gz', 'users.xml']) {
        const { code, told } = await run(['export', join(disk, name), '--where', 'sort=id'], folder);
        if (name.endsWith('.gz')) continue;
        expect([code, told.length]).to.deep.equal([1, 1]);
        expect(told[0]).to.contain(name).and.to.contain('ENOSPC');
      }
      expect(readdirSync(disk)).to.deep.equal(['users.csv.gz']);
    } finally {
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    }
  });

  it('ends on a signal, even when its output is not read', async () => {
    await fill(folder, many());
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const pipe = openSync(join(folder, 'pipe'), constants.O_RDWR | constants.O_NONBLOCK);
    const { child, ended } = launch(['export', '--format', 'jsonl'], folder, {}, { stdout: pipe });
    const first = Buffer.alloc(1);
    await until('the export writes', () => hasRead(pipe, first));
    child.kill('SIGINT');
    const { signal: endedBy, told } = await ended;
    closeSync(pipe);
    expect([endedBy, told]).to.deep.equal(['SIGINT', ['No file: stopped by SIGINT']]);
  });

  it('leaves no file when a signal ends it', async () => {
    await fill(folder, many());
    // Stopped by itself as soon as its file is there, so that the signal comes before the end.
    const hook = join(folder, 'stop.cjs');
    writeFileSync(
      hook,
      `const fs = require('node:fs');
      const { openSync } = fs;
      fs.openSync = (path, ...rest) => {
        const fd = openSync(path, ...rest);
        if (String(path).endsWith('.part')) process.kill(process.pid, 'SIGSTOP');
        return fd;
      };
      require('node:module').syncBuiltinESMExports();`,
    );
    const { child, ended } = launch(['export', 'users.csv'], folder, { NODE_OPTIONS: `--require ${hook}` });
    await until('the file is begun', () => parts(folder).length > 0);
    await untilStopped(child.pid ?? 0);
    child.kill();
    child.kill('SIGCONT');
    expect((await ended).signal).to.equal('SIGTERM');
    expect(readdirSync(folder).sort()).to.deep.equal(['data', 'stop.cjs']);
  });

  it('removes the partial file of a killed export', async () => {
    await fill(folder, someUsers(3));
    const { pid = 0 } = spawnSync('true');
    writeFileSync(join(folder, `users.jsonl.${pid}.part`), 'cut of');
    expect((await runHere(['export', 'users.jsonl'], folder)).code).to.equal(0);
    expect(parts(folder)).to.deep.equal([]);
  });

  it('shows a progress bar on a terminal, and replaces it by its last message', async function () {
    const script = needed(this, 'script');
    await fill(folder, someUsers(500));
    const command = `cd ${folder} && ${process.execPath} ${program} export users.jsonl`;
    const { out } = await outputOf(script, ['-qec', command, '/dev/null']);
    expect(out).to.match(/\[=* *\] \d+%, [\d,]+ users, [\d,]+ a second/);
    expect(out.split('\u001b[2K').at(-1)).to.equal('500 users are in users.jsonl\r\n');
  });
});
