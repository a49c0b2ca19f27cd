import { expect } from 'chai';
import { aToken, startService, type TestService } from '../../support/service.ts';

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
