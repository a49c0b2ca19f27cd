import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';

describe('The log', () => {
  afterEach(discardProcesses);

  it('has one line for each request, with its id and without personal data', async () => {
    const service = await startProcess();
    const token = await service.token();
    const send = async (method: string, path: string, body?: string, credentials = token) => {
      const headers = { authorization: `Bearer ${credentials}`, 'content-type': 'application/json' };
      const answer = await fetch(service.url + path, { method, headers, ...(body ? { body } : {}) });
      await answer.text();
      return {
        id: answer.headers.get('x-request-id'),
        status: answer.status,
        location: answer.headers.get('location'),
      };
    };

    const created = await send(
      'POST',
      '/users',
      JSON.stringify({ userName: 'private-person', title: 'private-title' }),
    );
    const answers = [
      created,
      await send('GET', String(created.location)),
      await send('GET', '/users?userName=private-person'),
      await send('GET', '/users?externalId=private-key&nonsense=private-nonsense'),
      await send('POST', '/users', '{"userName":"private-person"}'),
      await send('POST', '/users', '{"userName":"private-person","x":'),
      await send('PUT', String(created.location), '{"userName":"private-person","private-member":1}'),
      await send('GET', '/private-path'),
      await send('GET', '/users', undefined, `${token}x`),
      await send('DELETE', String(created.location)),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([
      201, 200, 200, 400, 409, 400, 422, 404, 401, 204,
    ]);

    const { log, told } = await service.stop();
    const lines = log.map((line) => JSON.parse(line));
    const requests = lines.filter(({ msg }) => msg === 'request').map(({ id, status }) => ({ id, status }));
    expect(requests).to.deep.equal(answers.map(({ id, status }) => ({ id, status })));
    const all = [...log, ...told].join('\n');
    const signature = String(token.split('.').at(-1));
    for (const secret of ['private-', signature, String(created.location)])
      expect(all).not.to.contain(secret);
  });

  it('has no secret part of an API key, in either form, whether the key is valid, wrong or cannot be checked', async () => {
    const folder = aDataFolder();
    const file = join(folder, 'api-keys.json');
    const env = { USERS_API_KEYS_FILE: file, USERS_KEY_FILES_MAX_STALE: '0' };
    const made = await run(['api-key', '--id', 'idp', '--scope', 'users:read'], folder, env);
    const [basic = '', bearer = ''] = made.log;
    const encoded = Buffer.from(basic).toString('base64');
    const service = await startProcess({ folder, env });
    const statuses = async () => {
      const all = [`Basic ${encoded}`, `Bearer ${bearer}`, `Bearer ${bearer}A`, `Bearer A.${bearer}`, bearer];
      const answers = all.map((authorization) =>
        fetch(`${service.url}/users`, { headers: { authorization } }).then(async (answer) => {
          expect(await answer.text()).not.to.contain(bearer.slice(4));
          return answer.status;
        }),
      );
      return Promise.all(answers);
    };
    expect(await statuses()).to.deep.equal([200, 200, 401, 401, 401]);
    rmSync(file);
    expect(await statuses()).to.deep.equal([503, 503, 503, 503, 401]);
    const { log, told } = await service.stop();
    const all = [...log, ...told].join('\n');
    for (const secret of [bearer.slice(4), encoded.slice(8, 40)]) expect(all).not.to.contain(secret);
  });
});
