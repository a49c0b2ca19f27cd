import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { aUser } from '../support/a-user.ts';
import { launch, run } from '../support/process.ts';
import { runHere } from './called.ts';
import { fill, usersIn, withoutTraces, withoutVersions } from './directories.ts';
import { ada, counts, grace, lines, outcome, setFolder } from './imported-users.ts';

describe('An import', () => {
  const scene = setFolder();
  const { put, text, names } = scene;

  it('creates all users, counts them, and leaves them unchanged when it runs again', async () => {
    put('users.jsonl', lines(ada, grace));
    expect(outcome(await run(['import', 'users.jsonl'], scene.folder))).to.deep.equal([
      0,
      counts(2, 0, 0, 0),
    ]);
    expect(withoutTraces(usersIn(scene.folder))).to.deep.equal([
      { ...ada, active: true },
      { ...grace, active: true },
    ]);
    expect(outcome(await runHere(['import', 'users.jsonl'], scene.folder))).to.deep.equal([
      0,
      counts(0, 0, 2, 0),
    ]);
  });

  it('reads standard input and files of any name, compressed or not', async () => {
    put('users.json', gzipSync(JSON.stringify({ users: [ada, grace] })));
    const dry = ['--dry-run', '--format'];
    for (const [content, format] of [
      [lines(ada, grace), 'jsonl'],
      [gzipSync('userName,title\nada,\ngrace,Admiral\n'), 'csv'],
    ] as const) {
      const { child, ended } = launch(['import', '-', ...dry, format], scene.folder, {}, { stdin: 'pipe' });
      child.stdin?.end(content);
      expect(outcome(await ended)).to.deep.equal([0, `nothing was changed; would be: ${counts(2, 0, 0, 0)}`]);
    }
    expect(outcome(await run(['import', 'users.json'], scene.folder))).to.deep.equal([0, counts(2, 0, 0, 0)]);
  });

  it('changes nothing in a dry run, and reports what the real run then does', async () => {
    put('first.jsonl', lines({ userName: 'there' }));
    await runHere(['import', 'first.jsonl'], scene.folder);
    const before = usersIn(scene.folder);
    put('users.jsonl', lines({ userName: 'there', title: 'changed' }, ada, grace, ada, { userName: '' }));
    const wanted = ['import', 'users.jsonl', '--mode', 'upsert'];
    const dry = await runHere([...wanted, '--dry-run'], scene.folder);
    expect(outcome(dry)).to.deep.equal([2, `nothing was changed; would be: ${counts(2, 1, 1, 1)}`]);
    expect(usersIn(scene.folder)).to.deep.equal(before);
    const wet = await runHere(wanted, scene.folder);
    expect(outcome(wet)).to.deep.equal([2, counts(2, 1, 1, 1)]);
    expect(wet.told).to.deep.equal(dry.told);
  });

  it('of users who are due to begin or end has the same outcome in a dry run', async () => {
    const at = '2026-01-01T00:00:00.000Z';
    const [created, instant] = [{ created: at, lastModified: at }, '2026-02-01T00:00:00.000Z'];
    const begins = { userName: 'ada', active: false, validFrom: instant };
    const ends = { userName: 'grace', active: true, validUntil: instant };
    put('before.jsonl', lines({ ...begins, meta: created }, { ...ends, meta: created }));
    const before = ['import', 'before.jsonl', '--keep-meta'];
    expect(outcome(await runHere(before, scene.folder))).to.deep.equal([0, counts(2, 0, 0, 0)]);
    put('after.jsonl', lines({ ...begins, active: true }, { ...ends, title: 'Admiral' }));
    const after = ['import', 'after.jsonl', '--mode', 'upsert'];
    const told = (prefix = '') => [2, prefix + counts(0, 0, 1, 1)];
    expect(outcome(await runHere([...after, '--dry-run'], scene.folder))).to.deep.equal(
      told('nothing was changed; would be: '),
    );
    expect(outcome(await runHere(after, scene.folder))).to.deep.equal(told());
  });

  it('prints its summary as JSON with --json', async () => {
    put('users.jsonl', lines(ada, { userName: '' }));
    const { log } = await runHere(['import', 'users.jsonl', '--json'], scene.folder);
    expect(log.map((line) => JSON.parse(line))).to.deep.equal([
      { finished: true, dryRun: false, created: 1, changed: 0, unchanged: 0, rejected: 1 },
    ]);
    put('cut.json', '{"users":[{"userName":"grace"},{"user');
    const cut = await runHere(['import', 'cut.json', '--json'], scene.folder);
    expect(cut.code).to.equal(1);
    expect(cut.log.map((line) => JSON.parse(line))).to.deep.equal([
      { finished: false, dryRun: false, created: 1, changed: 0, unchanged: 0, rejected: 0 },
    ]);
  });

  it('creates or changes users by --mode, and identifies existing ones by --match', async () => {
    const there = aUser({ userName: 'ada', externalId: 'hr-1', title: 'Countess' });
    await fill(scene.folder, [
      there,
      aUser({ userName: 'twin', externalId: 'hr-2' }),
      aUser({ externalId: 'hr-2' }),
    ]);
    put('users.csv', 'externalId,userName,nickName\r\nhr-1,ada.lovelace,Ada\r\nhr-9,new,\r\nhr-2,twin,T\r\n');
    const by = ['--match', 'externalId'];
    expect(outcome(await runHere(['import', 'users.csv', ...by, '--dry-run'], scene.folder))).to.deep.equal([
      2,
      `nothing was changed; would be: ${counts(1, 0, 0, 2)}`,
    ]);
    const update = await runHere(['import', 'users.csv', ...by, '--mode', 'update'], scene.folder);
    expect(outcome(update)).to.deep.equal([2, counts(0, 1, 0, 2)]);
    const changed = usersIn(scene.folder).find(({ id }) => id === there.id);
    expect(changed).to.include({ userName: 'ada.lovelace', title: 'Countess', nickName: 'Ada' });
    const upsert = await runHere(['import', 'users.csv', ...by, '--mode', 'upsert'], scene.folder);
    expect(outcome(upsert)).to.deep.equal([2, counts(1, 0, 1, 1)]);
  });

  it('reports twenty refused users with their places but without their names, and writes all of them to the file of rejects', async () => {
    const bad = Array.from({ length: 30 }, (_, at) => ({
      userName: `secret${at}`,
      emails: [{ value: 'nobody' }],
    }));
    put('users.jsonl', lines(ada, ...bad));
    const { code, told } = await run(['import', 'users.jsonl', '--rejects', 'rejects.jsonl'], scene.folder);
    expect(code).to.equal(2);
    expect(told).to.have.length(22);
    expect(told[1]).to.match(/^line 2, column 42: \/emails\/0\/value: must /);
    expect(told.at(-1)).to.equal('More users are refused; they are not listed here');
    expect(told.join()).not.to.match(/secret|nobody/);
    const written = text('rejects.jsonl').split('\n').slice(0, -1);
    expect(written).to.have.length(60);
    expect(JSON.parse(written[0] ?? '')).to.have.nested.property('$rejected.line', 2);
    expect(JSON.parse(written[1] ?? '')).to.deep.equal(bad[0]);
    expect(statSync(join(scene.folder, 'rejects.jsonl')).mode & 0o777).to.equal(0o600);
    expect(readdirSync(scene.folder).sort()).to.deep.equal(['data', 'rejects.jsonl', 'users.jsonl']);
  });

  it('prints no control characters from the name of a user or file', async () => {
    put('users.jsonl', lines({ userName: 'a', 'x\u001b[2J\u202e\n': 1, [`long${'g'.repeat(1000)}`]: 1 }));
    const { told } = await runHere(['import', 'users.jsonl'], scene.folder);
    expect(told[1]).to.equal('line 1, column 33: /x\\u{1b}[2J\\u{202e}\\u{a}: is not known here');
    expect(told[2]).to.have.length.below(250);
  });

  it('stops at --max-rejects, keeps the imported users, and completes the file of rejects', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => [
      { userName: `user${at}` },
      { userName: `bad ${at}\t` },
    ]);
    put('users.json', JSON.stringify({ users: rows.flat() }));
    const wanted = ['import', 'users.json', '--max-rejects', '3', '--rejects', 'rejects.json'];
    const ended = await run(wanted, scene.folder);
    expect(outcome(ended)).to.deep.equal([1, counts(3, 0, 0, 3)]);
    expect(ended.told.at(-1)).to.match(/^Not finished: --max-rejects 3 are refused/);
    expect(names()).to.deep.equal(['user0', 'user1', 'user2']);
    expect(JSON.parse(text('rejects.json')).users).to.have.length(6);
  });

  it('takes created and lastModified from the file with --keep-meta, but never the version', async () => {
    const users = [aUser({ userName: 'ada' }), aUser({ userName: 'grace' })];
    put('users.jsonl', lines(...users));
    expect((await runHere(['import', 'users.jsonl', '--keep-meta'], scene.folder)).code).to.equal(0);
    const there = usersIn(scene.folder);
    expect(withoutVersions(there)).to.deep.equal(withoutVersions(users));
    for (const { id, meta } of there)
      expect(meta.version).not.to.equal(users.find((user) => user.id === id)?.meta.version);
  });
});
