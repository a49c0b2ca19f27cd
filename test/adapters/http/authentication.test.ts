import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { apiKeys } from '../../../src/adapters/credentials/api-keys/authenticator.ts';
import { addKey } from '../../../src/adapters/credentials/api-keys/change-keys.ts';
import { bearerAuthenticator } from '../../../src/adapters/credentials/bearer.ts';
import { authentication } from '../../../src/adapters/http/authentication.ts';
import { noTokens } from '../../../src/config/authentication.ts';
import { answersIn } from '../../support/raw-answers.ts';
import {
  aToken,
  ofSharedSecret,
  type ServiceSettings,
  startService,
  type TestService,
} from '../../support/service.ts';
import { open } from '../../support/sockets.ts';
import { memoryStore } from '../../support/stores.ts';

const path = '/users/00000000-0000-4000-8000-000000000000';

describe('Authentication', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  it('challenges a request without credentials, and names the fault of wrong credentials', async () => {
    const none = await service.send('/users', { headers: { authorization: '' } });
    expect([none.status, none.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer realm="users"']);
    const expired = await service.send('/users', {
      headers: { authorization: `Bearer ${await aToken(['users:read'], '-1h')}` },
    });
    expect(expired.headers.get('www-authenticate')).to.match(/error="invalid_token"/);
  });

  it('tells a client with an API key that the service accepts none, without repeating the key', async () => {
    const key = Buffer.from('legacy-erp:a secret').toString('base64');
    const { status, headers, json } = await service.send('/users', {
      headers: { authorization: `basic ${key}` },
    });
    expect([status, headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer realm="users"']);
    expect(json().detail).to.equal(
      'This service takes no API keys: USERS_API_KEYS_FILE is not set where it runs. Send an Authorization header with Bearer credentials.',
    );
    const other = await service.send('/users', { headers: { authorization: `constructor ${key}` } });
    expect(other.json().detail).to.equal('Send an Authorization header with Bearer credentials.');
  });

  it('names the missing scope', async () => {
    const answer = await service.send(path, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await aToken(['users:write'])}` },
    });
    expect(answer.status).to.equal(403);
    expect(answer.headers.get('www-authenticate')).to.equal(
      'Bearer realm="users", error="insufficient_scope", scope="users:delete"',
    );
  });

  it('refuses two Authorization fields and two Host fields', async () => {
    const token = `Bearer ${await aToken()}`;
    const status = async (...headers: [string, string][]) =>
      (await service.send('/users', { headers })).status;
    expect(await status(['Host', 'a'], ['Authorization', token])).to.equal(200);
    expect(await status(['Host', 'a'], ['Authorization', token], ['Authorization', token])).to.equal(400);
    expect(await status(['Host', 'a'], ['Host', 'b'], ['Authorization', token])).to.equal(400);
  });

  it('keeps tokens, names and queries out of the log', async () => {
    const headers = { 'content-type': 'application/json' };
    await service.send('/users', { method: 'POST', headers, body: '{"userName":"secretive"}' });
    await service.send('/users?userName=secretive');
    await service.send(`${path}?secretive`);
    await service.send('/secretive');
    const all = service.log.join('');
    expect(all).to.include('"route":"/users/:id"').and.include('"route":"/users"');
    expect(all).to.not.match(/eyJ|secretive|00000000/);
  });
});

describe('Credentials of two schemes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'users-schemes-'));
  const file = join(folder, 'keys.json');
  const secret = addKey(file, { id: 'one', scopes: ['users:read'] });
  const keys = apiKeys(
    { file, maxStaleSeconds: 60, onProblem: (problem) => expect.fail(problem) },
    { now: () => new Date() },
  );
  after(async () => {
    await keys.basic.close();
    rmSync(folder, { recursive: true, force: true });
  });

  let service: TestService;
  let stopped: Promise<void> | undefined;
  const start = async (more: Partial<ServiceSettings> = {}) => {
    service = await startService(more, memoryStore(), [ofSharedSecret(), keys.basic]);
  };
  const stop = () => {
    stopped ??= service.close();
    return stopped;
  };
  afterEach(async () => {
    await stop();
    stopped = undefined;
  });
  const head = 'GET /users HTTP/1.1\r\nHost: here\r\nOrigin: https://app.example\r\n';

  async function challenged(meanwhile: () => unknown = () => undefined) {
    // In one piece with a request before it, whose answer says that this one has begun to arrive.
    const first = 'GET /health/live HTTP/1.1\r\nHost: here\r\n\r\n';
    const { socket, ended, got } = await open(service.url, first + head);
    await got(/ 204 [\s\S]*\r\n\r\n/);
    meanwhile();
    socket.write('\r\n');
    await got(/ 401 [\s\S]*\r\n\r\n/);
    socket.end();
    const [, answer] = answersIn(await ended, [first, `${head}\r\n`]);
    expect(answer?.status).to.equal(401);
    const sent = answer?.headers.filter(([name]) => name.toLowerCase() === 'www-authenticate');
    expect(sent?.map(([, value]) => value)).to.deep.equal([
      'Bearer realm="users"',
      'Basic realm="users", charset="UTF-8"',
    ]);
  }

  for (const corsOrigins of ['', 'https://app.example']) {
    it(`both have a challenge${corsOrigins && ', for a client in a browser too'}`, async () => {
      await start({ corsOrigins });
      await challenged();
    });
  }

  const startKeysOnly = async () => {
    const bearer = bearerAuthenticator(noTokens, keys.bearer);
    service = await startService({}, memoryStore(), [bearer, keys.basic]);
  };
  const basicChallenge = 'Basic realm="users", charset="UTF-8"';

  it('are refused with a hint when their scheme is not configured', async () => {
    await startKeysOnly();
    const answer = await service.send('/users');
    expect(answer.status).to.equal(401);
    const hint =
      'This service takes no tokens: no USERS_JWT_KEY_SET_URL, _FILE or USERS_JWT_SECRET is set where it runs.';
    expect(answer.json().detail).to.equal(hint);
    expect(answer.headers.get('www-authenticate')).to.equal(
      `Bearer realm="users", error="invalid_token", error_description="${hint}", ${basicChallenge}`,
    );
    const other = await service.send('/users', { headers: { authorization: 'Negotiate x' } });
    expect(other.json().detail).to.equal('Send an Authorization header with Bearer or Basic credentials.');
  });

  it('both carry an API key, and have one challenge each where only API keys are configured', async () => {
    await startKeysOnly();
    const send = (authorization: string) => service.send('/users', { headers: { authorization } });
    const basic = `Basic ${Buffer.from(`one:${secret}`).toString('base64')}`;
    for (const right of [basic, `Bearer one.${secret}`, `bearer   one.${secret}`])
      expect((await send(right)).status, right).to.equal(200);
    const challenges: [string, string][] = [
      ['', 'Bearer realm="users"'],
      [`${basic}AAA=`, 'Bearer realm="users"'],
      [
        `Bearer one.${secret}A`,
        'Bearer realm="users", error="invalid_token", error_description="The API key is wrong."',
      ],
      [
        'Bearer',
        'Bearer realm="users", error="invalid_token", error_description="This is not an API key (<id>.<secret>, the second line of the command api-key). It may be cut off, have characters too many or the word Bearer twice, or be an opaque token."',
      ],
    ];
    for (const [wrong, challenge] of challenges) {
      const { status, headers } = await send(wrong);
      expect([status, headers.get('www-authenticate')], wrong).to.deep.equal([
        401,
        `${challenge}, ${basicChallenge}`,
      ]);
    }
    const headers = { authorization: `Bearer one.${secret}` };
    const forbidden = await service.send(path, { method: 'DELETE', headers });
    expect([forbidden.status, forbidden.headers.get('www-authenticate')]).to.deep.equal([
      403,
      `Bearer realm="users", error="insufficient_scope", scope="users:delete", ${basicChallenge}`,
    ]);
    expect(service.log.join('')).not.to.contain(secret);
  });

  it('give access with a Bearer key of any id, if its bytes are UTF-8', async () => {
    await startKeysOnly();
    for (const id of ['erp.eu', 'Büro 7', '世界', 'a, b', 'a"b\\'] as const) {
      const own = addKey(file, { id, scopes: ['users:read'] });
      const authorization = `Bearer ${Buffer.from(`${id}.${own}`).toString('latin1')}`;
      expect((await service.send('/users', { headers: { authorization } })).status, id).to.equal(200);
    }
    const latin1 = await service.send('/users', { headers: { authorization: `Bearer Büro 7.${secret}` } });
    expect(latin1.json().detail).to.match(/^This is not an API key /);
  });

  it('have one authenticator each: a second one for a scheme fails the start', () => {
    const authenticators = [ofSharedSecret(), bearerAuthenticator(keys.bearer)];
    expect(() =>
      authentication({ authenticators, realm: 'users', schemeHints: new Map(), accessOf: () => undefined }),
    ).to.throw('two authenticators have one scheme');
  });

  it('both have a challenge while the service stops', async () => {
    await start();
    await challenged(stop);
  });
});
