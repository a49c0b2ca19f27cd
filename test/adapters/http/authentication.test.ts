import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { apiKeyAuthenticator } from '../../../src/adapters/api-keys/authenticator.ts';
import { addKey } from '../../../src/adapters/api-keys/change-keys.ts';
import { memoryStore } from '../../../src/adapters/memory/store.ts';
import { answersIn } from '../../support/raw-answers.ts';
import {
  aToken,
  ofSharedSecret,
  type ServiceSettings,
  startService,
  type TestService,
} from '../../support/service.ts';
import { open } from '../../support/sockets.ts';

const path = '/users/00000000-0000-4000-8000-000000000000';

describe('Authentication', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  it('challenges whoever has no credentials, and says what is wrong with those that are', async () => {
    const none = await service.send('/users', { headers: { authorization: '' } });
    expect([none.status, none.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer realm="users"']);
    const expired = await service.send('/users', {
      headers: { authorization: `Bearer ${await aToken(['users:read'], '-1h')}` },
    });
    expect(expired.headers.get('www-authenticate')).to.match(/error="invalid_token"/);
  });

  it('tells who comes with an API key that the service is not set to take any, and repeats nothing of it', async () => {
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

  it('names the scope that is missing', async () => {
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
  addKey(file, { id: 'one', scopes: ['users:read'] });
  const keys = apiKeyAuthenticator(
    { file, maxStaleSeconds: 60, onProblem: (problem) => expect.fail(problem) },
    { now: () => new Date() },
  );
  after(async () => {
    await keys.close();
    rmSync(folder, { recursive: true, force: true });
  });

  let service: TestService;
  let stopped: Promise<void> | undefined;
  const start = async (more: Partial<ServiceSettings> = {}) => {
    service = await startService(more, memoryStore(), [ofSharedSecret(), keys]);
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
    it(`are challenged both${corsOrigins && ', for a client in a browser too'}`, async () => {
      await start({ corsOrigins });
      await challenged();
    });
  }

  it('of the one that is not set are refused with a word of it', async () => {
    service = await startService({}, memoryStore(), [keys]);
    const answer = await service.send('/users');
    expect(answer.status).to.equal(401);
    expect(answer.json().detail).to.match(
      /^This service takes no tokens: no USERS_JWT_\S+, .* is set where it runs\. Send .* with Basic credentials\.$/,
    );
    expect(answer.headers.get('www-authenticate')).to.equal('Basic realm="users", charset="UTF-8"');
  });

  it('are challenged both while the service stops', async () => {
    await start();
    await challenged(stop);
  });
});
