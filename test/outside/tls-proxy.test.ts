import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { aGroup } from '../support/a-group.ts';
import { type Place, type RunningProxy, startProxy } from '../support/caches.ts';
import { makeCertificate } from '../support/certificate.ts';
import { aToken, startService, type TestService } from '../support/service.ts';
import { nginx } from './setups.ts';
import { needed } from './tools.ts';

const page = readFileSync('docs/operate/proxy.md', 'utf8');
const wholeHost = /```nginx\n([\s\S]*?)```/.exec(page)?.[1] ?? '';

/** With the two lines that the page gives for a service below a path. */
function belowAPath(): string {
  const [, location = '', pass = ''] = /`(location \S+ \{)` and `(proxy_pass \S+;)`/.exec(page) ?? [];
  return wholeHost.replace('location / {', location).replace(/proxy_pass .*;/, pass);
}

/** The lines of docs/operate/proxy.md, with the places of a test in them. */
const lines = ({ folder, port, origin }: Place, text: string): string =>
  text
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/etc/ssl/directory.example', join(folder, 'directory.example'))
    .replace('127.0.0.1:3000', `127.0.0.1:${origin}`);

/** A certificate that says whose it is, beside the configuration. */
const behindTls = (text: string) =>
  nginx((place) => {
    makeCertificate(place.folder, 'directory.example');
    return lines(place, text);
  });

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly by?: RunningProxy;
}

describe('Behind nginx with TLS, configured by the handbook, a client', () => {
  let service: TestService;
  let proxy: RunningProxy;

  before(async function () {
    const program = needed(this, 'nginx');
    needed(this, 'openssl');
    service = await startService({ publicUrl: 'https://directory.example' });
    proxy = await startProxy(behindTls(wholeHost), program, service.url);
  });
  after(async () => {
    await proxy?.stop();
    await service?.close();
  });

  async function ask(path: string, { method = 'GET', headers = {}, body, by = proxy }: Asked = {}) {
    const authorization = `Bearer ${await aToken()}`;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const url = by.url.replace('http:', 'https:') + path;
      // Self-signed: this test is not about the certificate.
      const options = {
        method,
        headers: { authorization, host: 'directory.example', ...headers },
        rejectUnauthorized: false,
      };
      request(url, options, resolve).once('error', reject).end(body);
    });
    const pieces: Buffer[] = [];
    for await (const piece of answer) pieces.push(piece);
    return { status: answer.statusCode, headers: answer.headers, text: Buffer.concat(pieces).toString() };
  }

  it('creates a user, whose Location has the public address', async () => {
    const headers = { 'content-type': 'application/json' };
    const made = await ask('/users', { method: 'POST', headers, body: '{"userName":"ada"}' });
    expect(made.status).to.equal(201);
    expect(made.headers.location).to.match(/^https:\/\/directory\.example\/users\/[0-9a-f-]{36}$/);
  });

  it('creates a user below a path, configured by the handbook, whose Location has this path', async function () {
    const other = await startService({ publicUrl: 'https://directory.example/people' });
    const by = await startProxy(behindTls(belowAPath()), needed(this, 'nginx'), other.url);
    const headers = { 'content-type': 'application/xml' };
    const body = '<user xmlns="urn:user-management:1"><userName>ada</userName></user>';
    const made = await ask('/people/users', { method: 'POST', headers, body, by });
    expect(made.status, made.text).to.equal(201);
    const { pathname } = new URL(made.headers.location ?? '');
    expect(pathname).to.match(/^\/people\/users\//);
    expect(await ask(pathname, { by })).to.have.property('status', 200);
    await by.stop();
    await other.close();
  });

  it("gets a page of the longest possible search, whose links exceed nginx's default limit", async () => {
    const headers = { 'content-type': 'application/json' };
    const name = '中'.repeat(99);
    for (const userName of ['a', 'b', 'c'].map((letter) => `${name}${letter}`)) {
      const made = await ask('/users', { method: 'POST', headers, body: JSON.stringify({ userName }) });
      expect(made.status, made.text).to.equal(201);
    }
    const first = await ask(`/users?search=${encodeURIComponent(name)}&sort=userName&limit=1`);
    const next =
      /<https:\/\/directory\.example([^>]+)>; rel="next"/.exec(first.headers.link as string)?.[1] ?? '';
    const middle = await ask(next);
    expect([middle.status, middle.text.includes(name)]).to.deep.equal([200, true]);
    expect(middle.headers.link?.length).to.be.greaterThan(4096);
  });

  it('gets an answer in HTTP/1.0 without a Host', async () => {
    const { port } = new URL(proxy.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
    socket.write('GET /health/live HTTP/1.0\r\n\r\n');
    const pieces: Buffer[] = [];
    for await (const piece of socket) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).to.match(/^HTTP\/1\.[01] 204 /);
  });

  it("gets the service's own refusal for a change of members above the limit, and can send the largest allowed one", async () => {
    const group = aGroup();
    await service.store.groups.insert(group);
    const headers = { 'content-type': 'application/json' };
    const path = `/groups/${group.id}/members`;
    const change = async (bytes: number) =>
      await ask(path, { method: 'POST', headers, body: '{"add":[]}'.padEnd(bytes) });
    expect((await change(2 * 1024 * 1024)).status).to.equal(204);
    const refused = await change(2 * 1024 * 1024 + 1);
    expect([refused.status, JSON.parse(refused.text).type]).to.deep.equal([
      413,
      'https://directory.example/problems/body-too-large',
    ]);
  });

  it('can send the largest allowed Bulk', async () => {
    const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], title: 'x'.repeat(200) };
    const operations = Array.from({ length: 900 }, (_, at) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `b${at}`,
      data: { ...user, userName: `bulk-${at}`, profileUrl: `https://example.org/${'p'.repeat(700)}` },
    }));
    const body = JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: operations,
    });
    expect(body.length).to.be.within(950_000, 2 ** 20);
    const headers = { 'content-type': 'application/scim+json' };
    const done = await ask('/scim/v2/Bulk', { method: 'POST', headers, body });
    expect(done.status, done.text.slice(0, 300)).to.equal(200);
    const everybody = await ask('/users?total=true&limit=1');
    expect(JSON.parse(everybody.text).total).to.equal(904);
  });
});
