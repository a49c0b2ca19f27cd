import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { exportJWK, generateKeyPair } from 'jose';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { aFreePort } from '../support/free-port.ts';
import { describeMongo, inADatabase } from '../support/mongodb.ts';
import { aDataFolder, discardProcesses, type Environment, run, startProcess } from '../support/process.ts';
import { runHere } from './called.ts';
import { fileIn, fill } from './directories.ts';

/** The line about each subject. */
async function check(folder: string, env: Environment = {}, ...options: readonly string[]) {
  const { code, log, told } = await runHere(['check', ...options], folder, env);
  expect(told).to.deep.equal([]);
  const lineOf = (subject: string) => log.filter((line) => line.includes(` ${subject}: `)).join('\n');
  return { code, lineOf, log };
}

const ofAnIssuer = (port: number): Environment => ({
  USERS_JWT_ISSUER: 'https://issuer.example',
  USERS_JWT_AUDIENCE: 'users',
  USERS_JWT_KEY_SET_URL: `http://127.0.0.1:${port}/keys`,
});

/** A server of keys for one test. @param keys the key set in its response; none: 500 */
async function withIssuer<T>(keys: unknown[] | undefined, during: (port: number) => Promise<T>): Promise<T> {
  const issuer = createServer((_request, response) => {
    response.statusCode = keys === undefined ? 500 : 200;
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  try {
    return await during((issuer.address() as AddressInfo).port);
  } finally {
    issuer.close();
  }
}

describe('The command check', () => {
  afterEach(discardProcesses);

  it('reports each part as ok on its own line, and changes nothing', async () => {
    const folder = aDataFolder();
    const { code, log, told } = await run(['check'], folder);
    expect([code, log.length, told]).to.deep.equal([0, 4, []]);
    expect(log.every((line) => line.startsWith('ok '))).to.equal(true);
    expect(log.join()).to.match(/ store: [^,]* is not there yet/);
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('compares the change log with all users and groups with --changes', async () => {
    const folder = aDataFolder();
    const [user, gone] = [aUser(), aUser()];
    const unlogged = aUser({ meta: { ...aUser().meta, lastModified: new Date().toISOString() } });
    const group = aGroup();
    await fill(folder, [user, gone, unlogged], async ({ groups }) => {
      await groups.insert(group, [user.id]);
      await groups.changeMembers(group.id, { add: [gone.id], remove: [user.id] });
    });
    const examine = () => check(folder, {}, '--changes');
    const well = await examine();
    expect(well.code, well.log.join('\n')).to.equal(0);
    expect(well.lineOf('changes')).to.match(
      /^ok {5}changes: 6 entries since 20[\d-]+T[\d:.]+Z; every user and group has the version of its newest entry$/,
    );
    expect((await check(folder)).lineOf('changes')).to.equal('');
    const db = new Database(fileIn(folder));
    db.prepare('DELETE FROM change_log WHERE id = ?').run(unlogged.id);
    db.prepare("UPDATE change_log SET version = 'another' WHERE id = ?").run(user.id);
    db.prepare("UPDATE change_log SET op = 'deleted', version = NULL WHERE id = ?").run(gone.id);
    db.prepare('UPDATE change_log SET at = at - 3600000 WHERE number = 1').run();
    db.close();
    const { code, lineOf } = await examine();
    expect(code).to.equal(1);
    for (const fault of [
      `user ${user.id} has version ${user.meta.version}, but its newest entry is user.created another`,
      `user ${unlogged.id} has version ${unlogged.meta.version}, but its newest entry is missing`,
      `user ${gone.id} has version ${gone.meta.version}, but its newest entry is user.deleted`,
    ])
      expect(lineOf('changes')).to.include(fault);
  });

  it('says when the change log is off', async () => {
    const folder = aDataFolder();
    await fill(folder, [aUser()]);
    const { code, lineOf } = await check(folder, { USERS_CHANGES_RETENTION: '0' }, '--changes');
    expect([code, lineOf('changes')]).to.deep.equal([
      0,
      'ok     changes: the log is off: changes.retention (USERS_CHANGES_RETENTION) is 0',
    ]);
    expect((await check(folder, {}, '--changes')).lineOf('changes'), 'the log is kept').to.match(
      /1 entry since/,
    );
  });

  it('notes a missing public URL, which some SCIM clients need, once authentication is configured', async () => {
    const folder = aDataFolder();
    const env = {
      USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
      USERS_JWT_ISSUER: 'https://issuer.example',
      USERS_JWT_AUDIENCE: 'users',
    };
    const without = await check(folder, env);
    expect(without.code).to.equal(0);
    expect(without.lineOf('publicUrl')).to.match(/^note +publicUrl: .*USERS_PUBLIC_URL.* some SCIM clients/);
    const withIt = await check(folder, { ...env, USERS_PUBLIC_URL: 'https://directory.example' });
    expect(withIt.lineOf('publicUrl')).to.equal('');
  });

  it('counts the users while the service runs, and notes that its address is in use', async () => {
    const service = await startProcess();
    const env = { USERS_PORT: new URL(service.url).port };
    const { code, lineOf } = await check(service.folder, env);
    expect(code).to.equal(0);
    expect(lineOf('store')).to.match(/^ok +store: 0 users in .*users\.db$/);
    expect(lineOf('address')).to.match(/^note +address: .* is in use/);
  });

  it('names each wrong setting on its own line, and exits with 1', async () => {
    const { code, log } = await check(aDataFolder(), { USERS_PORT: '80000', USERS_WORKERS: 'many' });
    expect(code).to.equal(1);
    expect(log).to.have.length(2);
    expect(log.every((line) => line.startsWith('fault  settings: '))).to.equal(true);
  });

  it('continues after a fault, so that one run shows all faults', async () => {
    const folder = aDataFolder();
    mkdirSync(join(folder, 'data', 'users.db'), { recursive: true });
    const { code, lineOf } = await check(folder, {
      USERS_API_KEYS_FILE: join(folder, 'keys.json'),
      USERS_HOST: '192.0.2.1',
    });
    expect(code).to.equal(1);
    expect(lineOf('store')).to.match(/^fault +store: .*users\.db is a folder, not a file$/);
    expect(lineOf('credentials')).to.match(/^fault +credentials: apiKeys \(USERS_API_KEYS_FILE\).*ENOENT/);
    expect(lineOf('address')).to.match(/^fault +address: 192\.0\.2\.1:0 is not an address of this machine/);
  });

  it('tries the address of the metrics when they are on', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    try {
      const { port } = other.address() as AddressInfo;
      const taken = await check(aDataFolder(), { USERS_METRICS_PORT: String(port) });
      expect([taken.code, taken.lineOf('metrics')]).to.deep.equal([
        0,
        `note   metrics: 127.0.0.1:${port} is in use, for example by a running service`,
      ]);
    } finally {
      other.close();
    }
    const wrong = await check(aDataFolder(), {
      USERS_METRICS_PORT: String(await aFreePort()),
      USERS_METRICS_HOST: '192.0.2.1',
    });
    expect(wrong.code).to.equal(1);
    expect(wrong.lineOf('metrics')).to.match(/^fault +metrics: 192\.0\.2\.1:\d+ .*USERS_METRICS_HOST/);
  });

  it('reports metrics on the address of the service', async () => {
    const port = String(await aFreePort());
    const { code, log } = await check(aDataFolder(), { USERS_PORT: port, USERS_METRICS_PORT: port });
    expect(code).to.equal(1);
    expect(log.join()).to.match(/^fault +settings: metrics .* is the address of the service/);
    const apart = await check(aDataFolder(), {
      USERS_PORT: port,
      USERS_METRICS_PORT: port,
      USERS_METRICS_HOST: '::1',
    });
    expect(apart.code).to.equal(0);
  });

  it('says in one line what to do when better-sqlite3 does not load, as serve, backup and restore do', async () => {
    const folder = aDataFolder();
    const hook = join(folder, 'no-binary.cjs');
    writeFileSync(
      hook,
      `const load = process.dlopen;
      process.dlopen = (module, path, ...rest) => {
        if (!/better-sqlite3.prebuilds/.test(path)) return load(module, path, ...rest);
        throw Object.assign(new Error('invalid ELF header\\nand more'), { code: 'ERR_DLOPEN_FAILED' });
      };`,
    );
    const env = { NODE_OPTIONS: `--require ${hook}` };
    const { code, log } = await run(['check'], folder, env);
    const remedy =
      /better-sqlite3 does not load on this platform .*: invalid ELF header; .*: on one of these, install the packages again/;
    expect(code).to.equal(1);
    expect(log.find((line) => line.includes(' store: ')))
      .to.match(/^fault /)
      .and.match(remedy);
    const { told } = await run([], folder, env);
    expect(told).to.have.length(1);
    expect(told[0]).to.match(remedy);
    for (const command of [
      ['backup', 'new.db'],
      ['backup', '--verify', 'old.db'],
      ['restore', 'old.db'],
    ]) {
      for (const name of ['old.db', join('data', 'users.db')]) writeFileSync(join(folder, name), '');
      const copied = await run(command, folder, env);
      expect([copied.code, copied.told.length]).to.deep.equal([1, 1]);
      expect(copied.told[0]).to.match(remedy);
    }
  });

  it('reports a damaged file, a file of another program, and a file of keys that others may read', async () => {
    const folder = aDataFolder();
    mkdirSync(join(folder, 'data'));
    writeFileSync(
      join(folder, 'data', 'users.db'),
      'a text that is no database, though it is as long as a head needs '.repeat(9),
    );
    writeFileSync(join(folder, 'keys.json'), '{"keys":[]}');
    chmodSync(join(folder, 'keys.json'), 0o644);
    const { code, lineOf } = await check(folder, { USERS_API_KEYS_FILE: join(folder, 'keys.json') });
    expect(code).to.equal(1);
    expect(lineOf('store')).to.match(/^fault .*not a database/);
    expect(lineOf('credentials')).to.match(/^fault .*chmod 600/);
  });

  it('counts the API keys, and reports a file without valid keys', async () => {
    const folder = aDataFolder();
    const env = { USERS_API_KEYS_FILE: join(folder, 'keys.json') };
    await runHere(['api-key', '--id', 'one', '--scope', 'users:read'], folder, env);
    expect((await check(folder, env)).lineOf('credentials')).to.equal('ok     credentials: API keys: 1');
    await runHere(['api-key', 'revoke', '--id', 'one'], folder, env);
    const { code, lineOf } = await check(folder, env);
    expect([code, lineOf('credentials')]).to.deep.equal([
      1,
      'fault  credentials: API keys: 0; user-management api-key makes one',
    ]);
  });

  it('fetches the issuer’s keys, and counts them by algorithm', async () => {
    const { publicKey } = await generateKeyPair('ES256');
    await withIssuer([{ ...(await exportJWK(publicKey)), kid: 'a' }], async (port) => {
      const { code, lineOf } = await check(aDataFolder(), ofAnIssuer(port));
      expect(code).to.equal(0);
      expect(lineOf('credentials')).to.contain(
        'https://issuer.example, by algorithm: RS256 0, ES256 1, EdDSA 0',
      );
    });
  });

  it("says why the issuer's keys are unusable: unreachable, or unable to verify tokens", async () => {
    await withIssuer(undefined, async (port) => {
      const { code, lineOf } = await check(aDataFolder(), ofAnIssuer(port));
      expect(code).to.equal(1);
      expect(lineOf('credentials')).to.match(/^fault .*could not be fetched: it answered with status 500/);
    });
    await withIssuer([], async (port) => {
      const { code, lineOf } = await check(aDataFolder(), ofAnIssuer(port));
      expect(code).to.equal(1);
      expect(lineOf('credentials')).to.match(/^fault .*has no key to check tokens with/);
    });
  });

  it('reports an unreachable MongoDB in one line, without its password', async () => {
    const { code, lineOf } = await check(aDataFolder(), {
      USERS_STORE: 'mongodb',
      USERS_MONGODB_URI: 'mongodb://users:secret@127.0.0.1:1/x',
      USERS_MONGODB_SERVER_SELECTION_TIMEOUT: '500',
    });
    expect(code).to.equal(1);
    expect(lineOf('store')).to.match(/^fault +store: MongoDB at 127\.0\.0\.1:1\/x: .*ECONNREFUSED/);
    expect(lineOf('store')).not.to.contain('secret');
  });
});

describeMongo('The command check, with MongoDB', () => {
  afterEach(discardProcesses);

  it('reports indexes that the next start will build, builds none, and counts the users', async () => {
    await inADatabase(async ({ uri, client, open }) => {
      const env = { USERS_STORE: 'mongodb', USERS_MONGODB_URI: uri };
      const before = await check(aDataFolder(), env);
      expect([before.code, await client.db().listCollections().toArray()]).to.deep.equal([0, []]);
      expect(before.lineOf('store')).to.match(/; the next start makes its indexes$/);
      await (await open()).close();
      const { code, lineOf } = await check(aDataFolder(), env);
      expect(code).to.equal(0);
      expect(lineOf('store')).to.match(/^ok +store: some 0 users and 0 groups in users-test-\S+ at \S+$/);
    });
  });
});
