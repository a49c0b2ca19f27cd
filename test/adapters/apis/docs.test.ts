import { expect } from 'chai';
import { parse } from 'yaml';
import { problems, publishedPaths } from '../../support/contract.ts';
import { startService, type TestService } from '../../support/service.ts';
import { frozenVersions } from '../contracts/frozen.ts';

const anonymous = { anonymous: true };
const contracts = [
  '/openapi.json',
  '/openapi.yaml',
  '/schemas/user.json',
  '/schemas/user.xsd',
  '/schemas/problem.xsd',
];

describe('What the service publishes', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it('is open to all, has a strong tag and may be stored by any cache', async () => {
    expect(publishedPaths).to.include.members([
      ...contracts,
      '/docs',
      '/docs/page.css',
      '/docs/start.js',
      '/problems/id-taken',
    ]);
    for (const path of publishedPaths) {
      const { status, headers, text } = await service.send(path, anonymous);
      expect([status, headers.get('content-type') === null], path).to.deep.equal([200, false]);
      const isFrozen = frozenVersions().some((version) => path.startsWith(`/schemas/${version}/`));
      expect(headers.get('cache-control'), path).to.match(
        isFrozen ? /^public, max-age=31536000, immutable$/ : /^public, max-age=[1-9]\d*$/,
      );
      expect(headers.get('vary') ?? '', path).not.to.match(/accept(?!-)/i);
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
      expect(text, path).not.to.equal('');
      const none = { 'if-none-match': headers.get('etag') ?? '' };
      const again = await service.send(path, { ...anonymous, headers: none });
      expect([again.status, again.text, again.headers.get('etag')], path).to.deep.equal([
        304,
        '',
        headers.get('etag'),
      ]);
    }
  });

  it('is served for GET, HEAD and OPTIONS; other methods get 405', async () => {
    for (const path of [...contracts, '/docs', '/problems/id-taken']) {
      const get = await service.send(path, anonymous);
      const head = await service.send(path, { ...anonymous, method: 'HEAD' });
      expect([head.status, head.text, head.headers.get('etag')]).to.deep.equal([
        200,
        '',
        get.headers.get('etag'),
      ]);
      const options = await service.send(path, { ...anonymous, method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'GET, HEAD, OPTIONS']);
      const put = await service.send(path, { ...anonymous, method: 'PUT' });
      expect([put.status, put.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, OPTIONS']);
    }
  });

  it('refuses an invalid condition, in the accepted format', async () => {
    const headers = { 'if-none-match': 'x', accept: 'application/xml' };
    const answer = await service.send('/openapi.json', { ...anonymous, headers });
    expect([answer.status, answer.headers.get('vary')]).to.deep.equal([400, 'Accept, Accept-Encoding']);
    expect(answer.headers.get('content-type')).to.match(/^application\/problem\+xml/);
  });

  it('is sent in a coding that the client accepts, each with its own tag; pictures are not compressed', async () => {
    const plain = await service.send('/docs/swagger-ui.css', anonymous);
    for (const coding of ['gzip', 'br']) {
      const headers = { 'accept-encoding': coding };
      const coded = await service.send('/docs/swagger-ui.css', { ...anonymous, headers });
      expect([coded.status, coded.headers.get('content-encoding'), coded.text === plain.text]).to.deep.equal([
        200,
        coding,
        true,
      ]);
      expect(Number(coded.headers.get('content-length'))).to.be.below(plain.text.length / 4);
      const tag = coded.headers.get('etag') ?? '';
      expect(tag).not.to.equal(plain.headers.get('etag'));
      const fresh = { ...headers, 'if-none-match': tag };
      const again = await service.send('/docs/swagger-ui.css', { ...anonymous, headers: fresh });
      expect([again.status, again.headers.get('etag')]).to.deep.equal([304, tag]);
      const picture = await service.send('/docs/favicon-32x32.png', { ...anonymous, headers });
      expect([picture.status, picture.headers.get('content-encoding')]).to.deep.equal([200, null]);
    }
  });

  it('is equal in YAML and in JSON', async () => {
    const [inJson, inYaml] = await Promise.all(
      ['/openapi.json', '/openapi.yaml'].map((path) => service.send(path, anonymous)),
    );
    expect(parse(inYaml?.text ?? '')).to.deep.equal(JSON.parse(inJson?.text ?? ''));
  });

  it('has a page for every problem, at its type, and no other pages', async () => {
    for (const [code, { status, title, remedy }] of Object.entries(problems)) {
      const page = await service.send(`/problems/${code}`, anonymous);
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([
        200,
        'text/html; charset=utf-8',
      ]);
      for (const part of [code, String(status), title]) expect(page.text, code).to.include(part);
      expect(page.text, code).to.include(remedy.slice(0, 20));
      expect(page.headers.get('content-security-policy'), code).to.match(
        /^default-src 'none'; style-src 'sha256-/,
      );
    }
    const wrong = await service.send('/users?limit=x');
    expect((await service.send(String(wrong.json().type), anonymous)).status).to.equal(200);
    expect((await service.send('/problems/unheard-of', anonymous)).status).to.equal(404);
    expect((await service.send('/docs/package.json', anonymous)).status).to.equal(404);
  });

  it('has pages that may run only their own script', async () => {
    const { headers, text } = await service.send('/docs', anonymous);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).to.include("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.to.match(/unsafe|\*|https?:/);
    expect(text).not.to.match(/<script>|<style|\son\w+=|style=|https?:/);
  });

  it('is logged with the requested kind of page', async () => {
    service.log.splice(0);
    await service.send('/problems/id-taken', anonymous);
    expect(service.log.join()).to.include('"route":"/problems/:type"');
  });
});

describe('What the service publishes behind a gateway', () => {
  let service: TestService;
  before(async () => {
    service = await startService({ basePath: '/v1', publicUrl: 'https://directory.example/users-v1' });
  });
  after(() => service.close());

  it('is served below the base path, names the public URL and links by relative paths', async () => {
    const { status, json } = await service.send('/v1/openapi.json', anonymous);
    expect(status).to.equal(200);
    expect(json().servers).to.deep.equal([
      { url: 'https://directory.example/users-v1', description: 'This service' },
    ]);
    expect((await service.send('/v2/openapi.json', anonymous)).status).to.equal(401);
    const seen = new Set<string>();
    /** Follows each link and each file that a page loads, and theirs. */
    const follow = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const { status, headers, text } = await service.send(path, anonymous);
      expect(status, path).to.equal(200);
      if (!headers.get('content-type')?.startsWith('text/html')) return;
      for (const [, link = ''] of text.matchAll(/\s(?:src|href)="([^"#]+)[^"]*"/g))
        await follow(new URL(link, `http://here${path}`).pathname);
    };
    await follow('/v1/docs');
    await follow('/v1/problems/id-taken');
    expect([...seen]).to.include.members(contracts.map((path) => `/v1${path}`));
  });
});
