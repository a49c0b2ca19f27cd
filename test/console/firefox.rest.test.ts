import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { columnOf, setStage, settledList } from './stage.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
const title = (page: Page) => page.getByLabel('Job title', { exact: true });

describe('The console in Firefox', () => {
  const stage = setStage({}, undefined, undefined, 'firefox-esr');

  it('signs in, finds a user while typing, changes it by the keyboard and signs out', async () => {
    const { id } = await stage.create({ userName: 'oz', displayName: 'Søren Öztürk' });
    await stage.create({ userName: 'ada', displayName: 'Ada Lovelace' });
    const page = await stage.open({ anonymous: true });
    await page.getByLabel('Token').fill(await stage.service.token());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await settledList(page);
    await page.keyboard.press('/');
    await page.keyboard.type('soren oz');
    await page.locator('.total', { hasText: '1 user' }).waitFor();
    await settledList(page);
    await page.getByRole('link', { name: 'Søren Öztürk' }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await title(page).fill('Analyst');
    await page.keyboard.press('Enter');
    await saved(page);
    expect((await stage.read(id)).title).to.equal('Analyst');
    await page.locator('.account summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it('merges the changes of two people, and names the author of the other changes', async () => {
    const { id } = await stage.create({ userName: 'merged', title: 'Analyst' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await title(page).fill('Mine');
    await stage.patch(id, { title: 'Theirs', nickName: 'Theirs' });
    await save(page);
    const dialog = page.getByRole('dialog', { name: /Somebody else has changed/ });
    await dialog.getByRole('listitem').filter({ hasText: 'by development' }).waitFor();
    await dialog.getByLabel('Yours').check();
    await dialog.getByRole('button', { name: 'Save this' }).click();
    await saved(page);
    const { title: now, nickName } = await stage.read(id);
    expect({ now, nickName }).to.deep.equal({ now: 'Mine', nickName: 'Theirs' });
  });

  it('shows the history of a user, and restores an old value', async () => {
    const { id } = await stage.create({ userName: 'restored', title: 'Analyst' });
    await stage.patch(id, { title: 'Countess' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Restore Job title' }).click();
    await page.getByText('Old value restored in the form: Job title.').waitFor();
    await save(page);
    await saved(page);
    expect((await stage.read(id)).title).to.equal('Analyst');
  });

  it('deactivates all selected users, and opens the page that Back leads to', async () => {
    const users = [];
    for (let index = 0; index < 5; index++) users.push(await stage.create({ userName: `bulk-${index}` }));
    const page = await stage.open({ query: '?search=bulk&sort=userName' });
    await settledList(page);
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByText('5 users deactivated.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    for (const { id } of users) expect((await stage.read(id)).active).to.equal(false);
    await page.getByRole('link', { name: 'bulk-3' }).click();
    await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
    await page.goBack();
    await settledList(page);
    expect(await columnOf(page)).to.deep.equal(users.map(({ userName }) => userName));
  });
});
