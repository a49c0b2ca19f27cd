import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { type CompanyProvider, startCompanyProvider } from './company-provider.ts';
import { keepPicture, setStage, settledList } from './stage.ts';

const company = (page: Page) => page.getByRole('button', { name: 'Sign in with your company account' });

/** The provider's own pages: its form, and the consent to the console's request. */
async function signInThere(page: Page, name = 'grace'): Promise<void> {
  await page.locator('[name=login]').fill(name);
  await page.locator('[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe("Signing in to the console at the company's own provider", () => {
  let provider: CompanyProvider;
  const stage = setStage(async () => {
    provider = await startCompanyProvider();
    return provider.settings;
  });
  after(() => provider?.close());

  async function signIn(query = ''): Promise<Page> {
    const page = await stage.open({ anonymous: true, query });
    await company(page).click();
    await signInThere(page);
    await settledList(page);
    return page;
  }
  const tokenIn = (page: Page) =>
    page.evaluate<string>("JSON.parse(sessionStorage.getItem('console.session')).credentials.token");

  it('leads to the provider, with PKCE, and back to the same page', async () => {
    const page = await stage.open({ anonymous: true, query: '?search=nobody' });
    await company(page).waitFor();
    expect(await page.locator('button.primary').allInnerTexts()).to.deep.equal([
      'Sign in with your company account',
    ]);
    expect(await page.getByLabel('Key ID').count()).to.equal(0);
    await keepPicture(page, 'sign-in-company');
    const left = page.waitForRequest(/\/auth\?/);
    await company(page).click();
    const asked = new URL((await left).url()).searchParams;
    expect(asked.get('code_challenge_method')).to.equal('S256');
    expect(asked.get('response_type')).to.equal('code');
    await signInThere(page);
    await page.getByRole('heading', { name: 'No user matches' }).waitFor();
    expect(page.url()).to.equal(`${stage.address}users?search=nobody`);
    expect(await page.locator('.account-name').innerText()).to.equal('grace');
    await page.locator('.account summary').click();
    await page.getByRole('link', { name: 'What you may do' }).click();
    for (const scope of ['users:delete', 'groups:delete'])
      await page
        .getByRole('listitem')
        .filter({ hasText: `: allowed ${scope}` })
        .waitFor();
  });

  it('continues a change during which the token has expired', async () => {
    const page = await signIn();
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByLabel('User name').fill('kept');
    await page.getByText('This name is free.').waitFor();
    let isExpired = true;
    await page.route(/\/users/, (route) =>
      isExpired
        ? route.fulfill({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    isExpired = false;
    // There one is still signed in, and asked once more, as for any program that anybody could pass himself off as.
    await company(page).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'New user' }).waitFor();
    expect(await page.getByLabel('User name').inputValue()).to.equal('kept');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'kept' }).waitFor();
  });

  it('shows the message of the provider when it refuses to sign in', async () => {
    const page = await stage.open({ anonymous: true });
    await company(page).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('Your provider denied access.').waitFor();
    expect(page.url()).to.equal(`${stage.address}users`);
  });

  it('accepts no answer that does not belong to a request of this tab', async () => {
    const page = await stage.open({ anonymous: true, query: '?code=stolen&state=other' });
    await page.getByText('from another tab').waitFor();
    expect(page.url()).to.equal(stage.address);
    await company(page).click();
    await page.locator('[name=login]').waitFor();
    await page.goto(`${stage.address}?code=stolen&state=other`);
    await page.getByText('does not belong to this sign-in').waitFor();
  });

  it('ignores a link that only looks like an answer of the provider, and continues to sign in', async () => {
    const link = '?error=server_error&error_description=Call+0900+1234&state=other';
    const page = await stage.open({ anonymous: true, query: link });
    await page.getByText('from another tab').waitFor();
    expect(await page.getByText('0900').count()).to.equal(0);
    await company(page).click();
    await page.locator('[name=login]').waitFor();
    const login = page.url();
    await page.goto(stage.address + link);
    await page.getByText('does not belong to this sign-in').waitFor();
    expect(await page.getByText('0900').count()).to.equal(0);
    await page.goto(login);
    await signInThere(page);
    const overview = page.getByRole('heading', { name: 'Overview' });
    await overview.waitFor();
    await page.goto(stage.address + link);
    await overview.waitFor();
    expect(page.url()).to.equal(stage.address);
    expect(await page.getByText(/0900|not signed in/).count()).to.equal(0);
  });

  it("shows the error in the provider's answer to a request of this tab", async () => {
    const page = await stage.open({ anonymous: true });
    const left = page.waitForRequest(/\/auth\?/);
    await company(page).click();
    const asked = new URL((await left).url()).searchParams;
    await page.locator('[name=login]').waitFor();
    const answer = new URLSearchParams({
      error: 'temporarily_unavailable',
      error_description: 'Come back at noon',
      state: asked.get('state') ?? '',
      iss: provider.settings.USERS_CONSOLE_ISSUER ?? '',
    });
    await page.goto(`${stage.address}?${answer}`);
    await page.getByText('Message from your provider: Come back at noon').waitFor();
    expect(page.url()).to.equal(`${stage.address}users`);
  });

  it('shows why the service accepts no token of the provider, for its administrators', async () => {
    const page = await stage.open({ anonymous: true });
    // The provider has other audiences too.
    await page.route(/\/token$/, async (route) => {
      const response = await route.fetch();
      const { id_token: token, ...rest } = await response.json();
      await route.fulfill({ response, json: { ...rest, id_token: token, access_token: token } });
    });
    await company(page).click();
    await signInThere(page);
    await page
      .getByRole('alert')
      .filter({
        hasText:
          'Give this message to the administrators of the directory: This is not an access token: its type (typ) is missing',
      })
      .waitFor();
  });

  it('accepts no token of another type than Bearer', async () => {
    const page = await stage.open({ anonymous: true });
    await page.route(/\/token$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), token_type: 'DPoP' } });
    });
    await company(page).click();
    await signInThere(page);
    await page.getByText('You were not signed in').waitFor();
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });

  /** A user, and the page where grace has typed a change, saved nothing, and her token is refused when she deletes the user. */
  async function waitingDeletion(userName: string) {
    const page = await signIn();
    const headers = { authorization: `Bearer ${await tokenIn(page)}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ userName, title: 'Before' });
    const user = (await (await stage.ask('/users', { method: 'POST', headers, body })).json()) as User;
    const read = () => stage.ask(`/users/${user.id}`, { headers });
    await page.goto(`${stage.address}?user=${user.id}&tab=edit`);
    await page.getByLabel('Job title').fill('After');
    const deletions: string[] = [];
    let isRefused = true;
    await page.route(/\/users(?:\/|\?|$)/, (route) => {
      if (isRefused) return route.fulfill({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
      const request = route.request();
      if (request.url().endsWith(user.id) && request.method() !== 'GET') deletions.push(request.method());
      return route.continue();
    });
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel('Type the user name to confirm').fill(userName);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    isRefused = false;
    return { user, page, deletions, read };
  }

  it('says that a change was interrupted by signing in, and keeps the input', async () => {
    const { user, page, deletions, read } = await waitingDeletion('cut-off');
    await company(page).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'cut-off', exact: true }).waitFor();
    await page.getByText('A change was interrupted').waitFor();
    await keepPicture(page, 'cut-off');
    expect(await page.getByLabel('Job title').inputValue()).to.equal('After');
    expect(deletions).to.deep.equal([]);
    expect(await (await read()).json()).to.deep.equal(user);
  });

  it('drops everything of one person when another returns from the provider', async () => {
    const { user, page, deletions, read } = await waitingDeletion('not-theirs');
    await page.context().clearCookies();
    await company(page).click();
    await signInThere(page, 'barbara');
    await page.getByText('Changes were discarded').waitFor();
    await page.locator('.account-name').filter({ hasText: 'barbara' }).waitFor();
    await page.getByRole('heading', { name: 'not-theirs' }).waitFor();
    expect(await page.getByLabel('Job title').inputValue()).to.equal('Before');
    expect(deletions).to.deep.equal([]);
    expect(await (await read()).json()).to.deep.equal(user);
    expect(await page.evaluate('Object.keys(sessionStorage)')).to.deep.equal(['console.session']);
  });

  it('continues pending actions when the same person pastes a token of the provider', async () => {
    const pasted = await tokenIn(await signIn());
    const { page, read } = await waitingDeletion('by-token');
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.getByText('Token', { exact: true }).click();
    await dialog.locator('textarea[name=token]').fill(pasted);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('by-token was deleted.').waitFor();
    expect((await read()).status).to.equal(404);
  });

  it('says when the provider cannot be reached', async () => {
    const page = await stage.open({ anonymous: true });
    await page.route(/well-known/, (route) => route.abort());
    await company(page).click();
    await page.getByText('Your provider can’t be reached').waitFor();
    await page.unroute(/well-known/);
    await company(page).click();
    await page.locator('[name=login]').waitFor();
  });

  it('still works with a token', async () => {
    const page = await signIn();
    const token = await tokenIn(page);
    const other = await stage.open({ anonymous: true });
    await other.getByText('Token', { exact: true }).click();
    await other.getByRole('textbox').fill(token);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await settledList(other);
  });
});
