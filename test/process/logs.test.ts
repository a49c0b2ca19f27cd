import { expect } from 'chai';
import { discardProcesses, startProcess } from '../support/process.ts';

describe('The log', () => {
  afterEach(discardProcesses);

  it('has one line for each request, by its id, that says nothing of who it was about', async () => {
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
});
