import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { aToken, startService, type TestService } from '../../support/service.ts';

const json = { 'content-type': 'application/json' };

describe('The rules of HTTP', () => {
  let service: TestService;
  let path: string;
  let tag: string;
  before(async () => {
    service = await startService();
    const made = await service.send('/users', { method: 'POST', headers: json, body: '{"userName":"one"}' });
    path = made.headers.get('location') ?? '';
    tag = made.headers.get('etag') ?? '';
  });
  after(() => service.close());
  const typeFor = async (accept: string, at = path) =>
    (await service.send(at, { headers: { accept } })).headers.get('content-type');

  describe('Negotiation', () => {
    const cases: [string, string][] = [
      ['*/*', 'application/json'],
      ['application/xml', 'application/xml; charset=utf-8'],
      ['text/xml', 'text/xml; charset=utf-8'],
      ['APPLICATION/XML', 'application/xml; charset=utf-8'],
      ['application/*;q=0.5, text/xml;q=0.6', 'text/xml; charset=utf-8'],
      ['application/json;q=0.2, application/xml;q=0.3', 'application/xml; charset=utf-8'],
      ['application/json;q=0, */*', 'application/xml; charset=utf-8'],
      ['application/json; charset=utf-8', 'application/json'],
      ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/json'],
      ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/xml; charset=utf-8'],
      ['application/xml, application/json', 'application/json'],
      ['*', 'application/json'],
    ];
    for (const [accept, type] of cases) {
      it(`answers Accept: ${accept} with ${type}`, async () => {
        expect(await typeFor(accept)).to.equal(type);
      });
    }

    it('prefers the body’s own format between equals', async () => {
      const body = '<user><userName>xml-first</userName></user>';
      const answer = await service.send('/users', {
        method: 'POST',
        headers: { 'content-type': 'text/xml' },
        body,
      });
      expect(answer.status, answer.text).to.equal(201);
      expect(answer.headers.get('content-type')).to.equal('text/xml; charset=utf-8');
    });

    it('answers 406 in the default format when nothing is acceptable', async () => {
      const answer = await service.send(path, { headers: { accept: 'image/png' } });
      expect(answer.status).to.equal(406);
      expect(answer.headers.get('content-type')).to.equal('application/problem+json');
      expect(await typeFor('text/xml, application/json;q=0, */*;q=0', '/nowhere')).to.match(
        /^application\/problem\+xml/,
      );
    });

    it('says on every answer what it varies by', async () => {
      const answers = [
        await service.send(path),
        await service.send(path, { headers: { 'if-none-match': tag } }),
        await service.send('/nowhere'),
        await service.send(path, { headers: { accept: 'image/png' } }),
        await service.send(path, { headers: { authorization: '' } }),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 304, 404, 406, 401]);
      for (const { headers } of answers) expect(headers.get('vary')).to.equal('Accept, Accept-Encoding');
    });
  });

  describe('Conditional requests', () => {
    it('answers 304 to the tag of the same representation only', async () => {
      const get = (headers: Record<string, string>) => service.send(path, { headers });
      expect((await get({ 'if-none-match': tag })).status).to.equal(304);
      expect((await get({ 'if-none-match': `"x", W/${tag}` })).status).to.equal(304);
      expect((await get({ 'if-none-match': tag, accept: 'text/xml' })).status).to.equal(200);
      expect((await get({ 'if-none-match': '*' })).status).to.equal(304);
    });

    it('goes by dates only beyond the second of the change', async () => {
      const { meta } = (await service.send(path)).json();
      const changed = Date.parse(meta.lastModified);
      const at = (ms: number) => new Date(changed + ms).toUTCString();
      const get = (date: string) => service.send(path, { headers: { 'if-modified-since': date } });
      expect((await get(at(0))).status).to.equal(200);
      expect((await get(at(2000))).status).to.equal(304);
      expect((await get('yesterday')).status).to.equal(200);
      const put = (date: string) =>
        service.send(path, { method: 'DELETE', headers: { 'if-unmodified-since': date } });
      expect((await put(at(0))).status).to.equal(412);
    });

    it('never matches a weak tag, and refuses one that it cannot read', async () => {
      const remove = (match: string) =>
        service.send(path, { method: 'DELETE', headers: { 'if-match': match } });
      expect((await remove(`W/${tag}`)).status).to.equal(412);
      expect((await remove('"other", "another"')).status).to.equal(412);
      expect((await remove('unquoted')).status).to.equal(400);
    });

    it('takes the tag of any representation of the current version', async () => {
      const xmlTag =
        (await service.send(path, { headers: { accept: 'text/xml' } })).headers.get('etag') ?? '';
      const put = await service.send(path, {
        method: 'PUT',
        headers: { ...json, 'if-match': `"old", ${xmlTag}` },
        body: '{"userName":"one"}',
      });
      expect(put.status).to.equal(200);
      tag = put.headers.get('etag') ?? '';
    });

    it('asks for If-Match where the operator says so', async () => {
      const strict = await startService({ requireIfMatch: true });
      const answer = await strict.send(path, { method: 'PUT', headers: json, body: '{"userName":"x"}' });
      expect(answer.status).to.equal(428);
      await strict.close();
    });
  });

  describe('Methods', () => {
    it('answers HEAD with the headers of GET', async () => {
      const [head, get] = [await service.send(path, { method: 'HEAD' }), await service.send(path)];
      expect(head.text).to.equal('');
      for (const name of ['etag', 'content-type', 'content-length', 'vary', 'cache-control']) {
        expect(head.headers.get(name), name).to.equal(get.headers.get(name));
      }
    });

    it('names what a path answers to', async () => {
      const options = await service.send(path, { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).to.deep.equal([
        204,
        'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
      ]);
      const post = await service.send(path, { method: 'POST', headers: json, body: '{}' });
      expect([post.status, post.headers.get('allow')]).to.deep.equal([
        405,
        'DELETE, GET, HEAD, OPTIONS, PATCH, PUT',
      ]);
      expect((await service.send('/users', { method: 'PROPFIND' })).status).to.equal(405);
    });
  });

  describe('The order of checks', () => {
    const statusOf = async (request: Parameters<TestService['send']>[1], at = '/users') =>
      (await service.send(at, request)).status;

    it('goes 401, 404, 405, 403, 406, 415, 413, 400, 422', async () => {
      const reader = { authorization: `Bearer ${await aToken(['users:read'])}` };
      const bad = { accept: 'image/png', 'content-type': 'text/plain' };
      const big = 'x'.repeat(300_000);
      expect(await statusOf({ headers: { authorization: 'Bearer x' } }, '/nowhere')).to.equal(401);
      expect(await statusOf({ headers: reader }, '/nowhere')).to.equal(404);
      expect(await statusOf({ method: 'DELETE', headers: reader })).to.equal(405);
      expect(await statusOf({ method: 'POST', headers: { ...reader, ...bad }, body: big })).to.equal(403);
      expect(await statusOf({ method: 'POST', headers: bad, body: big })).to.equal(406);
      const plain = { ...bad, accept: '*/*' };
      expect(await statusOf({ method: 'POST', headers: plain, body: big })).to.equal(415);
      expect(await statusOf({ method: 'POST', headers: json, body: big })).to.equal(413);
      expect(await statusOf({ method: 'POST', headers: json, body: '{' })).to.equal(400);
      expect(await statusOf({ method: 'POST', headers: json, body: '[]' })).to.equal(422);
    });

    it('says what would do when the media type or the coding is not supported', async () => {
      const type = await service.send('/users', {
        method: 'POST',
        headers: { 'content-type': 'text/csv' },
        body: 'x',
      });
      expect(type.headers.get('accept-post')).to.equal('application/json, application/xml, text/xml');
      const coding = await service.send('/users', {
        method: 'POST',
        headers: { ...json, 'content-encoding': 'zstd' },
        body: '{}',
      });
      expect([coding.status, coding.headers.get('accept-encoding')]).to.deep.equal([
        415,
        'gzip, deflate, br',
      ]);
    });

    it('reads a gzipped body, counts its bytes after decoding and refuses a broken one', async () => {
      const post = (body: Uint8Array) =>
        service.send('/users', { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body });
      expect((await post(gzipSync('{"userName":"zipped"}'))).status).to.equal(201);
      expect((await post(gzipSync(Buffer.alloc(50_000_000, 32)))).status).to.equal(413);
      expect((await post(Buffer.from('not gzip'))).status).to.equal(400);
    });
  });

  describe('Authentication', () => {
    it('challenges whoever has no credentials, and says what is wrong with those that are', async () => {
      const none = await service.send('/users', { headers: { authorization: '' } });
      expect([none.status, none.headers.get('www-authenticate')]).to.deep.equal([
        401,
        'Bearer realm="users"',
      ]);
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

    it('keeps tokens, names and queries out of the log', () => {
      const all = service.log.join('');
      expect(all).to.include('"route":"/users/:id"');
      expect(all).to.not.match(/eyJ|zipped|xml-first/);
    });
  });
});
