import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';
import { runHere } from './called.ts';

describe('Tokens and API keys side by side', () => {
  afterEach(discardProcesses);

  it('both give access to the directory within their scopes, and a revoked key gives none', async () => {
    const folder = aDataFolder();
    const file = join(folder, 'api-keys.json');
    const env = {
      USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
      USERS_JWT_ISSUER: 'https://issuer.example',
      USERS_JWT_AUDIENCE: 'users',
      USERS_API_KEYS_FILE: file,
    };
    const made = await run(['api-key', '--id', 'legacy', '--scope', 'users:read'], folder, env);
    expect([made.code, made.log.length]).to.deep.equal([0, 2]);
    const [, secret = ''] = String(made.log[0]).split(':');
    expect(made.log).to.deep.equal([`legacy:${secret}`, `legacy.${secret}`]);
    expect(Buffer.from(secret, 'base64url')).to.have.length(32);
    expect(readFileSync(file, 'utf8')).to.not.include(secret);
    expect(statSync(file).mode & 0o777).to.equal(0o600);

    const service = await startProcess({ folder, env });
    const basic = { authorization: `Basic ${Buffer.from(String(made.log[0])).toString('base64')}` };
    const bearer = { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' };
    const users = `${service.url}/users`;
    const post = await fetch(users, { method: 'POST', headers: bearer, body: '{"userName":"ada"}' });
    expect(post.status).to.equal(201);
    expect((await fetch(users, { headers: basic })).status).to.equal(200);
    expect((await fetch(users, { method: 'POST', headers: basic, body: '{}' })).status).to.equal(403);

    const asBearer = { authorization: `Bearer ${made.log[1]}` };
    expect((await fetch(users, { headers: asBearer })).status).to.equal(200);
    expect((await fetch(users, { method: 'POST', headers: asBearer, body: '{}' })).status).to.equal(403);

    writeFileSync(file, '{"keys":[]}');
    const late = await fetch(users, { headers: asBearer });
    expect(late.status).to.equal(401);
    expect(late.headers.get('www-authenticate')).to.equal(
      'Bearer realm="users", error="invalid_token", error_description="The API key is wrong.", Basic realm="users", charset="UTF-8"',
    );
    expect(await late.text()).to.not.include(secret);
    const refused = await fetch(users, { headers: basic });
    expect(refused.status).to.equal(401);
    expect(refused.headers.get('www-authenticate')).to.match(
      /^Bearer realm="users".*, Basic realm="users", charset="UTF-8"$/,
    );
    const { log, told } = await service.stop();
    expect([...log, ...told].join()).to.not.include(secret);
  });

  const readKey = ['--id', 'legacy', '--scope', 'users:read'];
  const bearerOf = (key: unknown) => ({ authorization: `Bearer ${key}` });
  const basicOf = (key: unknown) => ({
    authorization: `Basic ${Buffer.from(String(key)).toString('base64')}`,
  });

  it('are refused at the start while users other than the owner may read their file', async () => {
    const folder = aDataFolder();
    const file = join(folder, 'api-keys.json');
    writeFileSync(file, '{"keys":[]}', { mode: 0o644 });
    const { code, told } = await run([], folder, { USERS_API_KEYS_FILE: file });
    expect(code).to.equal(1);
    expect(told).to.deep.equal([
      `The service did not start: apiKeys (USERS_API_KEYS_FILE): ${file}: others than its owner have rights on it; run chmod 600 on it`,
    ]);
  });

  it('are listed and revoked while the service runs; the next request is refused', async () => {
    const folder = aDataFolder();
    const env = { USERS_API_KEYS_FILE: join(folder, 'api-keys.json') };
    const expiring = [...readKey, '--expires', '2099-01-01T00:00:00+01:00'];
    const keys = [
      await runHere(['api-key', ...readKey], folder, env),
      await runHere(['api-key', ...expiring], folder, env),
    ];
    const listed = await runHere(['api-key', 'list'], folder, env);
    expect(listed.log.map((line) => line.split('\t').slice(1))).to.deep.equal([
      ['legacy', 'users:read', 'never expires'],
      ['legacy', 'users:read', 'until 2098-12-31T23:00:00.000Z'],
    ]);
    const [first, second] = listed.log.map((line) => line.split('\t')[0] ?? '');
    for (const { log } of keys) expect(listed.log.join()).to.not.contain(String(log[0]).split(':')[1]);
    const service = await startProcess({ folder, env });
    const statuses = async () => {
      const statusOf = async (headers: ReturnType<typeof basicOf>) =>
        (await fetch(`${service.url}/users`, { headers })).status;
      const ofBasic = await Promise.all(keys.map(({ log }) => statusOf(basicOf(log[0]))));
      const ofBearer = await Promise.all(keys.map(({ log }) => statusOf(bearerOf(log[1]))));
      expect(ofBearer).to.deep.equal(ofBasic);
      return ofBasic;
    };
    expect(await statuses()).to.deep.equal([200, 200]);
    const one = await runHere(['api-key', 'revoke', '--id', 'legacy', '--key', String(second)], folder, env);
    expect(one.log).to.deep.equal([`revoked\t${listed.log[1]}`]);
    expect(await statuses()).to.deep.equal([200, 401]);
    const rest = await runHere(['api-key', 'revoke', '--id', 'legacy'], folder, env);
    expect(rest.log).to.deep.equal([`revoked\t${listed.log[0]}`]);
    expect(rest.log.join()).to.contain(first);
    expect(await statuses()).to.deep.equal([401, 401]);
    const none = await runHere(['api-key', 'revoke', '--id', 'legacy'], folder, env);
    expect([none.code, none.log]).to.deep.equal([1, []]);
    expect(none.told.join()).to.contain('there is no such key');
  });
});
