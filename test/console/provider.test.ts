import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { type CompanyProvider, startCompanyProvider } from './company-provider.ts';
import { keepPicture, setStage, settledList } from './stage.ts';

const company = (page: Page) => page.getByRole('button', { name: 'Sign in with your company account' });

/** The provider's own pages: its form, and whether the console may have what it asks for. */
async function signInThere(page: Page): Promise<void> {
  await page.locator('[name=login]').fill('grace');
  await page.locator('[name=password]').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe("Signing in to the console at the company's own provider", function () {
  this.timeout(30_000);
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

  it('leads to the provider, with PKCE, and back to where one was', async () => {
    const page = await stage.open({ anonymous: true, query: '?search=nobody' });
    await company(page).waitFor();
    await keepPicture(page, 'sign-in-company');
    const left = page.waitForRequest(/\/auth\?/);
    await company(page).click();
    const asked = new URL((await left).url()).searchParams;
    expect(asked.get('code_challenge_method')).to.equal('S256');
    expect(asked.get('response_type')).to.equal('code');
    await signInThere(page);
    await page.getByRole('heading', { name: 'Nobody matches' }).waitFor();
    expect(page.url()).to.equal(`${stage.address}?search=nobody`);
    expect(await page.locator('.account-name').innerText()).to.equal('grace');
    await page.locator('.account summary').click();
    await page.getByText('users:delete allowed').waitFor();
  });

  it('goes on with a change in whose middle the token has expired', async () => {
    const page = await signIn();
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByLabel('User name').fill('kept');
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

  it('says what the provider says when it lets nobody in', async () => {
    const page = await stage.open({ anonymous: true });
    await company(page).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('Your provider says that access was denied.').waitFor();
    expect(page.url()).to.equal(stage.address);
  });

  it('takes no answer that does not belong to a question of this tab', async () => {
    const page = await stage.open({ anonymous: true, query: '?code=stolen&state=other' });
    await page.getByText('has begun in another tab').waitFor();
    expect(page.url()).to.equal(stage.address);
    await company(page).click();
    await page.locator('[name=login]').waitFor();
    await page.goto(`${stage.address}?code=stolen&state=other`);
    await page.getByText('does not belong to this attempt').waitFor();
  });

  it('says so where the provider can not be reached', async () => {
    const page = await stage.open({ anonymous: true });
    await page.route(/well-known/, (route) => route.abort());
    await company(page).click();
    await page.getByText('Your provider can’t be reached').waitFor();
    await page.unroute(/well-known/);
    await company(page).click();
    await page.locator('[name=login]').waitFor();
  });

  it('still lets one in with a token, where that is what one has', async () => {
    const page = await signIn();
    const token = await page.evaluate<string>(
      "JSON.parse(sessionStorage.getItem('console.session')).credentials.token",
    );
    const other = await stage.open({ anonymous: true });
    await other.getByText('Token', { exact: true }).click();
    await other.getByRole('textbox').fill(token);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await settledList(other);
  });
});
