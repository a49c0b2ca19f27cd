import { expect } from 'chai';
import { clientNames, clients, nobody } from '../../support/clients.ts';
import { aToken, type Request, startService, type TestService } from '../../support/service.ts';

const json = 'application/json';
const xml = 'application/xml; charset=utf-8';
const text = 'text/xml; charset=utf-8';

/** Accept, in one field or several, and the Content-Type that it gets. */
const accepted: readonly [accept: string | readonly string[], type: string][] = [
  ['*/*', json],
  ['application/xml', xml],
  ['text/xml', text],
  ['text/*', text],
  ['application/*', json],
  ['APPLICATION/XML', xml],
  ['application/*;q=0.5, text/xml;q=0.6', text],
  ['application/json;q=0.2, application/xml;q=0.3', xml],
  ['application/json;q=0.2, application/xml;q=0.3, */*;q=0.9', text],
  ['application/json;Q=0.1, */*', xml],
  ['application/json;q=0, */*', xml],
  ['application/json;q=0, application/*;q=0.1', xml],
  ['application/xml;q=0.001, application/json;q=0', xml],
  ['application/json; charset=utf-8', json],
  ['application/xml;charset="utf-8";q=0.9, application/json;q=0.8', xml],
  ['application/xml;version=1.0', xml],
  ['application/xml; version=2; q=0.4, application/json; version=1; q=0.3', xml],
  ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', json],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', xml],
  ['application/xml, application/json', xml],
  ['application/json, application/xml', json],
  ['text/*, application/json', text],
  ['application/*, text/xml', json],
  ['text/xml, */*', text],
  ['*/*, application/xml', xml],
  ['application/xml;q=0.9, */*;q=0.9', xml],
  ['application/xml;q=0.8, */*;q=0.9', json],
  // Clients as they are: axios, RestSharp, Spring, old Internet Explorer, and browsers now.
  ['application/json, text/plain, */*', json],
  ['application/json, text/json, text/x-json, text/javascript, application/xml, text/xml', json],
  ['application/xml, text/xml, application/json, application/*+xml, application/*+json', xml],
  ['image/gif, image/jpeg, image/pjpeg, application/x-ms-application, */*', json],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', xml],
  ['application/json;q=nonsense, application/xml;q=0.1', xml],
  ['application/json;q=1.5, application/xml;q=0.1', xml],
  ['application/json;, ,application/xml;q=0.5', json],
  ['*', json],
  ['', json],
  [['text/html', 'application/xml;q=0.5', 'application/json;q=0.4'], xml],
  [['application/json;q=0', '*/*;q=0.1'], xml],
];

