import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { contractVersions } from '../../../src/adapters/contracts/versions.ts';
import { apiKeys } from '../../../src/adapters/credentials/api-keys/authenticator.ts';
import { addKey } from '../../../src/adapters/credentials/api-keys/change-keys.ts';
import { bearerAuthenticator } from '../../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../../src/adapters/credentials/jwt/authenticator.ts';
import { type Scope, scopes } from '../../../src/domain/scopes.ts';
import { needed } from '../../outside/tools.ts';
import { publishedText } from '../../support/contract.ts';
import { startService, type TestService } from '../../support/service.ts';
import { memoryStore } from '../../support/stores.ts';
import { faultsBySchema } from '../../support/xml-schema.ts';

const clock = { now: () => new Date() };
const issuer = 'https://login.example.com';
const audience = 'users';
const secret = new TextEncoder().encode('another secret of thirty-two bytes');
const leewaySeconds = 30;
const tomorrow = Math.floor(Date.now() / 1_000) + 86_400;
const current = contractVersions.at(-1);

const signed = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ iss: issuer, aud: audience, exp: tomorrow, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .sign(secret);

describe('GET /access', () => {
  const folder = mkdtempSync(join(tmpdir(), 'access-'));
  const file = join(folder, 'keys.json');
  const add = (id: string, granted: readonly Scope[], expires?: string) =>
    addKey(file, { id, scopes: granted, expires: expires === undefined ? undefined : new Date(expires) });
  const secrets = {
    erp: add('erp', ['users:write', 'groups:read']),
    desk: add('desk', ['users:read'], '2999-12-31T00:00:00Z'),
    old: add('old', ['users:read'], '2020-01-01T00:00:00Z'),
    pinned: addKey(file, { id: 'pinned', scopes: ['users:read'], contract: '1.12' }),
  };
  const keys = apiKeys({ file, maxStaleSeconds: 60, onProblem: expect.fail }, clock);
  let service: TestService;
  before(async () => {
    const tokens = jwtTokens(
      { issuer, audience, algorithms: ['HS256'], typ: 'at+jwt', leewaySeconds, keys: { secret } },
      clock,
    );
    service = await startService({}, memoryStore(), [bearerAuthenticator(tokens, keys.bearer), keys.basic]);
  });
  after(async () => {
    await service.close();
    await keys.basic.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const basic = (id: keyof typeof secrets) =>
    `Basic ${Buffer.from(`${id}:${secrets[id]}`).toString('base64')}`;
  const ask = (authorization: string, headers: Readonly<Record<string, string>> = {}) =>
    service.send('/access', { headers: { authorization, ...headers } });
  async function read(authorization: string) {
    const { status, headers, text, json } = await ask(authorization);
    expect(status, text).to.equal(200);
    expect(headers.get('cache-control')).to.equal('no-store');
    const { contract, ...access } = json();
    expect(contract).to.equal(current);
    return access;
  }

  it('shows what an API key may do, over Basic and over Bearer alike', async () => {
    const access = { client: 'erp', scopes: ['groups:read', 'users:read', 'users:write'] };
    expect(await read(basic('erp'))).to.deep.equal(access);
    expect(await read(`Bearer erp.${secrets.erp}`)).to.deep.equal(access);
  });

  it('shows when an API key expires', async () => {
    expect(await read(basic('desk'))).to.deep.equal({
      ...{ client: 'desk', expires: '2999-12-31T00:00:00.000Z', scopes: ['users:read'] },
    });
  });

  it('shows the person of a token, and the instant from which the service refuses it', async () => {
    const token = await signed({ client_id: 'console', sub: '8f0c', scope: scopes.join(' ') });
    expect(await read(`Bearer ${token}`)).to.deep.equal({
      client: 'console',
      person: { issuer, subject: '8f0c' },
      expires: new Date((tomorrow + leewaySeconds) * 1_000).toISOString(),
      scopes: [...scopes].sort(),
    });
  });

  it("shows no person for a client's own token", async () => {
    const { client, person } = await read(`Bearer ${await signed({ client_id: 'erp', sub: 'erp' })}`);
    expect({ client, person }).to.deep.equal({ client: 'erp', person: undefined });
  });

  it('leaves out scopes of other services, and also answers credentials without any other scope', async () => {
    const { scopes: none } = await read(`Bearer ${await signed({ sub: 'x', scope: 'openid files:read' })}`);
    expect(none).to.deep.equal([]);
    const { scopes: one } = await read(
      `Bearer ${await signed({ sub: 'x', scope: 'files:read users:read' })}`,
    );
    expect(one).to.deep.equal(['users:read']);
  });

  it('leaves out an expiry that no date-time can express', async () => {
    for (const exp of [253_402_300_800, 1e300])
      expect(await read(`Bearer ${await signed({ sub: 'x', exp })}`)).to.not.have.property('expires');
  });

  it('replaces characters that XML cannot express', async () => {
    const authorization = `Bearer ${await signed({ client_id: 'a\u0001b', sub: '\ud800' })}`;
    const { client, person } = await read(authorization);
    expect({ client, person }).to.deep.equal({ client: 'a\ufffdb', person: { issuer, subject: '\ufffd' } });
    const { text } = await ask(authorization, { accept: 'application/xml' });
    expect(text).to.include('<client>a\ufffdb</client>');
  });

  it('answers in XML, as the published schema describes it', async function () {
    needed(this, 'xmllint');
    const token = await signed({ client_id: 'console', sub: 'anna', scope: 'users:write' });
    const xml = { accept: 'application/xml' };
    const full = await ask(`Bearer ${token}`, xml);
    expect(full.headers.get('content-type')).to.equal('application/xml; charset=utf-8');
    expect(full.headers.get('cache-control')).to.equal('no-store');
    expect(full.text).to.match(
      /<access xmlns="urn:user-management:1"><client>console<\/client><person><issuer>https:\/\/login.example.com<\/issuer><subject>anna<\/subject><\/person><expires>[^<]*Z<\/expires><scopes><scope>users:read<\/scope><scope>users:write<\/scope><\/scopes><contract>1\.\d+<\/contract><\/access>/,
    );
    const empty = await ask(`Bearer ${await signed({ sub: 'x' })}`, xml);
    expect(empty.text).to.include('<scopes></scopes>');
    const plain = await ask(basic('erp'), { accept: 'text/xml' });
    const texts = [full, empty, plain].map(({ text }) => text);
    expect(faultsBySchema(await publishedText('/schemas/access.xsd'), texts)).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('refuses wrong and expired credentials, and formats that it does not have', async () => {
    for (const authorization of [basic('old'), `Bearer old.${secrets.old}`, `Bearer desk.${secrets.old}`])
      expect((await ask(authorization)).status).to.equal(401);
    expect((await service.send('/access', { anonymous: true })).status).to.equal(401);
    const refused = await ask(basic('desk'), { accept: 'text/csv' });
    expect(refused.status).to.equal(406);
    expect(refused.json()).to.include({ status: 406 });
  });

  it('accepts HEAD and OPTIONS, and no other method', async () => {
    const headers = { authorization: basic('desk') };
    const head = await service.send('/access', { method: 'HEAD', headers });
    expect([head.status, head.text, head.headers.get('cache-control')]).to.deep.equal([200, '', 'no-store']);
    for (const method of ['OPTIONS', 'POST', 'DELETE']) {
      const { status, headers: fields } = await service.send('/access', { method, headers });
      expect([status, fields.get('allow')]).to.deep.equal([
        method === 'OPTIONS' ? 204 : 405,
        'GET, HEAD, OPTIONS',
      ]);
    }
  });

  it('shows the version of the contract that the client is pinned to', async () => {
    for (const authorization of [basic('pinned'), `Bearer pinned.${secrets.pinned}`])
      expect((await ask(authorization)).json()).to.deep.equal({
        ...{ client: 'pinned', scopes: ['users:read'], contract: '1.12' },
      });
    const { text } = await ask(basic('pinned'), { accept: 'application/xml' });
    expect(text).to.include('<contract>1.12</contract>');
  });
});
