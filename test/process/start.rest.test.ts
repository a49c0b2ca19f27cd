import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';
import { open } from '../support/sockets.ts';
import { refusal, withSecret } from './refusal.ts';

describe('Starting the service', () => {
  afterEach(discardProcesses);

  it('keeps idle connections longer than load balancers do, and announces it', async () => {
    const service = await startProcess();
    const client = await open(service.url, 'GET /health/live HTTP/1.1\r\nHost: here\r\n\r\n');
    expect(await client.got(/\r\n\r\n/)).to.match(/^keep-alive: timeout=75\r$/im);
    client.socket.destroy();
  });

  const refusedBecauseOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'USERS_JWT_SECRET, USERS_JWT_ISSUER, USERS_JWT_AUDIENCE': withSecret,
    USERS_API_KEYS_FILE: { USERS_API_KEYS_FILE: 'keys.json' },
    'USERS_HOST=0.0.0.0': { USERS_HOST: '0.0.0.0' },
    'NODE_ENV=production': { NODE_ENV: 'production', USERS_HOST: '127.0.0.1' },
  };

  for (const [names, env] of Object.entries(refusedBecauseOf))
    it(`creates neither a token nor a key when the service would refuse the token because of ${names}`, async () => {
      const folder = aDataFolder();
      const { code, log, told } = await run(['token', '--scope', 'users:read'], folder, env);
      expect([code, log, told]).to.deep.equal([
        1,
        [],
        [
          `No token: the service would refuse it because of ${names}: use a token of your issuer, or an API key`,
        ],
      ]);
      expect(readdirSync(folder)).to.deep.equal([]);
    });

  it('refuses a token of another issuer, and says what it accepts while nothing is configured', async () => {
    const service = await startProcess();
    const token = await new SignJWT({ scope: 'users:read' })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setIssuer('https://issuer.example')
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(withSecret.USERS_JWT_SECRET));
    const response = await fetch(`${service.url}/users`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).to.equal(401);
    expect(await response.text()).to.contain(
      'This service takes only tokens of the command token, made where it keeps its data: no USERS_JWT_KEY_SET_URL, _FILE or USERS_JWT_SECRET is set where it runs.',
    );
  });

  it('warns about a token that is signed with a new key, which no running service has', async () => {
    const folder = aDataFolder();
    const made = await run(['token', '--scope', 'users:read'], folder);
    const file = join(folder, 'data', 'development.key');
    expect([made.code, made.told]).to.deep.equal([
      0,
      [`Warning: ${file} is a new key. Only a service that runs with this file accepts the token.`],
    ]);
    expect((await run(['token', '--scope', 'users:read'], folder)).told).to.deep.equal([]);
  });

  it('creates no token for an unknown scope', async () => {
    const misspelt = await run(['token', '--scope', 'users:reed'], aDataFolder());
    expect(misspelt.code).to.equal(64);
    expect(misspelt.told.join()).to.contain('users:read users:write users:delete');
  });

  for (const workers of [1, 2])
    it(`reports a store that fails before the first request (workers: ${workers})`, async () => {
      const preload = `--import=${new URL('./dying-writer.ts', import.meta.url)}`;
      const line = await refusal(aDataFolder(), { NODE_OPTIONS: preload, USERS_WORKERS: String(workers) });
      expect(line).to.equal('The service did not start: the store failed: the writer ended with code 1');
    });

  it('sends canonical addresses, however the public URL is written', async () => {
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

  it("accepts a browser's origin that is configured in another spelling", async () => {
    const service = await startProcess({ env: { USERS_CORS_ORIGINS: 'https://App.Example:443/' } });
    const headers = { origin: 'https://app.example' };
    const { headers: answered } = await fetch(`${service.url}/users`, { headers });
    expect(answered.get('access-control-allow-origin')).to.equal('https://app.example');
  });

  it('refuses options, which would have no effect', async () => {
    const { code, told } = await run(['--port=4000'], aDataFolder());
    expect([code, told.length]).to.deep.equal([64, 1]);
    expect(told[0]).to.contain("unknown option '--port';").and.to.contain('environment variables and files');
  });
});
