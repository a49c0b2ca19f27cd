import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';
import { runHere } from './called.ts';

describe('Tokens and API keys side by side', () => {
  afterEach(discardProcesses);
  const readKey = ['--id', 'legacy', '--scope', 'users:read'];
  const bearerOf = (key: unknown) => ({ authorization: `Bearer ${key}` });
  const basicOf = (key: unknown) => ({
    authorization: `Basic ${Buffer.from(String(key)).toString('base64')}`,
  });

  it('work as the README says: create a key, restart, send a request', async () => {
    const folder = aDataFolder();
    const before = await startProcess({ folder });
    const env = { USERS_API_KEYS_FILE: 'data/api-keys.json' };
    const { log, told } = await runHere(['api-key', ...readKey], folder, env);
    const file = join(folder, 'data', 'api-keys.json');
    const usual = [
      'The first line is for Basic, the second for Bearer, as identity providers send it.',
      `The service accepts it when it runs with USERS_API_KEYS_FILE=${file}`,
    ];
    expect(told.slice(0, 2)).to.deep.equal(usual);
    for (const headers of [basicOf(log[0]), bearerOf(log[1])]) {
      const early = await fetch(`${before.url}/users`, { headers });
      expect(early.status).to.equal(401);
      expect(await early.text()).to.contain('USERS_API_KEYS_FILE is not set where it runs');
    }
    await before.stop();
    const service = await startProcess({ folder, env });
    for (const headers of [basicOf(log[0]), bearerOf(log[1])])
      expect((await fetch(`${service.url}/users`, { headers })).status).to.equal(200);
    const late = await fetch(`${service.url}/users`, { headers: bearerOf(await before.token()) });
    expect(await late.text()).to.contain('This service takes no tokens');
  });

  it('are replaced when lost, as the command explains, which also warns of a new file of keys', async () => {
    const folder = aDataFolder();
    const file = join(folder, 'keys.json');
    const env = { USERS_API_KEYS_FILE: file };
    const lost = await runHere(['api-key', ...readKey], folder, env);
    const warning = `Warning: ${file} is a new file. A service with another file of keys does not accept this key.`;
    expect(lost.told).to.include(warning);
    const [, revocation = ''] = /then revoke it: npm run api-key -- (.*)$/m.exec(lost.told.join('\n')) ?? [];
    const next = await runHere(['api-key', ...readKey], folder, env);
    expect(next.told).not.to.include(warning);
    const { url } = await startProcess({ folder, env });
    const revoked = await runHere(['api-key', ...revocation.split(' ')], folder, env);
    expect([revoked.code, revoked.log.length]).to.deep.equal([0, 1]);
    const statuses = [lost, next].map(
      async ({ log }) => (await fetch(`${url}/users`, { headers: bearerOf(log[1]) })).status,
    );
    expect(await Promise.all(statuses)).to.deep.equal([401, 200]);
  });

  it('are created under any name that Bearer can carry, with a warning about names that some clients cannot send', async () => {
    const folder = aDataFolder();
    const env = { USERS_API_KEYS_FILE: join(folder, 'api-keys.json') };
    const make = (id: string) => run(['api-key', '--id', id, '--scope', 'users:read'], folder, env);
    const safe = 'Not every client can send this name with Bearer: letters, digits and -._~+/ are safe.';
    expect((await make('okta.eu_1~+/-')).told).to.not.include(safe);
    for (const id of ['Büro 7', 'a b', 'a=b']) {
      const { code, log, told } = await make(id);
      expect([code, log.map((line) => line.startsWith(id))]).to.deep.equal([0, [true, true]]);
      expect(told).to.include(safe);
    }
    const { code, log, told } = await make(' legacy');
    expect([code, log, told]).to.deep.equal([1, [], ['Not done: the id begins with a space']]);
  });

  it('end when their file is missing for the configured time: this is logged, and requests get 503 until the file is back', async () => {
    const folder = aDataFolder();
    const file = join(folder, 'api-keys.json');
    const env = { USERS_API_KEYS_FILE: file, USERS_KEY_FILES_MAX_STALE: '1' };
    const { log } = await runHere(['api-key', ...readKey], folder, env);
    const text = readFileSync(file);
    const service = await startProcess({ folder, env });
    const status = async () => (await fetch(`${service.url}/users`, { headers: basicOf(log[0]) })).status;
    expect(await status()).to.equal(200);
    rmSync(file);
    // Says that the last good version stays in use, unless a slow machine looks for the first time after the configured time.
    expect(JSON.parse(await service.logged(/api-keys\.json: ENOENT/))).to.include({ level: 50 });
    await service.logged(/nothing in it counts until it is good again/);
    const refused = await fetch(`${service.url}/users`, { headers: basicOf(log[0]) });
    expect([refused.status, refused.headers.has('retry-after')]).to.deep.equal([503, true]);
    expect(refused.headers.get('www-authenticate')).to.equal(null);
    expect((await fetch(`${service.url}/users`, { headers: bearerOf(log[1]) })).status).to.equal(503);
    writeFileSync(file, text, { mode: 0o644 });
    await service.logged(/others than its owner have rights on it; run chmod 600/);
    expect(await status()).to.equal(503);
    chmodSync(file, 0o600);
    expect(await status()).to.equal(200);
  });
});
