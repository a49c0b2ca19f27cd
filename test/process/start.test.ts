import { readdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, type Environment, run, startProcess } from '../support/process.ts';

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

describe('Starting the service', () => {
  afterEach(discardProcesses);

  it('tells where it listens, where its documentation is, where the data is, how to get a token and how to use the other cores', async () => {
    const service = await startProcess();
    const { told } = await service.stop();
    expect(told[0]).to.match(/^Listening on http:\/\/127\.0\.0\.1:\d+\/users$/);
    expect(told[1]).to.equal(`Documentation at ${service.url}/docs`);
    expect(told[2]).to.equal(`Data in ${join(service.folder, 'data', 'users.db')}`);
    expect(told[3]).to.match(/npm run --silent token -- --scope "[^"]+"$/);
    const cores = availableParallelism();
    const hint = `One of ${cores} cores serves: USERS_WORKERS=${cores} takes them all`;
    expect(told.slice(4)).to.deep.equal(cores > 1 ? [hint] : []);
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

    it(`names the file when it is no database, and leaves it as it is, with ${mode}`, async () => {
      const folder = aDataFolder();
      const file = join(folder, 'users.db');
      writeFileSync(file, 'This is a text, and longer than the header of a database would be. '.repeat(9));
      const line = await refusal(folder, { ...env, USERS_SQLITE_FILE: file });
      expect(line).to.contain(file).and.to.contain('not a database');
    });
  }
});

const wrong: { what: string; env: Environment; tells: string }[] = [
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
    what: 'production without authentication',
    env: { NODE_ENV: 'production' },
    tells: 'authentication is not configured',
  },
];

describe('Starting the service with wrong settings', () => {
  afterEach(discardProcesses);

  for (const { what, env, tells } of wrong) {
    it(`refuses ${what}, in one line that names it, and leaves no file behind`, async () => {
      const folder = aDataFolder();
      const line = await refusal(folder, env);
      expect(line).to.contain(tells).and.not.to.contain('pssst');
      expect(readdirSync(folder)).to.deep.equal([]);
    });
  }
});
