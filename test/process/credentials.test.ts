import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, type Environment, run, startProcess } from '../support/process.ts';

describe('Tokens and API keys side by side', () => {
  afterEach(discardProcesses);

  it('both open the same directory, each as far as it reaches, and a withdrawn key opens it no more', async () => {
    const folder = aDataFolder();
    const file = join(folder, 'api-keys.json');
    const env = {
      USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
      USERS_JWT_ISSUER: 'https://issuer.example',
      USERS_JWT_AUDIENCE: 'users',
      USERS_API_KEYS_FILE: file,
    };
    const made = await run('api-key', folder, env, ['--id', 'legacy', '--scope', 'users:read']);
    expect([made.code, made.log.length]).to.deep.equal([0, 1]);
    const [, secret = ''] = String(made.log[0]).split(':');
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

    writeFileSync(file, '{"keys":[]}');
    const refused = await fetch(users, { headers: basic });
    expect(refused.status).to.equal(401);
    expect(refused.headers.get('www-authenticate')).to.match(
      /^Bearer realm="users".*, Basic realm="users", charset="UTF-8"$/,
    );
    const { log, told } = await service.stop();
    expect([...log, ...told].join()).to.not.include(secret);
  });

  const readKey = ['--id', 'legacy', '--scope', 'users:read'];
  const basicOf = (key: unknown) => ({
    authorization: `Basic ${Buffer.from(String(key)).toString('base64')}`,
  });

  it('lead a reader of the README to a call that is answered: the key, the restart, the call', async () => {
    const folder = aDataFolder();
    const before = await startProcess({ folder });
    const env = { USERS_API_KEYS_FILE: 'data/api-keys.json' };
    const { log, told } = await run('api-key', folder, env, readKey);
    const file = join(folder, 'data', 'api-keys.json');
    expect(told).to.deep.equal([`The service takes it when it runs with USERS_API_KEYS_FILE=${file}`]);
    const early = await fetch(`${before.url}/users`, { headers: basicOf(log[0]) });
    expect(early.status).to.equal(401);
    expect(await early.text()).to.contain('USERS_API_KEYS_FILE is not set where it runs');
    await before.stop();
    const service = await startProcess({ folder, env });
    expect((await fetch(`${service.url}/users`, { headers: basicOf(log[0]) })).status).to.equal(200);
    const late = await fetch(`${service.url}/users`, { headers: { authorization: 'Bearer x.y.z' } });
    expect(await late.text()).to.contain('This service takes no tokens');
  });

  it('end when their file is deleted: after the time that is set, said in the log though nobody asks, as 503 until it is back', async () => {
    const folder = aDataFolder();
    const file = join(folder, 'api-keys.json');
    const env = { USERS_API_KEYS_FILE: file, USERS_KEY_FILES_MAX_STALE: '1' };
    const { log } = await run('api-key', folder, env, readKey);
    const text = readFileSync(file);
    const service = await startProcess({ folder, env });
    const status = async () => (await fetch(`${service.url}/users`, { headers: basicOf(log[0]) })).status;
    expect(await status()).to.equal(200);
    rmSync(file);
    expect(JSON.parse(await service.logged(/the last good version stays in use for 1 s at most/))).to.include(
      { level: 50 },
    );
    await service.logged(/no key of it is taken until it is good again/);
    const refused = await fetch(`${service.url}/users`, { headers: basicOf(log[0]) });
    expect([refused.status, refused.headers.has('retry-after')]).to.deep.equal([503, true]);
    expect(refused.headers.get('www-authenticate')).to.equal(null);
    writeFileSync(file, text, { mode: 0o644 });
    await service.logged(/others than its owner have rights on it; run chmod 600/);
    expect(await status()).to.equal(503);
    chmodSync(file, 0o600);
    expect(await status()).to.equal(200);
  });

  it('are refused at the start while others than its owner may read the file of keys', async () => {
    const folder = aDataFolder();
    const file = join(folder, 'api-keys.json');
    writeFileSync(file, '{"keys":[]}', { mode: 0o644 });
    const { code, told } = await run('main', folder, { USERS_API_KEYS_FILE: file });
    expect(code).to.equal(1);
    expect(told).to.deep.equal([
      `The service did not start: apiKeys (USERS_API_KEYS_FILE): ${file}: others than its owner have rights on it; run chmod 600 on it`,
    ]);
  });

  it('are listed and revoked while the service runs: the next request is refused', async () => {
    const folder = aDataFolder();
    const env = { USERS_API_KEYS_FILE: join(folder, 'api-keys.json') };
    const expiring = [...readKey, '--expires', '2099-01-01T00:00:00+01:00'];
    const keys = [await run('api-key', folder, env, readKey), await run('api-key', folder, env, expiring)];
    const listed = await run('api-key', folder, env, ['list']);
    expect(listed.log.map((line) => line.split('\t').slice(1))).to.deep.equal([
      ['legacy', 'users:read', 'without end'],
      ['legacy', 'users:read', 'until 2098-12-31T23:00:00.000Z'],
    ]);
    const [first, second] = listed.log.map((line) => line.split('\t')[0] ?? '');
    for (const { log } of keys) expect(listed.log.join()).to.not.contain(String(log[0]).split(':')[1]);
    const service = await startProcess({ folder, env });
    const statuses = () =>
      Promise.all(
        keys.map(
          async ({ log }) => (await fetch(`${service.url}/users`, { headers: basicOf(log[0]) })).status,
        ),
      );
    expect(await statuses()).to.deep.equal([200, 200]);
    const one = await run('api-key', folder, env, ['revoke', '--id', 'legacy', '--key', String(second)]);
    expect(one.log).to.deep.equal([`revoked\t${listed.log[1]}`]);
    expect(await statuses()).to.deep.equal([200, 401]);
    const rest = await run('api-key', folder, env, ['revoke', '--id', 'legacy']);
    expect(rest.log).to.deep.equal([`revoked\t${listed.log[0]}`]);
    expect(rest.log.join()).to.contain(first);
    expect(await statuses()).to.deep.equal([401, 401]);
    const none = await run('api-key', folder, env, ['revoke', '--id', 'legacy']);
    expect([none.code, none.log]).to.deep.equal([1, []]);
    expect(none.told.join()).to.contain('there is no such key');
  });

  const mistakes: [string, string, string[], string][] = [
    ['api-key', 'a scope that is none', ['--id', 'x', '--scope', 'all'], 'all is no scope'],
    ['api-key', 'no scope', ['--id', 'x', '--scope', ' '], 'nothing is no scope'],
    ['api-key', 'no id', ['--scope', 'users:read'], 'usage:'],
    [
      'api-key',
      'an end that is past',
      [...readKey, '--expires', '2020-01-01T00:00:00Z'],
      '2020-01-01T00:00:00Z is past',
    ],
    ...[
      '2099',
      'tomorrow',
      '2099-02-30T00:00:00Z',
      '2099-01-01',
      '2099-01-01T00:00:00',
      '2098-12-31T23:59:60Z',
      '1',
      '',
    ].map((end): [string, string, string[], string] => [
      'api-key',
      `an end like '${end}'`,
      [...readKey, '--expires', end],
      `--expires ${end} is no time with a day and a zone`,
    ]),
    [
      'api-key',
      'two ends',
      [...readKey, '--expires', '2099-01-01T00:00:00Z', '--expires', '2098-01-01T00:00:00Z'],
      '--expires is given 2 times',
    ],
    [
      'api-key',
      'an option that is none',
      [...readKey, '--expire', '2099-01-01T00:00:00Z'],
      "Unknown option '--expire'; usage:",
    ],
    ['api-key', 'an option of another command', ['list', '--id', 'x'], "Unknown option '--id'; usage:"],
    ['api-key', 'a command that is none', ['remove', '--id', 'x'], 'remove is not understood; usage:'],
    ['api-key', 'a word too many', ['revoke', 'x', '--id', 'x'], 'x is not understood; usage:'],
    ['api-key', 'nothing to revoke', ['revoke'], 'usage:'],
    [
      'token',
      'an end, which cannot be chosen',
      ['--scope', 'users:read', '--expires', '2020-01-01T00:00:00Z'],
      "Unknown option '--expires'; usage:",
    ],
    ['token', 'a word too many', ['users:read'], 'users:read is not understood; usage:'],
    ['token', 'no scope', [], 'nothing is no scope'],
  ];
  for (const [command, what, args, tells] of mistakes)
    it(`${command} refuses ${what}, by name, and leaves no file behind`, async () => {
      const folder = aDataFolder();
      const env: Environment = command === 'token' ? {} : { USERS_API_KEYS_FILE: join(folder, 'k') };
      const { code, log, told } = await run(command, folder, env, args);
      expect([code, log]).to.deep.equal([1, []]);
      expect(told).to.have.length(1);
      expect(told[0]).to.contain(tells);
      expect(readdirSync(folder)).to.deep.equal([]);
    });
});
