import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  lstatSync,
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
import { expect } from 'chai';
import { missing, needed, outputOf } from '../outside/tools.ts';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, launch, program, run } from '../support/process.ts';
import { untilStopped } from '../support/processes.ts';
import { runHere } from './called.ts';
import { fill } from './directories.ts';
import { linesOf, someUsers } from './exported-users.ts';

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
