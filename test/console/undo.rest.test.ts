import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { setStage, settledList } from './stage.ts';

describe('Changes that are undone in the console', () => {
  const stage = setStage();
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

  /** The list of new users, all selected. */
  async function openSelected(word: string, count: number) {
    const users = [];
    for (let index = 0; index < count; index++)
      users.push(await stage.create({ userName: `${word}-${index}`, title: word }));
    const page = await stage.open({ query: `?search=${word}` });
    await settledList(page);
    await page.getByLabel('Select all on this page').check();
    return { page, users };
  }

  /** Opens the dialog for the newest line of the activity that has the text. */
  async function openUndo(page: Page, text: string) {
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    const line = page.locator('.changes > li', { hasText: text }).first();
    await line
      .getByRole('button', { name: /^Details/ })
      .first()
      .click();
    await line.getByRole('button', { name: 'Undo…' }).first().click();
    return page.getByRole('dialog', { name: 'Undo these changes?' });
  }

  it('are those of a bulk change, except where somebody has changed the same field since', async () => {
    const { page, users } = await openSelected('analyst', 3);
    await press(page, 'Change…');
    const edit = page.getByRole('dialog');
    await edit.getByLabel('Field').selectOption({ label: 'Job title' });
    await edit.getByLabel('Job title: new value').fill('Countess');
    await press(page, 'Change 3 users');
    await page.getByText('3 users changed.').waitFor();
    const [other, elsewhere] = users;
    await stage.patch(other?.id ?? '', { title: 'Duchess' });
    await stage.patch(elsewhere?.id ?? '', { nickName: 'changed since' });
    const dialog = await openUndo(page, 'User changed (3)');
    await dialog.getByText('Can be undone: 2').waitFor();
    const staying = dialog.getByRole('list', { name: 'Stay as they are: 1' });
    expect(await staying.innerText()).to.match(/analyst-0\s+Somebody has changed this since/);
    await press(page, 'Undo 2');
    await page.getByText('Undone', { exact: true }).waitFor();
    const now = await Promise.all(users.map(({ id }) => stage.read(id)));
    expect(now.map(({ title }) => title)).to.deep.equal(['Duchess', 'analyst', 'analyst']);
    expect(now[1]?.nickName).to.equal('changed since');
    // That was an operation, too.
    await (await openUndo(page, 'User changed (2)')).getByText('Can be undone: 2').waitFor();
  });

  it('are those of an import: what it created is deleted', async () => {
    const changed = await stage.create({ userName: 'import-changed', title: 'Analyst' });
    const page = await stage.open({ query: 'import' });
    const buffer = Buffer.from('userName,title\r\nimport-changed,Countess\r\nimport-a,A\r\nimport-b,B\r\n');
    await page.locator('input[type=file]').setInputFiles({ name: 'staff.csv', mimeType: '', buffer });
    await page.getByLabel('Create new entries and change existing ones').check();
    await page.getByLabel('Find existing entries by').selectOption({ label: 'User name' });
    await press(page, /^Import$/);
    await page.getByText('2 created, 1 changed').waitFor();
    const dialog = await openUndo(page, 'User created (2)');
    await dialog.getByText('Can be undone: 3').waitFor();
    expect(await dialog.getByText('User deleted').count()).to.equal(2);
    await press(page, 'Undo 3');
    await page.getByText('Undone', { exact: true }).waitFor();
    expect((await stage.read(changed.id)).title).to.equal('Analyst');
    const { users } = await (await stage.ask('/users?search=import')).json();
    expect(users.map(({ userName }: { userName: string }) => userName)).to.deep.equal(['import-changed']);
    const again = await openUndo(page, 'User created (2)');
    await again
      .getByRole('list', { name: 'Stay as they are: 3' })
      .getByText('Is already as it was')
      .nth(2)
      .waitFor();
  });

  it('are members that were added: those who were members before stay', async () => {
    const { page, users } = await openSelected('joining', 2);
    const group = await stage.createGroup({ displayName: 'Choir' }, [users[0]?.id ?? '']);
    await press(page, 'Add to group…');
    await page.getByRole('combobox', { name: 'Find a group' }).fill('Choir');
    await page.locator('.inline[aria-busy=false] [role=option]', { hasText: 'Choir' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('2 users added to Choir.').waitFor();
    await press(page, 'Undo');
    await page.getByText('Undone', { exact: true }).waitFor();
    const { users: members } = await (await stage.ask(`/users?group=${group.id}`)).json();
    expect(members.map(({ id }: { id: string }) => id)).to.deep.equal([users[0]?.id]);
  });

  it('are a deletion of several users, who come back', async () => {
    const { page, users } = await openSelected('leaving', 2);
    await press(page, 'Delete…');
    await page.getByLabel('Type 2 to confirm').fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 users deleted.').waitFor();
    const dialog = await openUndo(page, 'User deleted (2)');
    await press(page, 'Undo 2');
    await dialog.waitFor({ state: 'detached' });
    for (const { id } of users) expect((await stage.read(id)).title).to.equal('leaving');
    const again = await openUndo(page, 'User deleted (2)');
    const staying = again.getByRole('list', { name: 'Stay as they are: 2' });
    await staying.getByText('Is already as it was before.').first().waitFor();
    expect(await again.getByRole('button', { name: /^Undo/ }).count()).to.equal(0);
  });

  it('are taken back by a key, while the message about them is shown', async () => {
    const { page, users } = await openSelected('keyed', 2);
    await press(page, 'Deactivate…');
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('2 users deactivated.').waitFor();
    await page.keyboard.press('z');
    await page.getByText('Undone', { exact: true }).waitFor();
    for (const { id } of users) expect((await stage.read(id)).active).to.equal(true);
  });
});
