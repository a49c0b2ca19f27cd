import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { availableParallelism, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import {
  aDataFolder,
  discardProcesses,
  type Environment,
  launch,
  run,
  startProcess,
} from '../support/process.ts';

const withSecret = {
  USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
  USERS_JWT_ISSUER: 'https://issuer.example',
  USERS_JWT_AUDIENCE: 'users',
};

/** It ends by itself, unsuccessfully, with nothing but one line for the operator. Returns the line. */
async function refusal(folder: string, env: Environment): Promise<string> {
  const { code, told, log } = await run('main', folder, env);
  expect(code).to.equal(1);
  expect(told).to.have.length(1);
  expect(log).to.deep.equal([]);
  return String(told[0]);
}

/** Places at which opening, reading or making a folder would never come to an end, or where nothing can be kept. */
const unusablePlaces: Readonly<Record<string, { at: (folder: string) => string; tells: string }>> = {
  'below /proc': { at: () => '/proc/users/data/users.db', tells: 'keeps no files (proc)' },
  'a file in /proc': { at: () => '/proc/self/comm', tells: 'keeps no files (proc)' },
  'below /sys': { at: () => '/sys/users/users.db', tells: 'keeps no files (sysfs)' },
  'a device': { at: () => '/dev/full', tells: 'is a device' },
  'a folder': { at: (folder) => folder, tells: 'is a folder' },
  'a FIFO': {
    at: (folder) => {
      execFileSync('mkfifo', [join(folder, 'users.db')]);
      return join(folder, 'users.db');
    },
    tells: 'is a FIFO',
  },
  'beside a FIFO in the place of its log': {
    at: (folder) => {
      execFileSync('mkfifo', [join(folder, 'users.db-wal')]);
      return join(folder, 'users.db');
    },
    tells: 'users.db-wal is a FIFO',
  },
  'a loop of links': {
    at: (folder) => {
      symlinkSync('users.db', join(folder, 'users.db'));
      return join(folder, 'users.db');
    },
    tells: 'ELOOP',
  },
};

describe('Starting the service', () => {
  afterEach(discardProcesses);

  it('tells where it listens, where the data is, how to get a token and how to use the other cores', async () => {
    const service = await startProcess();
    const { told } = await service.stop();
    expect(told[0]).to.match(/^Listening on http:\/\/127\.0\.0\.1:\d+\/users$/);
    expect(told[1]).to.equal(`Data in ${join(service.folder, 'data', 'users.db')}`);
    expect(told[2]).to.match(/npm run --silent token -- --scope "[^"]+"$/);
    const cores = availableParallelism();
    const hint = `One of ${cores} cores serves: USERS_WORKERS=${cores} takes them all`;
    expect(told.slice(3)).to.deep.equal(cores > 1 ? [hint] : []);
    expect(readdirSync(join(service.folder, 'data'))).to.include('users.db');
  });

  it('takes the token that it tells how to get, for reading, writing and deleting', async () => {
    const service = await startProcess();
    const made = await run('token', service.folder, {}, ['--scope', 'users:read users:write users:delete']);
    expect(made.code).to.equal(0);
    const headers = { authorization: `Bearer ${made.log.join('')}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ userName: 'ada' });
    const created = await fetch(`${service.url}/users`, { method: 'POST', headers, body });
    expect(created.status).to.equal(201);
    const user = service.url + created.headers.get('location');
    expect((await fetch(user, { headers })).status).to.equal(200);
    expect((await fetch(user, { method: 'DELETE', headers })).status).to.equal(204);
  });

  it('makes no token where authentication is configured, nor for a scope that is none', async () => {
    const configured = await run('token', aDataFolder(), withSecret, ['--scope', 'users:read']);
    expect(configured.code).to.equal(1);
    expect(configured.told.join()).to.contain('authentication is configured here');
    const misspelt = await run('token', aDataFolder(), {}, ['--scope', 'users:reed']);
    expect(misspelt.code).to.equal(1);
    expect(misspelt.told.join()).to.contain('users:read users:write users:delete');
  });

  for (const workers of [1, 2])
    it(`names the address when something else listens there, with ${workers} of workers`, async () => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const { port } = other.address() as AddressInfo;
      const line = await refusal(aDataFolder(), { USERS_PORT: String(port), USERS_WORKERS: String(workers) });
      await new Promise((resolve) => other.close(resolve));
      expect(line).to.contain(`127.0.0.1:${port} is taken`).and.to.contain('USERS_PORT');
    });

  for (const workers of [1, 2])
    it(`tells that the store failed when it does before anybody is served, with ${workers} of workers`, async () => {
      const preload = `--import=${new URL('./dying-writer.js', import.meta.url)}`;
      const line = await refusal(aDataFolder(), { NODE_OPTIONS: preload, USERS_WORKERS: String(workers) });
      expect(line).to.equal('The service did not start: the store failed: the writer ended with code 1');
    });

  it('gives out addresses that any client can read, whichever way the public one is written', async () => {
    const service = await startProcess({ env: { USERS_PUBLIC_URL: 'https://例え.example/Bücher/' } });
    const headers = { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ userName: 'ada' });
    const created = await fetch(`${service.url}/users`, { method: 'POST', headers, body });
    expect(created.status).to.equal(201);
    const base = 'https://xn--r8jz45g.example/B%C3%BCcher/users';
    expect(created.headers.get('location')).to.match(new RegExp(`^${base}/[0-9a-f-]+$`));
    await fetch(`${service.url}/users`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ userName: 'eve' }),
    });
    const page = await fetch(`${service.url}/users?limit=1`, { headers });
    expect(page.headers.get('link')).to.contain(`<${base}?`);
  });

  it('lets a browser in from an origin that was written in another way', async () => {
    const service = await startProcess({ env: { USERS_CORS_ORIGINS: 'https://App.Example:443/' } });
    const headers = { origin: 'https://app.example' };
    const { headers: answered } = await fetch(`${service.url}/users`, { headers });
    expect(answered.get('access-control-allow-origin')).to.equal('https://app.example');
  });

  it('reads folders of settings beside its own, and variables go before them unless they are empty', async () => {
    const folder = aDataFolder();
    const own = join(folder, 'settings');
    mkdirSync(own);
    writeFileSync(join(own, 'local.json5'), "{ basePath: '/v7', publicUrl: 'https://a.example/v7' }");
    const env = { NODE_CONFIG_DIR: own, USERS_PUBLIC_URL: 'https://b.example/v7', USERS_BASE_PATH: '' };
    const { child, err } = launch('main', folder, env, []);
    expect(await err.first(/^Listening on /)).to.match(/\/v7\/users$/);
    const url = /http\S+/.exec(err.seen.join('\n'))?.[0] ?? '';
    expect(await (await fetch(url)).json()).to.have.property(
      'type',
      'https://b.example/v7/problems/unauthenticated',
    );
    child.kill('SIGTERM');
  });

  it('takes no arguments, which would count for nothing', async () => {
    const { code, told } = await run('main', aDataFolder(), {}, ['--port=4000']);
    expect([code, told.length]).to.deep.equal([1, 1]);
    expect(told[0]).to.contain('it takes no arguments, such as --port=4000');
  });

  for (const [mode, env] of Object.entries({ 'a shared secret': withSecret, 'its own key': {} })) {
    it(`names the place when it can't write there, with ${mode}`, async () => {
      const folder = aDataFolder();
      writeFileSync(join(folder, 'a-file'), '');
      const file = join(folder, 'a-file', 'below', 'users.db');
      const line = await refusal(folder, { ...env, USERS_SQLITE_FILE: file });
      expect(line)
        .to.contain(join(folder, 'a-file', 'below'))
        .and.to.contain('not a directory');
    });

    for (const [place, kind] of Object.entries(unusablePlaces))
      it(`ends at once when the database's place is ${place}, and names it, with ${mode}`, async function () {
        if (platform() !== 'linux') this.skip();
        const folder = aDataFolder();
        const file = kind.at(folder);
        const line = await refusal(folder, { ...env, USERS_SQLITE_FILE: file });
        expect(line).to.contain(dirname(file)).and.to.contain(kind.tells);
      });

    it(`names the file when it is no database, and leaves it as it is, with ${mode}`, async () => {
      const folder = aDataFolder();
      const file = join(folder, 'users.db');
      writeFileSync(file, 'This is a text, and longer than the header of a database would be. '.repeat(9));
      const line = await refusal(folder, { ...env, USERS_SQLITE_FILE: file });
      expect(line).to.contain(file).and.to.contain('not a database');
    });
  }
});

const wrong: { what: string; env: Environment; tells: string; leaves?: string[] }[] = [
  {
    what: 'a variable that is no setting',
    env: { USERS_PROT: '1' },
    tells: 'USERS_PROT: there is no such setting',
  },
  { what: 'a port that is no number', env: { USERS_PORT: 'abc' }, tells: 'port (USERS_PORT): must be' },
  {
    what: 'a store that is none',
    env: { USERS_STORE: 'mysql' },
    tells: 'store (USERS_STORE): must be one of',
  },
  {
    what: 'several workers on the store that each would have its own of',
    env: { USERS_STORE: 'memory', USERS_WORKERS: '2' },
    tells: 'workers (USERS_WORKERS): must be 1 with the store memory',
  },
  {
    what: 'workers without authentication, once for all of them',
    env: { ...withSecret, USERS_JWT_ISSUER: '', USERS_WORKERS: '2' },
    tells: 'issuer',
  },
  {
    what: 'a switch that is neither on nor off',
    env: { USERS_REQUIRE_IF_MATCH: 'yes' },
    tells: 'USERS_REQUIRE_IF_MATCH',
  },
  {
    what: 'a secret that is too short',
    env: { ...withSecret, USERS_JWT_SECRET: 'pssst' },
    tells: 'jwt (USERS_JWT_SECRET): The shared secret has 5 bytes; HS256 takes 32.',
  },
  {
    what: 'a secret that is too short for an algorithm',
    env: { ...withSecret, USERS_JWT_ALGORITHMS: 'HS256 HS512' },
    tells:
      'jwt (USERS_JWT_SECRET, USERS_JWT_ALGORITHMS): The shared secret has 37 bytes; HS256, HS512 takes 64.',
  },
  {
    what: 'a key set that is not there',
    env: { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_FILE: 'missing.json' },
    tells: 'jwt (USERS_JWT_KEY_SET_FILE): missing.json: ',
  },
  {
    what: 'keys that come unprotected from another machine',
    env: { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_URL: 'http://issuer.example/jwks' },
    tells: 'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be empty or an https URL',
  },
  {
    what: 'an address of keys that is none',
    env: { ...withSecret, USERS_JWT_SECRET: '', USERS_JWT_KEY_SET_URL: 'https://[issuer.example/jwks' },
    tells: 'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be a URL',
  },
  {
    what: 'an issuer without keys',
    env: { USERS_JWT_ISSUER: 'https://issuer.example', USERS_JWT_AUDIENCE: 'users' },
    tells: 'authentication is not configured',
  },
  { what: 'a secret without an issuer', env: { ...withSecret, USERS_JWT_ISSUER: '' }, tells: 'issuer' },
  {
    what: 'an address beyond loopback without authentication',
    env: { USERS_HOST: '0.0.0.0' },
    tells: 'authentication is not configured',
  },
  {
    what: 'an address beyond loopback without authentication, whatever node-config is told',
    env: { USERS_HOST: '0.0.0.0', NODE_ENV: 'test' },
    tells: 'authentication is not configured',
  },
  ...['Production', 'prod', 'production,eu', 'staging', ' production'].map((mode) => ({
    what: `NODE_ENV=${mode}, which would be development`,
    env: { NODE_ENV: mode },
    tells: 'NODE_ENV: must be empty or one of production, development, test',
  })),
  {
    what: 'settings of another deployment than NODE_ENV says',
    env: { NODE_CONFIG_ENV: 'production' },
    tells: 'NODE_CONFIG_ENV: must be left out',
  },
  {
    what: 'settings in a variable that are no JSON',
    env: { NODE_CONFIG: '{"jwt":{"secret":"pssst"' },
    tells: 'NODE_CONFIG: must be an object in JSON',
  },
  { what: 'an unknown setting in such a variable', env: { NODE_CONFIG: '{"prot":1}' }, tells: 'prot' },
  {
    what: 'a folder of settings that is not there',
    env: { NODE_CONFIG_DIR: '/etc/users-that-are-not-there' },
    tells: 'NODE_CONFIG_DIR: /etc/users-that-are-not-there is no folder',
  },
  {
    what: 'a public address that no client could read',
    env: { USERS_PUBLIC_URL: 'https://a"><script>' },
    tells: 'publicUrl (USERS_PUBLIC_URL): must be empty or an http(s) URL',
  },
  {
    what: 'a public address with a password, and does not show it',
    env: { USERS_PUBLIC_URL: 'https://admin:pssst@a.example' },
    tells: 'publicUrl (USERS_PUBLIC_URL): must be empty or an http(s) URL',
  },
  {
    what: 'origins that no browser sends',
    env: { USERS_CORS_ORIGINS: 'https://a.example https://*.example' },
    tells: 'corsOrigins (USERS_CORS_ORIGINS): must be origins',
  },
  {
    what: 'a password in the address of keys, and does not show it',
    env: {
      ...withSecret,
      USERS_JWT_SECRET: '',
      USERS_JWT_KEY_SET_URL: 'https://me:pssst@issuer.example/jwks',
    },
    tells: 'jwt.keySetUrl (USERS_JWT_KEY_SET_URL): must be a URL without credentials',
  },
  {
    what: 'an algorithm that is none',
    env: { ...withSecret, USERS_JWT_ALGORITHMS: 'HS256 hs512' },
    tells: "jwt (USERS_JWT_SECRET, USERS_JWT_ALGORITHMS): A shared secret can't serve the algorithm hs512",
  },
  {
    what: 'an algorithm that such keys can not serve',
    env: { ...withSecret, USERS_JWT_ALGORITHMS: 'RS256' },
    tells: "A shared secret can't serve the algorithm RS256",
  },
  {
    what: 'what a token must say without keys to check it with',
    env: { USERS_API_KEYS_FILE: 'missing.json', USERS_JWT_ISSUER: 'https://issuer.example' },
    tells: 'jwt: issuer, audience and algorithms are of no use without keys',
  },
  {
    what: 'algorithms without keys',
    env: { USERS_JWT_ALGORITHMS: 'RS256' },
    tells: 'jwt: issuer, audience and algorithms are of no use without keys',
  },
  {
    what: 'a host that is no address',
    env: { ...withSecret, USERS_HOST: '[::1]' },
    tells: '[::1]:0 is no address of this machine: see USERS_HOST',
    leaves: ['data'],
  },
  {
    what: 'a host that is of no use without saying on which link',
    env: { ...withSecret, USERS_HOST: 'fe80::1' },
    tells: 'fe80::1:0 is no address of this machine: see USERS_HOST',
    leaves: ['data'],
  },
  {
    what: 'a host with a port in it',
    env: { ...withSecret, USERS_HOST: '127.0.0.1:3000' },
    tells: '127.0.0.1:3000:0 is no address of this machine: see USERS_HOST',
    leaves: ['data'],
  },
  {
    what: 'production without authentication',
    env: { NODE_ENV: 'production' },
    tells: 'authentication is not configured',
  },
];

describe('Starting the service with wrong settings', () => {
  afterEach(discardProcesses);

  for (const { what, env, tells, leaves = [] } of wrong) {
    it(`refuses ${what}, in one line that names it, and leaves ${leaves.length > 0 ? 'its data alone' : 'no file'} behind`, async () => {
      const folder = aDataFolder();
      const line = await refusal(folder, env);
      expect(line).to.contain(tells).and.not.to.contain('pssst');
      expect(readdirSync(folder)).to.deep.equal(leaves);
    });
  }
});
