import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { setStage, settledList } from '../console/stage.ts';
import { caseDeadline, until } from '../support/deadlines.ts';
import { discardProcesses, type Environment, type Process, startProcess } from '../support/process.ts';
import { type Keycloak, startKeycloak } from './keycloak.ts';
import { audience, password, type Realm, realm, setUpRealm } from './keycloak-realm.ts';

const [, page = ''] =
  /^## Keycloak$([\s\S]*?)^## /m.exec(readFileSync('docs/authentication.md', 'utf8')) ?? [];
/** The settings of the page. */
const settings: Environment = Object.fromEntries(
  [...page.matchAll(/^export (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const consoleClient = settings.USERS_CONSOLE_CLIENT_ID ?? '';

describe('Keycloak, set up as docs/authentication.md says,', () => {
  let keycloak: Keycloak | undefined;
  let company: Realm;
  let service: Process;

  before('Keycloak is started', async function () {
    this.timeout(3 * caseDeadline);
    keycloak = await startKeycloak(this);
    company = await setUpRealm(keycloak);
    await company.addProgram('payroll', { scopes: ['users:read', 'users:write'] });
    await company.addPerson('ada', true);
    await company.addPerson('eve', false);
  });
  after(async () => {
    await keycloak?.stop();
    await discardProcesses();
  });

  const settingsHere = (): Environment =>
    Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [
        name,
        value.replace('https://keycloak.example', keycloak?.url ?? ''),
      ]),
    );
  const ask = (token: string, method = 'GET', path = '/users', body?: object) =>
    fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  async function reason(token: string): Promise<string> {
    const response = await ask(token);
    expect(response.status).to.equal(401);
    return ((await response.json()) as { detail: string }).detail;
  }

  it('has each setting under the name on the page', async () => {
    const url = `${keycloak?.url}/resources/${realm}/admin/en`;
    const texts = (await (await fetch(url)).json()) as { readonly value: string }[];
    const known = new Set(texts.map(({ value }) => value));
    const named = [...page.matchAll(/\*([A-Z][^*]+)\*/g)].map(([, name = '']) => name);
    expect(named.length).to.be.above(15);
    expect(named.filter((name) => !known.has(name))).to.deep.equal([]);
    expect(page).to.contain(audience);
  });

  describe('Programs', () => {
    before(async () => {
      service = await startProcess({ env: { ...settingsHere(), USERS_JWT_KEY_SET_MAX_AGE: '10' } });
    });
    after(discardProcesses);

    it('read and write with a token of their client, within its scopes', async () => {
      const token = await company.tokenOf('payroll');
      const created = await ask(token, 'POST', '/users', { userName: 'ada' });
      expect(created.status).to.equal(201);
      const path = created.headers.get('location') ?? '';
      expect((await ask(token, 'GET', path)).status).to.equal(200);
      const refused = await ask(token, 'DELETE', path);
      expect(refused.status).to.equal(403);
      expect(await refused.text()).to.contain('This takes the scope users:delete.');
      expect(await service.logged(/"client":"payroll"/)).to.be.a('string');
    });

    it('are refused when a step was left out, with the setting that differs', async () => {
      await company.addProgram('untyped', { isAccessTokenType: false });
      expect(await reason(await company.tokenOf('untyped'))).to.equal(
        'This is not an access token: its type (typ) is JWT, and must be at+jwt (USERS_JWT_TYP).',
      );
      const anotherAudience =
        /^The token has .*audience \(aud\).*, and must have the one in USERS_JWT_AUDIENCE\.$/;
      await company.addProgram('without-scopes', { scopes: [] });
      expect(await reason(await company.tokenOf('without-scopes'))).to.match(anotherAudience);
      await company.addProgram('without-role', { hasRole: false });
      expect(await reason(await company.tokenOf('without-role'))).to.match(anotherAudience);
    });

    it('are accepted without the switch for at+jwt when USERS_JWT_TYP is JWT', async () => {
      await company.addProgram('older', { isAccessTokenType: false });
      const { url } = await startProcess({ env: { ...settingsHere(), USERS_JWT_TYP: 'JWT' } });
      const headers = { authorization: `Bearer ${await company.tokenOf('older')}` };
      expect((await fetch(`${url}/users`, { headers })).status).to.equal(200);
    });

    it('continue without a restart when the keys rotate, and are refused with a withdrawn key', async () => {
      const before = await company.tokenOf('payroll');
      const { withdrawOld } = await company.rotateKeys();
      const after = await company.tokenOf('payroll');
      const keyOf = (token: string) => Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
      expect(keyOf(after)).not.to.equal(keyOf(before));
      expect([(await ask(after)).status, (await ask(before)).status]).to.deep.equal([200, 200]);
      await withdrawOld();
      await until('the old key is refused', async () => (await ask(before)).status === 401);
      expect(await reason(before)).to.contain(
        'unknown key: the key set (USERS_JWT_KEY_SET_URL) has none for RS256',
      );
      expect((await ask(after)).status).to.equal(200);
    });
  });

  describe('The console', () => {
    const stage = setStage(async () => settingsHere());
    before(() => company.addConsole(consoleClient, stage.address));

    async function signIn(name: string): Promise<Page> {
      const opened = await stage.open({ anonymous: true });
      await opened.getByRole('button', { name: 'Sign in with your company account' }).click();
      await opened.locator('#username').fill(name);
      await opened.locator('#password').fill(password);
      await opened.locator('#kc-login').click();
      return opened;
    }

    it('signs in an administrator with Keycloak’s own form, who then creates a user', async () => {
      const opened = await signIn('ada');
      await settledList(opened);
      expect(await opened.locator('.account-name').innerText()).to.equal('ada Example');
      await opened.getByRole('link', { name: 'New user' }).click();
      await opened.getByLabel('User name').fill('grace');
      await opened.getByRole('button', { name: 'Create', exact: true }).click();
      await opened.getByRole('heading', { name: 'grace' }).waitFor();
    });

    it('gives no access to a person without the role, and says why', async () => {
      const opened = await signIn('eve');
      await opened
        .getByRole('alert')
        .filter({
          hasText:
            'Give this message to the administrators of the directory: The token has the audience (aud)',
        })
        .waitFor();
    });
  });
});
