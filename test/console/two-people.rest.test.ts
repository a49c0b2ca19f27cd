import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { scopes as allScopes } from '../../src/domain/scopes.ts';
import { keepPicture, setStage, unfold } from './stage.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
const merging = (page: Page) => page.getByRole('dialog', { name: /Somebody else has changed/ });

describe('A change of one user by two people in the console', () => {
  const stage = setStage();

  async function openNew(userName: string) {
    const user = await stage.create({
      userName,
      title: 'Analyst',
      nickName: 'N',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      roles: ['a', 'b'],
      emails: [{ value: 'ada@example.com' }],
    });
    const page = await stage.open({ query: `?user=${user.id}&tab=edit` });
    await page.getByLabel('Job title').waitFor();
    return { id: user.id, page };
  }

  it('merges what only one side changed, and asks about the rest', async () => {
    const { id, page } = await openNew('merged');
    await page.getByLabel('Job title').fill('Mine');
    await page.getByLabel('Given name').fill('Augusta');
    await unfold(page);
    await page.getByRole('button', { name: 'Remove role 1' }).click();
    await page.getByLabel('User type').fill('employee');
    await stage.patch(id, {
      title: 'Theirs',
      nickName: null,
      name: { familyName: 'King' },
      roles: ['a', 'b', 'c'],
      emails: [{ value: 'king@example.com' }],
    });
    await save(page);
    const dialog = merging(page);
    await dialog.waitFor();
    const title = dialog.getByRole('radiogroup', { name: 'Job title' });
    expect(await title.locator('.version').allInnerTexts()).to.deep.equal([
      'Original\nAnalyst',
      'Theirs\nTheirs',
      'Yours\nMine',
    ]);
    const confirm = dialog.getByRole('button', { name: 'Save this' });
    expect(await confirm.isDisabled()).to.equal(true);
    await dialog.getByText('1 choice left').waitFor();
    await keepPicture(page, 'merge');
    await dialog.getByText('Other changes, merged: 6').click();
    await dialog.getByRole('row', { name: 'Family name Lovelace King Lovelace King' }).waitFor();
    await title.getByLabel('Yours').check();
    await confirm.click();
    await saved(page);
    const { id: sameId, meta, ...now } = await stage.read(id);
    expect(now).to.deep.equal({
      userName: 'merged',
      title: 'Mine',
      name: { givenName: 'Augusta', familyName: 'King' },
      active: true,
      roles: ['b', 'c'],
      emails: [{ value: 'king@example.com' }],
      userType: 'employee',
    });
  });

  it('shows who else changed the user and when, if the scopes allow it', async () => {
    const { id, page } = await openNew('authored');
    await page.getByLabel('Job title').fill('Mine');
    await stage.patch(id, { title: 'First' });
    await stage.patch(id, { title: 'Theirs' });
    await save(page);
    await merging(page).getByRole('listitem').filter({ hasText: 'by development' }).waitFor();
    expect(await merging(page).locator('.authors li').count()).to.equal(1);

    const scopes = allScopes.filter((scope) => scope !== 'history:read');
    const other = await stage.open({ query: `?user=${id}&tab=edit`, scopes });
    await other.getByLabel('Job title').fill('Mine');
    await stage.patch(id, { title: 'Another' });
    await save(other);
    await merging(other).getByText('Changed after you opened it:').locator('time').waitFor();
    expect(await merging(other).locator('.authors').count()).to.equal(0);
  });

  it('shows the result before it is saved, also when there is nothing to decide', async () => {
    const { id, page } = await openNew('apart');
    await page.getByLabel('Job title').fill('Mine');
    const theirs = await stage.patch(id, { nickName: 'Theirs' });
    await save(page);
    await merging(page).getByRole('row', { name: 'Nickname N Theirs N Theirs' }).waitFor();
    expect((await stage.read(id)).meta.version).to.equal(theirs.meta.version);
    await merging(page).getByRole('button', { name: 'Continue in the form' }).click();
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('Theirs');
    expect(await page.getByLabel('Job title').inputValue()).to.equal('Mine');
    await save(page);
    await saved(page);
    const { title, nickName } = await stage.read(id);
    expect({ title, nickName }).to.deep.equal({ title: 'Mine', nickName: 'Theirs' });
  });

  it('asks again when another person is faster once more', async () => {
    const { id, page } = await openNew('again');
    await page.getByLabel('Job title').fill('Mine');
    await stage.patch(id, { title: 'First' });
    await save(page);
    await merging(page).getByLabel('Yours').check();
    await stage.patch(id, { title: 'Second' });
    await merging(page).getByRole('button', { name: 'Save this' }).click();
    await merging(page).getByText('Second').waitFor();
    await merging(page).getByLabel('Theirs').check();
    await merging(page).getByRole('button', { name: 'Save this' }).click();
    await saved(page);
    expect((await stage.read(id)).title).to.equal('Second');
  });

  it('can be resolved in favour of the other person', async () => {
    const { id, page } = await openNew('dropped');
    await page.getByLabel('Job title').fill('Mine');
    const { meta } = await stage.patch(id, { title: 'Theirs' });
    await save(page);
    await merging(page).getByRole('button', { name: 'Discard my changes' }).click();
    expect(await page.getByLabel('Job title').inputValue()).to.equal('Theirs');
    expect((await stage.read(id)).meta.version).to.equal(meta.version);
  });

  it('still allows to deactivate the user', async () => {
    const { id, page } = await openNew('leaver');
    await stage.patch(id, { title: 'Theirs' });
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await merging(page)
      .getByRole('row', { name: /^Status/ })
      .waitFor();
    await merging(page).getByRole('button', { name: 'Save this' }).click();
    await saved(page);
    const { active, title } = await stage.read(id);
    expect({ active, title }).to.deep.equal({ active: false, title: 'Theirs' });
    await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  });

  it('stays open until it is answered, however often Escape is pressed', async () => {
    const { id, page } = await openNew('escaped');
    await page.getByLabel('Job title').fill('Mine');
    await stage.patch(id, { nickName: 'Theirs' });
    await save(page);
    await merging(page).waitFor();
    // Chromium lets a page refuse Escape only so many times.
    for (let times = 0; times < 6; times++) await page.keyboard.press('Escape');
    await merging(page).getByRole('button', { name: 'Save this' }).click();
    await saved(page);
    const { title, nickName } = await stage.read(id);
    expect({ title, nickName }).to.deep.equal({ title: 'Mine', nickName: 'Theirs' });
  });

  it('asks again after a reload, but opens only the form for a colleague with the same address', async () => {
    const { id, page } = await openNew('reloaded-conflict');
    await page.getByLabel('Job title').fill('Mine');
    await stage.patch(id, { title: 'Theirs' });
    await save(page);
    await merging(page).waitFor();
    expect(page.url()).to.contain('dialog=conflict');
    const colleague = await stage.open({ query: new URL(page.url()).search });
    await colleague.getByLabel('Job title').waitFor();
    await colleague.waitForURL((url) => !url.search.includes('dialog'));
    expect(await colleague.getByLabel('Job title').inputValue()).to.equal('Theirs');
    await page.reload();
    await merging(page).getByLabel('Yours').check();
    await merging(page).getByRole('button', { name: 'Save this' }).click();
    await saved(page);
    expect((await stage.read(id)).title).to.equal('Mine');
    expect(page.url()).to.not.contain('dialog');
  });

  it('prevents a deletion until the change was shown', async () => {
    const { id, page } = await openNew('changed-before-deletion');
    await stage.patch(id, { title: 'Indispensable' });
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Delete .*\?$/ });
    await dialog.getByLabel('Type the user name to confirm').fill('changed-before-deletion');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText('Somebody has changed this user in the meantime').waitFor();
    expect((await stage.ask(`/users/${id}`)).status).to.equal(200);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Job title').inputValue()).to.equal('Indispensable');
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog.getByLabel('Type the user name to confirm').fill('changed-before-deletion');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('was deleted.').waitFor();
  });

  it('keeps the input when the user was changed before its deletion', async () => {
    const { id, page } = await openNew('changed-and-typed');
    await page.getByLabel('Job title').fill('Mine');
    await stage.patch(id, { nickName: 'Theirs' });
    await page.getByRole('button', { name: 'Delete…' }).click();
    const deletion = page.getByRole('dialog', { name: /^Delete .*\?$/ });
    await deletion.getByLabel('Type the user name to confirm').fill('changed-and-typed');
    await deletion.getByRole('button', { name: 'Delete', exact: true }).click();
    await merging(page).getByRole('button', { name: 'Continue in the form' }).click();
    await deletion.getByText('Nothing was deleted.').waitFor();
    await deletion.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Job title').inputValue()).to.equal('Mine');
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('Theirs');
    await save(page);
    await saved(page);
    const { title, nickName } = await stage.read(id);
    expect({ title, nickName }).to.deep.equal({ title: 'Mine', nickName: 'Theirs' });
  });

  it('offers to create the user again after a deletion', async () => {
    const { id, page } = await openNew('gone');
    await page.getByLabel('Job title').fill('Mine');
    expect((await stage.ask(`/users/${id}`, { method: 'DELETE' })).status).to.equal(204);
    await save(page);
    await page
      .getByRole('alert')
      .filter({ hasText: 'Somebody has deleted this user in the meantime' })
      .waitFor();
    await page.getByRole('button', { name: 'Create it again with your data' }).click();
    await page.getByRole('status').filter({ hasText: 'Created again' }).waitFor();
    const { title, roles } = await stage.read(id);
    expect({ title, roles }).to.deep.equal({ title: 'Mine', roles: ['a', 'b'] });
  });
});