describe('Negotiation', () => {
  let service: TestService;
  let path: string;
  before(async () => {
    service = await startService();
    const { write, user } = clients.JSON;
    const body = user({ userName: 'one' });
    path =
      (await service.send('/users', { method: 'POST', headers: write, body })).headers.get('location') ?? '';
  });
  after(() => service.close());

  for (const [accept, type] of accepted) {
    const lines = [accept].flat();
    it(`answers Accept: ${lines.join(' and ')} with ${type}`, async () => {
      const headers = lines.map((line) => ['Accept', line] as const);
      for (const at of [path, '/users'])
        expect((await service.send(at, { headers })).headers.get('content-type')).to.equal(type);
    });
  }

  it('answers a client without Accept in the default format', async () => {
    expect((await service.send(path)).headers.get('content-type')).to.equal(json);
    const other = await startService({ defaultFormat: 'xml' });
    expect((await other.send('/users')).headers.get('content-type')).to.equal(xml);
    await other.close();
  });

  it('prefers a named media type to the default format, in answers and in problems', async () => {
    const other = await startService({ defaultFormat: 'xml' });
    for (const [accept, format] of [
      ['application/json, text/plain, */*', 'JSON'],
      ['application/json, application/xml', 'JSON'],
      ['*/*', 'XML'],
    ] as const) {
      const contentTypeOf = async (at: string) =>
        (await other.send(at, { headers: { accept } })).headers.get('content-type');
      const { contentType, problemType } = clients[format];
      expect(await contentTypeOf('/users'), accept).to.equal(contentType);
      expect(await contentTypeOf('/changes?since=start'), accept).to.equal(contentType);
      expect(await contentTypeOf('/nowhere'), accept).to.equal(problemType);
    }
    await other.close();
  });

  it('prefers a named type to any, then the body’s, then the first in the list', async () => {
    const post = async (accept: string, of: 'JSON' | 'XML') => {
      const { write, user } = clients[of];
      const headers = { ...write, accept };
      const name = `${of}-${accept.replaceAll(/\W/g, '')}`;
      const made = await service.send('/users', { method: 'POST', headers, body: user({ userName: name }) });
      expect(made.status).to.equal(201);
      const refused = await service.send('/users', { method: 'POST', headers, body: user({ userName: '' }) });
      expect(refused.status).to.equal(422);
      return [made, refused].map((answer) => answer.headers.get('content-type'));
    };
    const expected = (of: 'JSON' | 'XML') => [clients[of].contentType, clients[of].problemType];
    expect(await post('application/json, text/plain, */*', 'XML')).to.deep.equal(expected('JSON'));
    expect(await post('application/xml, */*', 'JSON')).to.deep.equal(expected('XML'));
    expect(await post('application/xml, application/json', 'JSON')).to.deep.equal(expected('JSON'));
    expect(await post('application/json, application/xml', 'XML')).to.deep.equal(expected('XML'));
  });

  it('prefers the body’s own format between equals, in answers and in problems', async () => {
    for (const type of ['application/xml', 'text/xml']) {
      for (const accept of [
        [],
        [['Accept', '*/*'] as const],
        [['Accept', 'application/*, text/*'] as const],
      ]) {
        const headers = [['Content-Type', type] as const, ...accept];
        const post = (body: string) => service.send('/users', { method: 'POST', headers, body });
        const name = `${type.replace('/', '-')}-${accept.join('').replaceAll(/\W/g, '')}`;
        const made = await post(`<user><userName>${name}</userName></user>`);
        expect([made.status, made.headers.get('content-type')]).to.deep.equal([
          201,
          `${type}; charset=utf-8`,
        ]);
        const refused = await post('<user/>');
        expect([refused.status, refused.headers.get('content-type')]).to.deep.equal([
          422,
          clients.XML.problemType,
        ]);
      }
    }
  });

  it('answers 406 in the default format when nothing is acceptable', async () => {
    for (const accept of [
      'image/png',
      '*/*;q=0',
      'application/json;q=0, application/xml;q=0',
      'application/yaml',
    ]) {
      for (const at of [path, '/users']) {
        const answer = await service.send(at, { headers: { accept } });
        expect([answer.status, answer.headers.get('content-type')], accept).to.deep.equal([
          406,
          clients.JSON.problemType,
        ]);
      }
    }
  });

  it('accepts a problem’s own media type for its format', async () => {
    for (const name of clientNames) {
      const { problemType } = clients[name];
      const accept = `${problemType.split(';')[0]}, image/png`;
      const answer = await service.send('/nowhere', { headers: { accept } });
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([404, problemType]);
    }
    const never = 'text/xml, application/json;q=0, */*;q=0';
    const answer = await service.send('/nowhere', { headers: { accept: never } });
    expect(answer.headers.get('content-type')).to.equal(clients.XML.problemType);
  });

  for (const name of clientNames) {
    const { read, write, user, contentType, problemType } = clients[name];
    const body = user({ userName: `of-${name}` });

    it(`answers in ${name} on every endpoint and in errors, with Vary`, async () => {
      const reader = { authorization: `Bearer ${await aToken(['users:read'])}` };
      const tag = (await service.send(path, { headers: read })).headers.get('etag') ?? '';
      const requests: [status: number, at: string, request?: Request][] = [
        [200, path],
        [200, '/users'],
        [200, '/users?limit=1'],
        [304, path, { headers: { ...read, 'if-none-match': tag } }],
        [412, path, { headers: { ...read, 'if-match': '"other"' } }],
        [404, '/nowhere'],
        [404, `/users/${nobody}`],
        [404, '/users/nobody'],
        [400, '/users?page=2'],
        [401, path, { anonymous: true }],
        [401, '/nowhere', { anonymous: true, method: 'DELETE' }],
        [403, path, { method: 'DELETE', headers: { ...read, ...reader } }],
        [403, '/users', { method: 'POST', headers: { ...write, ...reader }, body }],
        [405, '/users', { method: 'DELETE' }],
        [405, path, { method: 'POST', headers: write, body }],
        [201, '/users', { method: 'POST', headers: write, body }],
        [409, '/users', { method: 'POST', headers: write, body }],
        [400, '/users', { method: 'POST', headers: write, body: '<{' }],
        [422, '/users', { method: 'POST', headers: write, body: user({ userName: 'two words' }) }],
        [413, '/users', { method: 'POST', headers: write, body: ' '.repeat(300_000) }],
        [415, '/users', { method: 'POST', headers: { ...write, 'content-type': 'text/plain' }, body }],
        [415, '/users', { method: 'POST', headers: { ...write, 'content-encoding': 'zstd' }, body }],
        [200, path, { method: 'PATCH', headers: write, body: user({ title: name }) }],
        [
          412,
          path,
          { method: 'PATCH', headers: { ...write, 'if-match': '"other"' }, body: user({ title: 'x' }) },
        ],
        [200, path, { method: 'PUT', headers: write, body: user({ userName: 'one' }) }],
        [404, `/users/${nobody}`, { method: 'PUT', headers: write, body: user({ userName: 'x' }) }],
        [412, path, { method: 'DELETE', headers: { ...read, 'if-match': '"other"' } }],
        [400, path, { method: 'DELETE', headers: { ...read, 'if-match': 'other' } }],
        [404, `/users/${nobody}`, { method: 'DELETE' }],
      ];
      for (const [status, at, request = {}] of requests) {
        const answer = await service.send(at, { headers: read, ...request });
        const what = `${request.method ?? 'GET'} ${at}: ${answer.text}`;
        expect(answer.status, what).to.equal(status);
        expect(answer.headers.get('vary'), what).to.equal('Accept, Accept-Encoding');
        if (status !== 304)
          expect(answer.headers.get('content-type'), what).to.equal(status < 300 ? contentType : problemType);
      }
    });
  }
});
