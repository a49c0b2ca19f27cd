import { execFileSync, spawnSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { aUser } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { missing } from '../support/left-out.ts';
import { launch, run } from '../support/process.ts';
import { runHere } from './called.ts';
import { fill, openCounter, usersIn } from './directories.ts';
import { ada, counts, grace, lines, outcome, setFolder } from './imported-users.ts';

const xmlStart = '<users xmlns="urn:user-management:1"><user>';

describe('An import', () => {
  const scene = setFolder();
  const { put, text, names } = scene;

  it('has an id in the history, which all of its changes have in common', async () => {
    put('users.jsonl', lines(ada, grace));
    put('others.jsonl', lines({ userName: 'alan' }));
    for (const file of ['users.jsonl', 'others.jsonl']) await runHere(['import', file], scene.folder);
    await runHere(['export', '--kind', 'changes', 'changes.jsonl'], scene.folder);
    const changes = text('changes.jsonl').trim().split('\n');
    const [alan, second, first] = changes.map((line) => JSON.parse(line).request);
    expect(first).to.match(/^[0-9a-f-]{36}$/);
    expect(second).to.equal(first);
    expect(alan)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(first);
  });

  it('by root creates a database that belongs to the owner of its folder, so that the service can open it', async function () {
    if (process.getuid?.() !== 0) missing(this, 'root');
    put('users.jsonl', lines(ada, grace));
    const account = 4242;
    mkdirSync(join(scene.folder, 'data'));
    chownSync(join(scene.folder, 'data'), account, account);
    expect((await run(['import', 'users.jsonl'], scene.folder)).code).to.equal(0);
    const { uid, gid, mode } = statSync(join(scene.folder, 'data', 'users.db'));
    expect([uid, gid, mode & 0o777]).to.deep.equal([account, account, 0o600]);
  });

  it('reads a named pipe, and can be ended while its writer is silent', async () => {
    execFileSync('mkfifo', [join(scene.folder, 'pipe.jsonl')]);
    const waiting = launch(['import', 'pipe.jsonl'], scene.folder);
    const silent = openSync(join(scene.folder, 'pipe.jsonl'), 'w');
    // Said when the pipe is open.
    await waiting.err.first(/there are no users yet/);
    waiting.child.kill('SIGINT');
    const { signal, log, told } = await waiting.ended;
    closeSync(silent);
    expect([signal, log, told.at(-1)]).to.deep.equal([
      'SIGINT',
      [counts(0, 0, 0, 0)],
      'Not finished: stopped by SIGINT',
    ]);

    const { ended } = launch(['import', 'pipe.jsonl'], scene.folder);
    const writer = openSync(join(scene.folder, 'pipe.jsonl'), 'w');
    writeFileSync(writer, lines(ada));
    closeSync(writer);
    expect(outcome(await ended)).to.deep.equal([0, counts(1, 0, 0, 0)]);
  });

  it('also says in its JSON summary that it stopped at --max-rejects', async () => {
    put('users.jsonl', lines({ userName: '' }, ada));
    const { code, log } = await runHere(
      ['import', 'users.jsonl', '--json', '--max-rejects', '1'],
      scene.folder,
    );
    expect([code, JSON.parse(log.join())]).to.deep.equal([
      1,
      { finished: false, dryRun: false, created: 0, changed: 0, unchanged: 0, rejected: 1 },
    ]);
  });

  it('removes the attributes of empty cells with --empty remove', async () => {
    await fill(scene.folder, [aUser({ userName: 'ada', title: 'Countess', nickName: 'Ada' })]);
    put('users.csv', 'userName,title\nada,\n');
    const wanted = ['import', 'users.csv', '--match', 'userName', '--mode', 'upsert'];
    expect(outcome(await runHere(wanted, scene.folder))).to.deep.equal([0, counts(0, 0, 1, 0)]);
    expect(outcome(await runHere([...wanted, '--empty', 'remove'], scene.folder))).to.deep.equal([
      0,
      counts(0, 1, 0, 0),
    ]);
    const [user] = usersIn(scene.folder);
    expect(user).to.include({ nickName: 'Ada' }).and.not.have.property('title');
  });

  it('reads encodings of spreadsheets: UTF-16 by its mark, windows-1252 with --encoding', async () => {
    put('utf16.csv', Buffer.from('\uFEFFuserName;displayName\r\nzoe;Zoë €\r\n', 'utf16le'));
    expect(outcome(await runHere(['import', 'utf16.csv'], scene.folder))).to.deep.equal([
      0,
      counts(1, 0, 0, 0),
    ]);
    put('ansi.csv', Buffer.from('userName;displayName\r\nzoe;Zo\xeb \x80\r\n', 'latin1'));
    const wanted = ['import', 'ansi.csv', '--match', 'userName'];
    const untold = await runHere(wanted, scene.folder);
    expect(untold.code).to.equal(1);
    expect(untold.told.join()).to.equal(
      [
        'Read as a table with semicolons, in UTF-8',
        'Not finished: ansi.csv: row 2, cell B2: the file is not UTF-8: save it in UTF-8, or name the encoding with --encoding in which this is right: windows-1257 "zoe;Zoė €", windows-1252 "zoe;Zoë €", windows-1251 "zoe;Zoл Ђ"',
      ].join(),
    );
    const told = await runHere([...wanted, '--encoding', 'windows-1252'], scene.folder);
    expect(outcome(told)).to.deep.equal([0, counts(0, 0, 1, 0)]);
  });

  it('writes no file of rejects when no row is refused, and never overwrites one', async () => {
    put('users.jsonl', lines(ada));
    const wanted = ['import', 'users.jsonl', '--rejects', 'rejects.jsonl.gz'];
    expect((await runHere(wanted, scene.folder)).code).to.equal(0);
    expect(existsSync(join(scene.folder, 'rejects.jsonl.gz'))).to.equal(false);
    put('rejects.jsonl.gz', 'before');
    const refused = 'Not finished: rejects.jsonl.gz: it exists already';
    const { code, told } = await runHere(wanted, scene.folder);
    expect([code, told]).to.deep.equal([1, [refused]]);
    expect(text('rejects.jsonl.gz')).to.equal('before');
    // It does not wait for input that it will not read.
    const { child, ended } = launch(
      ['import', '-', '--format', 'jsonl', '--rejects', 'rejects.jsonl.gz'],
      scene.folder,
      {},
      { stdin: 'pipe' },
    );
    expect((await ended).told).to.deep.equal([refused]);
    child.stdin?.end();
  });

  it('counts the imported users when the disk of the file of rejects is full', async function () {
    const disk = join(scene.folder, 'disk');
    mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status !== 0)
      missing(this, 'the right to mount a small disk');
    try {
      const bad = Array.from({ length: 3000 }, () => ({ userName: '', title: 'x'.repeat(200) }));
      put('users.jsonl', lines(ada, ...bad));
      const rejects = join(disk, 'rejects.jsonl');
      const { code, log, told } = await run(['import', 'users.jsonl', '--rejects', rejects], scene.folder);
      expect([code, log[0]?.startsWith('1 created, ')]).to.deep.equal([1, true]);
      expect(told.at(-1)).to.contain(`Not finished: ${rejects}: ENOSPC`);
      expect(readdirSync(disk)).to.deep.equal([]);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('names the store when its disk is full, also in a dry run, and keeps what it imported', async function () {
    const disk = join(scene.folder, 'disk');
    mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk]).status !== 0)
      missing(this, 'the right to mount a small disk');
    try {
      const many = Array.from({ length: 5000 }, (_, at) => ({ userName: `u${at}`, title: 'x'.repeat(200) }));
      put('users.jsonl', lines(...many));
      const file = join(disk, 'users.db');
      const dry = await run(['import', 'users.jsonl', '--dry-run'], scene.folder, { TMPDIR: disk });
      expect([dry.code, dry.told.at(-1)?.replace(/-\w{6}\/users.db/, '')]).to.deep.equal([
        1,
        `Not finished: The write was not done. the SQLite file ${disk}/user-management: SQLITE_FULL: database or disk is full`,
      ]);
      const wet = await run(['import', 'users.jsonl', '--json'], scene.folder, { USERS_SQLITE_FILE: file });
      expect([wet.code, wet.told.at(-1)]).to.deep.equal([
        1,
        `Not finished: The write was not done. the SQLite file ${file}: SQLITE_FULL: database or disk is full`,
      ]);
      expect(JSON.parse(wet.log[0] ?? '').created).to.be.above(0);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('keeps the imported users when the file is cut off, and says where', async () => {
    for (const [name, content, place, said] of [
      ['cut.json', '{"users":[{"userName":"a"},{"userName":"b"', 'line 1, column', counts(1, 0, 0, 0)],
      ['cut.xml', `${xmlStart}<userName>a</userName></user><user>`, 'line 1, column', counts(0, 0, 1, 0)],
      ['cut.csv', 'userName,title\r\na,\r\nb,"open', 'row 3, cell B3', counts(0, 0, 1, 0)],
    ] as const) {
      put(name, content);
      const { code, log, told } = await runHere(['import', name, '--match', 'userName'], scene.folder);
      expect([name, code, log]).to.deep.equal([name, 1, [said]]);
      expect(told.at(-1)).to.contain(`Not finished: ${name}: ${place}`);
    }
    expect(names()).to.deep.equal(['a']);
  });

  it('refuses a file that it cannot read, and creates no store', async () => {
    put('users.jsonl.gz', lines(ada));
    put('half.jsonl.gz', gzipSync(lines(ada)).subarray(0, 5));
    put('damaged.jsonl.gz', Buffer.concat([gzipSync(lines(ada)).subarray(0, -8), Buffer.alloc(8, 1)]));
    put('more.jsonl.gz', Buffer.concat([gzipSync(lines(ada)), Buffer.alloc(9)]));
    for (const [name, why] of [
      ['absent.jsonl', 'ENOENT'],
      ['users.jsonl.gz', 'it is not gzip'],
      ['half.jsonl.gz', 'the gzip is cut off'],
      ['damaged.jsonl.gz', 'the gzip is damaged'],
      ['more.jsonl.gz', 'data follows the end of the gzip'],
    ] as const) {
      const { code, told } = await runHere(['import', name], scene.folder);
      expect(code).to.equal(1);
      expect(told.at(-1)?.replace(/line \d+, column \d+: /, '')).to.contain(`Not finished: ${name}: ${why}`);
      if (name === 'absent.jsonl') expect(existsSync(join(scene.folder, 'data'))).to.equal(false);
    }
    const { told } = await runHere(['import', '--format', 'jsonl', 'data'], scene.folder);
    expect(told.at(-1)).to.equal('Not finished: data: it is a folder');
  });

  it('stops on a signal after the current batch, and counts the imported users', async () => {
    const { child, ended } = launch(
      ['import', '-', '--format', 'jsonl', '--json'],
      scene.folder,
      {},
      { stdin: 'pipe' },
    );
    const some = Array.from({ length: 2000 }, (_, at) => ({ userName: `user${at}` }));
    child.stdin?.write(lines(...some));
    const counter = openCounter(scene.folder);
    await until('some users are in', () => counter.count() > 0);
    counter.close();
    child.kill('SIGTERM');
    const { signal, log, told } = await ended;
    expect([signal, told.at(-1)]).to.deep.equal(['SIGTERM', 'Not finished: stopped by SIGTERM']);
    const summary = JSON.parse(log[0] ?? '');
    expect(summary).to.include({ finished: false, rejected: 0 });
    expect(usersIn(scene.folder).length).to.equal(summary.created);
  });
});
