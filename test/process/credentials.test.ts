import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';

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

  it('makes no key for a scope that is none, and changes no file', async () => {
    const folder = aDataFolder();
    const made = await run('api-key', folder, { USERS_API_KEYS_FILE: join(folder, 'k') }, [
      '--id',
      'x',
      '--scope',
      'all',
    ]);
    expect(made.code).to.equal(1);
    expect(made.told.join()).to.include('usage:');
  });
});
