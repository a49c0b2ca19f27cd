import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { expect } from 'chai';
import { clientForLog } from '../../../src/adapters/http/server/request-log.ts';
import type { Authenticator } from '../../../src/domain/ports.ts';
import { scopesOf } from '../../../src/domain/scopes.ts';
import { aToken, startService, type TestService } from '../../support/service.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const missing = '/users/6f0d9d5e-3c3f-4a52-9a39-0f9f9c1c7d11';

/** Takes anything for the name of who asks. */
const byName: Authenticator = {
  scheme: 'Bearer',
  authenticate: (name) => ({ id: decodeURIComponent(name), scopes: scopesOf(['users:read']) }),
  close: async () => {},
};

describe('The log’s line of a request', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService({}, undefined, [byName]);
  });
  afterEach(() => service.close());

  async function lineOf(path: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
    const { headers: fields } = await service.send(path, {
      headers: { authorization: 'Bearer erp', ...headers },
    });
    const id = fields.get('x-request-id') ?? '';
    await service.logged(id);
    return JSON.parse(service.log.find((line) => line.includes(id)) ?? '');
  }

  it('names the client', async () => {
    expect(await lineOf('/users', {})).to.include({ client: 'erp', route: '/users', status: 200 });
    expect(await lineOf('/users', { authorization: 'Bearer ' })).not.to.have.property('client');
    expect(await lineOf('/health/live', {})).not.to.have.property('client');
  });

  it('replaces what may be a person’s name or address with a hash, by which an operator finds its lines', async () => {
    for (const name of ['ada@example.org', 'Ada Lovelace', 'ada.lovelace', 'Zoë', 'x'.repeat(200)]) {
      const line = await lineOf('/users', { authorization: `Bearer ${encodeURIComponent(name)}` });
      const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
      expect(line.client).to.equal(`sha256:${hash}`);
      expect(JSON.stringify(line)).not.to.contain(name);
    }
  });

  it('names the resources that a write has changed, and whose history was read', async () => {
    const tokens = await startService();
    const send = async (method: string, path: string, body?: object) => {
      const { headers, text } = await tokens.send(path, {
        method,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      const id = headers.get('x-request-id') ?? '';
      await tokens.logged(id);
      const line = JSON.parse(tokens.log.find((one) => one.includes(id)) ?? '');
      return { line, id: text.startsWith('{"id"') ? JSON.parse(text).id : '' };
    };
    const { id, line } = await send('POST', '/users', { userName: 'ada' });
    expect(line.resources).to.deep.equal([id]);
    const group = (await send('POST', '/groups', { displayName: 'Engines' })).id;
    const added = await send('PUT', `/groups/${group}/members/${id}`);
    expect(added.line.resources).to.deep.equal([group]);
    expect((await send('GET', `/users/${id}`)).line).not.to.have.property('resources');
    expect((await send('GET', `/users/${id}/history`)).line.resources).to.deep.equal([id]);
    expect((await send('GET', '/history?limit=2')).line.resources).to.deep.equal([group]);
    expect((await send('GET', '/history')).line.resources).to.deep.equal([group, id]);
    expect((await send('POST', '/users', { userName: 'ada' })).line).not.to.have.property('resources');
    const bulk = await send('POST', '/scim/v2/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [
        { method: 'DELETE', path: `/Groups/${group}` },
        { method: 'DELETE', path: `/Users/${id}` },
      ],
    });
    expect(bulk.line.resources).to.have.members([group, id]);
    await tokens.close();
  });

  it('says why credentials were refused, and which scope they lack', async () => {
    const tokens = await startService();
    const send = async (path: string, authorization: string) => {
      const { headers } = await tokens.send(path, { method: 'DELETE', headers: { authorization } });
      const id = headers.get('x-request-id') ?? '';
      await tokens.logged(id);
      return JSON.parse(tokens.log.find((line) => line.includes(id)) ?? '');
    };
    const unsigned = (await aToken()).replace(/[^.]*$/, 'A'.repeat(43));
    expect(await send(missing, `Bearer ${unsigned}`)).to.include({
      status: 401,
      refusal: 'The signature does not match the key (USERS_JWT_SECRET).',
    });
    expect(await send(missing, `Bearer ${await aToken(['users:write'])}`)).to.include({
      status: 403,
      refusal: 'This takes the scope users:delete.',
    });
    expect(await send(missing, `Bearer ${await aToken(['openid'])}`)).to.include({
      status: 403,
      refusal:
        'This takes the scope users:delete. The credentials have no scope of this service: scope is "openid" (scope goes before scp, and scp before roles).',
    });
    expect(await send(missing, `Bearer ${await aToken()}`)).not.to.have.property('refusal');
    await tokens.close();
  });

  it('repeats a name unchanged when it has the shape of a client’s id', () => {
    const ids = [
      'legacy-erp',
      'okta',
      '0oa1b2c3D4',
      'https://login.example/clients/7',
      'urn:app:1',
      'com.example.app',
      'auth0|5f7c8ec7',
    ];
    for (const id of [...ids, '6f0d9d5e-3c3f-4a52-9a39-0f9f9c1c7d11']) expect(clientForLog(id)).to.equal(id);
  });

  it('names the trace that the request belongs to, as a problem does', async () => {
    const line = await lineOf(missing, { traceparent: `00-${trace}-${span}-01` });
    expect(line).to.include({ trace, problem: 'user-not-found' });
    for (const [accept, pattern] of [
      ['application/json', /"instance":"urn:uuid:([0-9a-f-]{36})\?=trace=([0-9a-f]{32})"/],
      ['application/xml', /<instance>urn:uuid:([0-9a-f-]{36})\?=trace=([0-9a-f]{32})<\/instance>/],
    ] as const) {
      const { text, headers } = await service.send(missing, {
        headers: { authorization: 'Bearer erp', accept, traceparent: `00-${trace}-${span}-00` },
      });
      expect(pattern.exec(text)?.slice(1)).to.deep.equal([headers.get('x-request-id'), trace]);
    }
  });

  it('takes a later version of traceparent, which may have more fields', async () => {
    for (const more of ['', '-and-more'])
      expect(await lineOf('/users', { traceparent: `cc-${trace}-${span}-01${more}` })).to.include({ trace });
  });

  const malformed = {
    nothing: '',
    'another length': `00-${trace.slice(1)}-${span}-01`,
    capitals: `00-${trace.toUpperCase()}-${span}-01`,
    'no such version': `ff-${trace}-${span}-01`,
    'more than version 00 has': `00-${trace}-${span}-01-x`,
    'an id of zeros': `00-${'0'.repeat(32)}-${span}-01`,
    'a span of zeros': `00-${trace}-${'0'.repeat(16)}-01`,
    'a name': 'ada@example.org',
  };
  for (const [what, traceparent] of Object.entries(malformed))
    it(`ignores a traceparent with ${what}`, async () => {
      expect(await lineOf(missing, { traceparent })).not.to.have.property('trace');
    });

  it('ignores two traceparent fields', async () => {
    const twice: [string, string][] = [1, 2].map(() => ['traceparent', `00-${trace}-${span}-01`]);
    const { text } = await service.send(missing, { headers: [['authorization', 'Bearer erp'], ...twice] });
    expect(text).to.match(/"instance":"urn:uuid:[0-9a-f-]{36}"/);
  });

  it('names the trace of a request that breaks off in its body, too', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const head =
      'POST /users HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer erp\r\nContent-Type: application/json\r\n';
    socket.write(
      `${head}traceparent: 00-${trace}-${span}-01\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`,
    );
    let answer = '';
    for await (const piece of socket) answer += String(piece);
    expect(answer)
      .to.match(/^HTTP\/1\.1 400 /)
      .and.contain(`?=trace=${trace}"`);
  });
});
