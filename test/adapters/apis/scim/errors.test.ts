import { expect } from 'chai';
import { scopes } from '../../../../src/domain/scopes.ts';
import {
  type Ask,
  type Asked,
  aUser,
  create,
  expectError,
  giveScim,
  mediaType,
  nobody,
  patchOf,
  rename,
} from './scim-client.ts';

const big = 'x'.repeat(300_000);
const reader = scopes.filter((scope) => scope === 'users:read');

describe('An error of the SCIM API', () => {
  let ask: Ask;
  giveScim((its) => {
    ask = its;
  });

  const bad = { accept: 'image/png', 'content-type': 'text/plain' };
  const wrongType = { 'content-type': 'text/plain' };
  const stale = { 'if-match': '"old.scim1"' };
  /** What is wrong goes away, one fault after the other. */
  const order: readonly [path: string, asked: Asked, status: number, scimType?: string][] = [
    ['/Nothing', { anonymous: true }, 401],
    ['/Nothing', { scopes: [] }, 404],
    ['/Bulk', { scopes: [], method: 'DELETE' }, 405],
    ['/Users', { scopes: reader, method: 'POST', headers: bad, body: big }, 403],
    ['/Users', { method: 'POST', headers: bad, body: big }, 406],
    ['/Users', { method: 'POST', headers: wrongType, body: big }, 415],
    ['/Users', { method: 'POST', headers: { 'content-encoding': 'zstd' }, body: big }, 415],
    ['/Users', { method: 'POST', body: big }, 413],
    ['/Users', { method: 'POST', headers: { 'if-match': 'x' }, body: '{' }, 400, 'invalidSyntax'],
    ['/Users', { method: 'POST', headers: { 'if-match': 'x' }, body: aUser() }, 400],
    ['/Users', { method: 'POST', headers: { 'if-match': '"x"' }, body: {} }, 400, 'invalidValue'],
    ['/Users', { method: 'POST', headers: { 'if-match': '"x"' }, body: aUser() }, 412],
    [`/Users/${nobody}`, { method: 'PUT', headers: stale, body: '{' }, 400, 'invalidSyntax'],
    [`/Users/${nobody}`, { method: 'PUT', headers: stale, body: { title: 7 } }, 400, 'invalidValue'],
    [`/Users/${nobody}`, { method: 'PUT', headers: stale, body: aUser() }, 404],
    [`/Users/${nobody}`, { method: 'PATCH', headers: stale, body: {} }, 400, 'invalidSyntax'],
    [`/Users/${nobody}`, { method: 'PATCH', headers: stale, body: rename }, 404],
    [`/Users/${nobody}`, { method: 'DELETE', headers: stale }, 404],
  ];
  it('is the first applicable of 401, 404, 405, 403, 406, 415, 413, 400, 404, 412', async () => {
    for (const [path, asked, status, scimType] of order)
      expectError(await ask(path, asked), status, scimType);
  });

  it('is 412, not 409, if a user has changed and the new name is taken', async () => {
    const { userName } = aUser();
    await create(ask, { userName });
    const { id } = await create(ask);
    const path = `/Users/${id}`;
    for (const [method, body] of [
      ['PUT', aUser({ userName })],
      ['PATCH', patchOf({ op: 'replace', path: 'userName', value: userName })],
    ] as const) {
      expectError(await ask(path, { method, body, headers: stale }), 412);
      expectError(await ask(path, { method, body }), 409, 'uniqueness');
    }
    expectError(await ask('/Users', { method: 'POST', body: aUser({ userName }) }), 409, 'uniqueness');
  });

  const paths = [
    '',
    '/',
    '/Users',
    '/Users/',
    `/Users/${nobody}`,
    '/Users/x',
    '/Users/%ff',
    '/Users/.search',
    '/.search',
    '/Bulk',
    '/Me',
    '/Me/x',
    '/Papers',
    `/Papers/${nobody}`,
    '/ServiceProviderConfig',
    '/ResourceTypes',
    '/ResourceTypes/User',
    '/ResourceTypes/Group',
    '/Schemas',
    '/Schemas/urn:x',
    '/users',
    '/%00',
    '//',
    '/openapi.json',
    '/openapi.yaml',
  ];
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];
  for (const who of ['with a token', 'without'] as const) {
    it(`has the format of RFC 7644 §3.12 at every path and for every method, ${who}`, async () => {
      for (const path of paths)
        for (const method of methods) {
          const body = ['POST', 'PUT', 'PATCH'].includes(method) ? '{' : undefined;
          const answer = await ask(path, { method, body, anonymous: who === 'without' });
          const what = `${method} ${path}: ${answer.status}`;
          if (answer.status < 400) {
            expect(answer.status, what).to.be.oneOf(method === 'OPTIONS' ? [204] : [200]);
            continue;
          }
          expect(answer.headers.get('content-type'), what).to.equal(mediaType);
          if (answer.status === 401)
            expect(answer.headers.get('www-authenticate'), what).to.match(/^Bearer /);
          if (answer.status === 405) expect(answer.headers.get('allow'), what).to.match(/OPTIONS/);
          if (method === 'HEAD') expect(answer.text, what).to.equal('');
          else expectError(answer, answer.status, answer.status === 400 ? 'invalidSyntax' : undefined);
        }
    });
  }

  it('always has the SCIM media type, whatever the client accepts', async () => {
    for (const accept of ['application/json', 'application/xml', 'application/problem+json', 'x', '*/*;q=0'])
      expectError(await ask('/Nothing', { headers: { accept } }), 404);
  });

  it('is 501 for every request for /Me', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expectError(await ask('/Me', { method, body: method === 'GET' ? undefined : '{' }), 501);
  });

  it('names the missing scope', async () => {
    const { id } = await create(ask);
    const writer = ['users:write'];
    const refused = await ask(`/Users/${id}`, { method: 'DELETE', scopes: writer });
    expect(expectError(refused, 403)).to.include('users:delete');
    expect(refused.headers.get('www-authenticate')).to.include('scope="users:delete"');
    for (const [method, body] of [
      ['PUT', aUser()],
      ['PATCH', rename],
      ['DELETE', undefined],
    ] as const)
      expectError(await ask(`/Users/${id}`, { method, body, scopes: reader }), 403);
    for (const path of ['/Users', `/Users/${id}`])
      expectError(await ask(path, { scopes: ['users:delete'] }), 403);
    expectError(await ask('/Bulk', { method: 'POST', scopes: reader, body: '{' }), 403);
    expectError(await ask('/.search', { method: 'POST', scopes: ['users:delete'], body: '{' }), 403);
  });

  it('names the attributes that break the rules, by their SCIM names', async () => {
    const body = aUser({
      locale: 'not a tag',
      emails: [{ value: 'ada@example.com' }, { value: 'x' }],
      roles: [{ value: 'x'.repeat(100) }],
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { costCenter: 'x'.repeat(1000) },
    });
    const detail = expectError(await ask('/Users', { method: 'POST', body }), 400, 'invalidValue');
    for (const name of ['locale', 'emails[1].value', 'roles[0].value', 'enterprise:2.0:User:costCenter'])
      expect(detail).to.include(`${name} must`);
  });

  const twice = [
    '{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],"userName":"a","userName":"b"}',
    '{"schemas":[],"userName":"a","USERNAME":"b"}',
    '{"userName":"a","meta":{},"meta":{}}',
    '{"userName":"a","emails":[{"value":"a","value":"b"}]}',
    '{"userName":"a","\\u0075serName":"b"}',
  ];
  it('reports a duplicate member anywhere in a body', async () => {
    for (const body of twice)
      for (const path of ['/Users', '/Users/.search', '/.search', '/Bulk'])
        expectError(await ask(path, { method: 'POST', body }), 400, 'invalidSyntax');
    for (const body of twice)
      for (const method of ['PUT', 'PATCH'])
        expectError(await ask(`/Users/${nobody}`, { method, body }), 400, 'invalidSyntax');
    const within = `{"schemas":["urn:ietf:params:scim:api:messages:2.0:BulkRequest"],"Operations":[{"method":"POST","path":"/Users","data":{"userName":"a","meta":{"a":1,"a":2}}}]}`;
    expect(
      expectError(await ask('/Bulk', { method: 'POST', body: within }), 400, 'invalidSyntax'),
    ).to.include('/Operations/0/data/meta/a');
  });

  it('is 413 beyond 256 KiB after decoding, except for a Bulk', async () => {
    const spaces = (length: number) => `[]${' '.repeat(length - 2)}`;
    const limit = 256 * 1024;
    for (const [path, method] of [
      ['/Users', 'POST'],
      ['/Users/.search', 'POST'],
      ['/.search', 'POST'],
      [`/Users/${nobody}`, 'PUT'],
      [`/Users/${nobody}`, 'PATCH'],
    ] as const) {
      expect((await ask(path, { method, body: spaces(limit) })).status, path).to.equal(400);
      expect(expectError(await ask(path, { method, body: spaces(limit + 1) }), 413)).to.include(
        String(limit),
      );
    }
    expectError(await ask('/Bulk', { method: 'POST', body: spaces(1024 * 1024) }), 400, 'invalidSyntax');
    expectError(await ask('/Bulk', { method: 'POST', body: spaces(1024 * 1024 + 1) }), 413);
  });
});
