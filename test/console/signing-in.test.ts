import { expect } from 'chai';
import { makeKey, signInWithToken, signOut } from './sign-in.ts';
import { bothCredentials, keepPicture, setStage, settledList } from './stage.ts';

describe('Signing in to the console', () => {
  let desk = '';
  const stage = setStage(bothCredentials, async (folder) => {
    desk = await makeKey(folder, 'desk', 'users:write');
  });

  it('works with the id and the secret of an API key, whose scopes the console finds out', async () => {
    const [id = '', secret = ''] = desk.split(':');
    const page = await stage.open({ anonymous: true });
    await keepPicture(page, 'sign-in');
    await page.getByLabel('Key ID').fill(id);
    await page.getByLabel('Secret').fill(secret);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await settledList(page);
    await page.locator('.account summary').click();
    await keepPicture(page, 'account');
    await page.getByRole('link', { name: 'What you may do' }).click();
    const scopes = page.getByRole('list', { name: 'Scopes' }).getByRole('listitem');
    await scopes.first().waitFor();
    expect(await scopes.allInnerTexts()).to.deep.equal([
      '✓ View users: allowed users:read',
      '✓ Create or change users: allowed users:write',
      '– Delete users and bring them back: not allowed users:delete',
      '– View groups and memberships: not allowed groups:read',
      '– Create or change groups and their members: not allowed groups:write',
      '– Delete groups and bring them back: not allowed groups:delete',
      '– See webhooks and follow changes: not allowed changes:read',
      '– See who changed what: not allowed history:read',
    ]);
    await page.getByText('user-management api-key --id desk --scope "users:read users:write"').waitFor();
  });

  it('works with a token, and leads to the requested address', async () => {
    const user = await stage.create({ userName: 'grace' });
    const page = await stage.open({ anonymous: true, query: `?user=${user.id}` });
    await signInWithToken(page, ` Bearer ${await stage.service.token()}\n`);
    await page.getByRole('heading', { name: 'grace' }).waitFor();
  });

  it('says why it did not work', async () => {
    const page = await stage.open({ anonymous: true });
    await page.getByLabel('Key ID').fill('desk');
    await page.getByLabel('Secret').fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const alert = page.getByRole('alert');
    expect(await alert.innerText()).to.match(/does not accept this key\s+The API key is wrong\./);
    await signInWithToken(page, 'no token');
    await alert
      .filter({ hasText: 'This is not a JWT (three parts with dots between them) or an API key' })
      .waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await alert.filter({ hasText: 'You are offline' }).waitFor();
  });

  it('applies to this tab only, until signing out', async () => {
    const page = await stage.open({ anonymous: true });
    await signInWithToken(page, await stage.service.token());
    await settledList(page);
    await page.reload();
    await settledList(page);
    const other = await page.context().newPage();
    await other.goto(stage.address);
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.bringToFront();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).to.equal(0);
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it('shows what a read-only token does not allow, with the scope', async () => {
    const user = await stage.create({ userName: 'barbara' });
    const page = await stage.open({ scopes: ['users:read'] });
    await settledList(page);
    expect(await page.getByRole('link', { name: 'New user' }).count()).to.equal(0);
    await page
      .getByText('To create or change users, you need the scope users:write.')
      .and(page.locator(':visible'))
      .waitFor();
    await page.getByLabel('Select barbara').check();
    const deactivate = page.getByRole('button', { name: 'Deactivate…' });
    expect(await deactivate.isDisabled()).to.equal(true);
    expect(await deactivate.getAttribute('title')).to.equal(
      'To create or change users, you need the scope users:write.',
    );
    const all = 'To do more here, you need the scopes users:write,';
    await page.locator('.selection-bar').getByText(`${all} groups:write, users:delete.`).waitFor();
    await page.getByRole('link', { name: 'barbara' }).click();
    await page.getByText(`${all} users:delete.`).waitFor();
    await page.getByRole('definition').getByText('barbara', { exact: true }).waitFor();
    expect(await page.getByRole('textbox').count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Delete…' }).isDisabled()).to.equal(true);
    await keepPicture(page, 'read-only');
    await page.goto(`${stage.address}?new`);
    await page.getByText('To create or change users, you need the scope users:write').waitFor();
    expect((await stage.read(user.id)).meta.version).to.equal(user.meta.version);
  });
});
