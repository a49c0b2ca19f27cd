import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, run } from '../support/process.ts';
import { runHere } from './called.ts';
import { fileIn, fill } from './directories.ts';
import { linesOf, someUsers } from './exported-users.ts';

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
});

describe('An export of three users', () => {
  let folder = '';
  before(async () => {
    folder = aDataFolder();
    await fill(folder, someUsers(3));
  });
  after(discardProcesses);

  it('writes only the users to standard output when the file is - or omitted', async () => {
    for (const more of [[], ['-']]) {
      const { code, log } = await run(['export', '--format', 'json', ...more], folder);
      expect([code, JSON.parse(log.join('')).users.length]).to.deep.equal([0, 3]);
    }
  });

  it('compresses a file whose name ends with .gz', async () => {
    expect((await runHere(['export', 'users.xml.gz'], folder)).code).to.equal(0);
    const text = gunzipSync(readFileSync(join(folder, 'users.xml.gz'))).toString();
    expect(text)
      .to.match(/^<\?xml/)
      .and.to.contain('<userName>user1</userName>');
  });

  it('overwrites a file only with --force, and never anything else', async () => {
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

  it('never overwrites the store or the files beside it, even with --force', async () => {
    symlinkSync('data', join(folder, 'link'));
    for (const place of ['data/users.db', 'data/users.db-wal', 'link/users.db', 'data/users.db-journal']) {
      const { code, told } = await runHere(['export', '--force', '--format', 'jsonl', place], folder);
      expect([code, told]).to.deep.equal([1, [`No file: ${place}: it belongs to the store`]]);
    }
    expect((await run(['export', '--format', 'jsonl'], folder)).log).to.have.length(3);
  });
});
