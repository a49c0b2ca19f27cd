import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { apiKeys } from '../../../src/adapters/credentials/api-keys/authenticator.ts';
import { addKey } from '../../../src/adapters/credentials/api-keys/change-keys.ts';
import { bearerAuthenticator } from '../../../src/adapters/credentials/bearer.ts';
import { jwtTokens } from '../../../src/adapters/credentials/jwt/authenticator.ts';
import { scopes } from '../../../src/domain/scopes.ts';
import { needed } from '../../outside/tools.ts';
import { publishedText } from '../../support/contract.ts';
import { startService, type TestService } from '../../support/service.ts';
import { memoryStore } from '../../support/stores.ts';
import { faultsBySchema } from '../../support/xml-schema.ts';

const profiles = {
  phonebook: { users: { read: ['userName', 'name.familyName', 'phoneNumbers'] } },
  sales: {
    users: {
      where: { department: 'Sales' },
      ...{ read: '*', except: ['x509Certificates'], write: ['title', 'phoneNumbers'], delete: true },
    },
    groups: { read: '*', write: '*', create: true },
  },
  nothing: {},
};

describe('Credentials with an access profile', () => {
  const folder = mkdtempSync(join(tmpdir(), 'profiles-'));
  const file = join(folder, 'keys.json');
  const clock = { now: () => new Date() };
  const issuer = 'https://login.example.com';
  const secret = new TextEncoder().encode('another secret of thirty-two bytes');
  const signed = (claims: object) =>
    new SignJWT({ iss: issuer, aud: 'users', client_id: 'console', ...claims })
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setExpirationTime('1h')
      .sign(secret);
  const keyOf = (id: string, profile?: string) => `${id}.${addKey(file, { id, scopes, profile })}`;
  const keys = { sales: keyOf('crm', 'sales'), gone: keyOf('old', 'gone'), whole: keyOf('erp') };
  const rules = { algorithms: ['HS256'], typ: 'at+jwt', leewaySeconds: 0, keys: { secret } } as const;
  const ofFile = apiKeys({ file, maxStaleSeconds: 60, onProblem: expect.fail }, clock);
  const start = (settings: object) => {
    const tokens = jwtTokens({ issuer, audience: 'users', ...rules }, clock);
    return startService(settings, memoryStore(), [bearerAuthenticator(tokens, ofFile.bearer), ofFile.basic]);
  };
  let service: TestService;
  before(async () => {
    service = await start({ profiles });
  });
  after(async () => {
    await service.close();
    await ofFile.basic.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (credentials: string, path = '/access', headers: Readonly<Record<string, string>> = {}) =>
    service.send(path, { headers: { authorization: `Bearer ${credentials}`, ...headers } });
  const profileOf = async (claims: object): Promise<unknown> => {
    const { json, status, text } = await ask(await signed(claims));
    expect(status, text).to.equal(200);
    const { profile } = json() as { profile?: { name: string } };
    return profile?.name;
  };
  async function expectRefusal(credentials: string, detail: string, from = service): Promise<void> {
    for (const path of ['/users', '/access', '/scim/v2/Users']) {
      const { status, text, headers } = await from.send(path, {
        headers: { authorization: `Bearer ${credentials}` },
      });
      expect(status, text).to.equal(403);
      expect(JSON.parse(text).detail).to.equal(detail);
      expect(headers.get('www-authenticate')).to.include('Bearer realm="users", error="insufficient_scope"');
    }
  }

  it('name it in a scope of the token, in any claim for scopes, or in their API key', async () => {
    const all = scopes.join(' ');
    expect(await profileOf({ scope: `${all} as:sales` })).to.equal('sales');
    expect(await profileOf({ scp: ['users:read', 'as:sales'] })).to.equal('sales');
    expect(await profileOf({ roles: ['as:phonebook'], scp: 'users:read' })).to.equal('phonebook');
    expect(await profileOf({ scope: 'as:sales', scp: ['as:sales'] })).to.equal('sales');
    expect(await profileOf({ scope: all })).to.equal(undefined);
    expect((await ask(keys.sales)).json()).to.have.nested.property('profile.name', 'sales');
    expect((await ask(keys.whole)).json()).to.not.have.property('profile');
  });

  it('still need scopes', async () => {
    const token = await signed({ scope: 'as:sales groups:read' });
    const { status, text } = await ask(token, '/users');
    expect([status, JSON.parse(text).type]).to.deep.equal([403, '/problems/insufficient-scope']);
  });

  it('are refused if they name several profiles or an unknown one', async () => {
    const several = 'The token names several access profiles (scopes as:…); it must name one.';
    for (const claims of [
      { scope: 'users:read as:sales as:phonebook' },
      { scp: 'as:sales', roles: ['as:nothing'] },
    ])
      await expectRefusal(await signed(claims), several);
    await expectRefusal(
      await signed({ scope: 'users:read as:salse' }),
      'This service has no access profile salse.',
    );
    await expectRefusal(
      await signed({ scope: 'users:read as:' }),
      'This service has no access profile of this name.',
    );
    await expectRefusal(
      await signed({ scope: 'users:read as:Ä\u0007' }),
      'This service has no access profile of this name.',
    );
    await expectRefusal(keys.gone, 'This service has no access profile gone.');
  });

  it('are refused by a service without profiles', async () => {
    const plain = await start({});
    const detail =
      'The credentials have an access profile, but this service has none: USERS_ACCESS_FILE is not set where it runs.';
    await expectRefusal(await signed({ scope: 'users:read as:sales' }), detail, plain);
    await expectRefusal(keys.sales, detail, plain);
    await plain.close();
  });

  it('are required, of tokens and API keys, by the setting access.requireProfile', async () => {
    const strict = await start({ profiles, access: { file: 'profiles', requireProfile: true } });
    const detail =
      'This service takes only credentials with an access profile: API keys with one, and tokens with a scope such as as:phonebook.';
    await expectRefusal(await signed({ scope: scopes.join(' ') }), detail, strict);
    await expectRefusal(keys.whole, detail, strict);
    const send = (credentials: string) =>
      strict.send('/access', { headers: { authorization: `Bearer ${credentials}` } });
    expect((await send(keys.sales)).status).to.equal(200);
    expect((await send(await signed({ scope: 'as:nothing' }))).status).to.equal(200);
    expect((await strict.send('/health/live', { anonymous: true })).status).to.equal(204);
    await strict.close();
  });

  it('learn from GET /access what they see and may write, but not the filter', async () => {
    const answer = await ask(keys.sales);
    expect(answer.json()).to.have.deep.property('profile', {
      name: 'sales',
      users: {
        ...{ filtered: true, read: ['*'], except: ['x509Certificates'], write: ['title', 'phoneNumbers'] },
        ...{ create: false, delete: true },
      },
      groups: { filtered: false, read: ['*'], except: [], write: ['*'], create: true, delete: false },
    });
    expect(answer.text).to.not.match(/department|Sales/);
    const phonebook = await ask(await signed({ scope: 'as:phonebook' }));
    expect(phonebook.json()).to.have.deep.property('profile', {
      name: 'phonebook',
      users: {
        ...{ filtered: false, read: ['userName', 'name.familyName', 'phoneNumbers'], except: [], write: [] },
        ...{ create: false, delete: false },
      },
    });
    const nothing = await ask(await signed({ scope: 'as:nothing' }));
    expect(nothing.json()).to.have.deep.property('profile', { name: 'nothing' });
  });

  it('learn it in XML, too, as the published schema describes it', async function () {
    needed(this, 'xmllint');
    const xml = { accept: 'application/xml' };
    const names = Object.keys(profiles);
    const answers = await Promise.all(
      names.map(async (name) => ask(await signed({ scope: `as:${name}` }), '/access', xml)),
    );
    const texts = answers.map(({ text }) => text);
    expect(texts[0]).to.include(
      '<profile><name>phonebook</name><users><filtered>false</filtered><read><member>userName</member><member>name.familyName</member><member>phoneNumbers</member></read><except></except><write></write><create>false</create><delete>false</delete></users></profile>',
    );
    const faults = faultsBySchema(await publishedText('/schemas/access.xsd'), texts);
    expect(faults).to.deep.equal(names.map(() => undefined));
  });

  const lineOf = (status: number, path: string) =>
    service.log
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
      .findLast((line) => line.msg === 'request' && line.status === status && line.route === path);

  it('are named in the line of the log for each request, with the reason of a refusal', async () => {
    await ask(keys.sales);
    await service.logged('"profile":"sales"');
    expect(lineOf(200, '/access')).to.include({ client: 'crm', profile: 'sales' });
    await ask(keys.gone);
    await service.logged('no access profile gone');
    const line = service.log.findLast((one) => one.includes('no access profile gone')) ?? '{}';
    expect(JSON.parse(line)).to.include({ status: 403, problem: 'profile-refused' });
    expect(JSON.parse(line)).to.not.have.property('profile');
  });

  it('can look up each of their problems on a page', async () => {
    for (const code of ['profile-refused', 'attribute-hidden', 'attribute-read-only', 'outside-of-profile'])
      expect((await service.send(`/problems/${code}`, { anonymous: true })).status).to.equal(200);
  });
});
