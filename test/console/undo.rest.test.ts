import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { keepPicture, setStage, settledList } from './stage.ts';

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

  /** Opens the newest line of the activity that has the text. */
  async function openLine(page: Page, text: string) {
    const line = page.locator('.changes > li', { hasText: text }).first();
    await line
      .getByRole('button', { name: /^Details/ })
      .first()
      .click();
    return line;
  }

  /** Opens the dialog for the newest line of the activity that has the text. */
  async function openUndo(page: Page, text: string) {
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    const line = await openLine(page, text);
    await line.getByRole('button', { name: 'Undo…' }).first().click();
    return page.getByRole('dialog', { name: 'Undo these changes?' });
  }

  it('are those of a bulk change, except where somebody has changed the same field since', async () => {
    const { page, users } = await openSelected('analyst', 3);
    await stage.patch(users[2]?.id ?? '', { title: 'Baroness' });
    await page.reload();
    await settledList(page);
    await page.getByLabel('Select all on this page').check();
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
    await page.getByText('2 undone.', { exact: true }).waitFor();
    const now = await Promise.all(users.map(({ id }) => stage.read(id)));
    expect(now.map(({ title }) => title)).to.deep.equal(['Duchess', 'analyst', 'Baroness']);
    expect(now[1]?.nickName).to.equal('changed since');
    // That was an operation, too, and can be undone until it is; the first one then is no longer undone.
    const undo = await openUndo(page, 'User changed (2)');
    await undo.getByText('Can be undone: 2').waitFor();
    await press(page, 'Undo 2');
    await undo.waitFor({ state: 'detached' });
    const rows = page.locator('.changes > li .what', { hasText: /User changed \(\d\)/ });
    await rows.nth(2).waitFor();
    // The marks follow the lines.
    await rows.first().filter({ hasNotText: 'Undone' }).waitFor();
    await rows
      .nth(1)
      .filter({ hasText: /Undone \d+:\d+ by/ })
      .waitFor();
    const [again, undone, first] = await rows.allInnerTexts();
    expect(again).to.match(/^User changed \(2\) Job title → Countess\s*$/);
    expect(undone).to.match(/^User changed \(2\) Job title Countess → different values\s+Undone/);
    expect(first).to.match(/^User changed \(3\) Job title → Countess\s*$/);
  });

  it('are a part of a manager: the name in text becomes a user of the same name, and is text again', async () => {
    const text = { displayName: 'Grace Hopper' };
    const { id } = await stage.create({ userName: 'reports', enterprise: { manager: text } });
    const boss = await stage.create({ userName: 'grace', displayName: 'Grace Hopper' });
    const request = crypto.randomUUID();
    const changed = await stage.ask(`/users/${id}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/merge-patch+json', 'X-Request-Id': request },
      body: JSON.stringify({ enterprise: { manager: { value: boss.id } } }),
    });
    expect(changed.status).to.equal(200);
    const page = await stage.open();
    const dialog = await openUndo(page, 'reports');
    await dialog.getByText('Can be undone: 1').waitFor();
    await press(page, 'Undo 1');
    await page.getByText('1 undone.', { exact: true }).waitFor();
    expect((await stage.read(id)).enterprise?.manager).to.deep.equal(text);
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
    const colleague = await stage.open({ query: 'activity' });
    const overtaken = await openLine(colleague, 'User created (2)');
    const dialog = await openUndo(page, 'User created (2)');
    await dialog.getByText('Can be undone: 3').waitFor();
    expect(await dialog.getByText('User deleted').count()).to.equal(2);
    await press(page, 'Undo 3');
    await page.getByText('3 undone.', { exact: true }).waitFor();
    expect((await stage.read(changed.id)).title).to.equal('Analyst');
    const { users } = await (await stage.ask('/users?search=import')).json();
    expect(users.map(({ userName }: { userName: string }) => userName)).to.deep.equal(['import-changed']);
    await page.locator('.what', { hasText: /User created \(2\)\s+User deleted \d+:\d+ by/ }).waitFor();
    // Whose list is older learns it from the dialog.
    await overtaken.getByRole('button', { name: 'Undo…' }).click();
    const again = colleague.getByRole('dialog', { name: 'Already undone' });
    expect(await again.getByRole('list', { name: 'Stay as they are: 3' }).getAttribute('class')).to.equal(
      'names',
    );
    expect(await again.getByText('Is already as it was before.').count()).to.equal(3);
    expect(await again.getByRole('button', { name: /^Undo/ }).count()).to.equal(0);
  });

  it('are marked although a filter hides who undid them, until the undo is undone, too', async () => {
    const { id } = await stage.create({ userName: 'hidden-undo', title: 'Analyst' });
    const page = await stage.open({ query: 'activity?type=user.created&label=hidden-undo' });
    const created = page.locator('.changes > li', { hasText: 'User created' });
    await created.waitFor();
    expect(await page.getByText(/ by /).count()).to.equal(0);
    await stage.ask(`/users/${id}`, { method: 'DELETE' });
    await page.reload();
    await created.getByText(/User deleted \d+:\d+ by development/).waitFor();
    await page.goto(`${stage.address}activity?type=user.deleted&label=hidden-undo`);
    await page.getByRole('button', { name: 'Restore…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('hidden-undo was restored.').waitFor();
    await page.goBack();
    await page.getByText(/User restored \d+:\d+ by/).waitFor();
    expect(await page.getByRole('button', { name: 'Restore…' }).count()).to.equal(0);
    const history = page.waitForResponse((response) => response.url().includes(`/history?id=${id}`));
    await page.goto(`${stage.address}activity?type=user.created&label=hidden-undo`);
    await created.waitFor();
    await (await history).finished();
    expect(await created.getByText(/ by /).count()).to.equal(0);
  });

  it('are members that were added; earlier members stay', async () => {
    const { page, users } = await openSelected('joining', 2);
    const group = await stage.createGroup({ displayName: 'Choir' }, [users[0]?.id ?? '']);
    await press(page, 'Add to group…');
    await page.getByRole('combobox', { name: 'Find a group' }).fill('Choir');
    await page.locator('.inline[aria-busy=false] [role=option]', { hasText: 'Choir' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('2 users added to Choir.').waitFor();
    await press(page, 'Undo');
    await page.getByText('1 undone.', { exact: true }).waitFor();
    const { users: members } = await (await stage.ask(`/users?group=${group.id}`)).json();
    expect(members.map(({ id }: { id: string }) => id)).to.deep.equal([users[0]?.id]);
  });

  it('are all that a line shows of the members of a group, also by several requests', async () => {
    const group = await stage.createGroup({ displayName: 'Quartet' });
    const ids: string[] = [];
    for (const userName of ['violin', 'viola', 'cello']) ids.push((await stage.create({ userName })).id);
    for (const id of ids) await stage.ask(`/groups/${group.id}/members/${id}`, { method: 'PUT' });
    const page = await stage.open();
    const dialog = await openUndo(page, 'Quartet');
    await dialog.getByText('Can be undone: 1').waitFor();
    expect(await dialog.getByRole('list', { name: 'Can be undone: 1' }).innerText()).to.match(/−3$/);
    await press(page, 'Undo 1');
    await page.getByText('1 undone.', { exact: true }).waitFor();
    const { users: members } = await (await stage.ask(`/users?group=${group.id}`)).json();
    expect(members).to.deep.equal([]);
  });

  it('are a deletion by a person who sees no groups: the user is in the groups again', async () => {
    const { id } = await stage.create({ userName: 'grouped-leaver' });
    const group = await stage.createGroup({ displayName: 'Unseen' }, [id]);
    const deleteBy = async (scopes: readonly string[]) => {
      const page = await stage.open({ query: `?user=${id}`, scopes });
      await press(page, 'Delete…');
      await page.getByLabel('Type the user name to confirm').fill('grouped-leaver');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('grouped-leaver was deleted.').waitFor();
      return page;
    };
    const page = await deleteBy(['users:read', 'users:write', 'users:delete', 'history:read']);
    await press(page, 'Undo');
    await page.getByText('grouped-leaver was restored.').waitFor();
    const { users: members } = await (await stage.ask(`/users?group=${group.id}`)).json();
    expect(members).to.have.length(1);
    // The service restores nothing without the scope history:read.
    const other = await deleteBy(['users:read', 'users:write', 'users:delete']);
    expect(await other.getByRole('button', { name: 'Undo' }).count()).to.equal(0);
  });

  it('are a deletion of several users, who come back', async () => {
    const { page, users } = await openSelected('leaving', 5);
    await press(page, 'Delete…');
    await page.getByLabel('Type 5 to confirm').fill('5');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('5 users deleted.').waitFor();
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('link', { name: 'Deleted', exact: true }).click();
    const deleted = await openLine(page, 'User deleted (5)');
    const whom = deleted.locator('.whom').first();
    expect(await whom.innerText()).to.match(/^leaving-\d, leaving-\d, leaving-\d and 2 more$/);
    expect(await deleted.locator('li').getByRole('button', { name: 'Restore…' }).count()).to.equal(5);
    await keepPicture(page, 'deleted-together');
    await deleted.getByRole('button', { name: 'Restore…' }).first().click();
    await page.getByText('Can be undone: 5').waitFor();
    await press(page, 'Undo 5');
    await deleted.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'All changes' }).click();
    for (const { id } of users) expect((await stage.read(id)).title).to.equal('leaving');
    const deletion = await openLine(page, 'User deleted (5)');
    await deletion.locator('.what', { hasText: /\(5\)\s+User restored \d+:\d+ by/ }).waitFor();
    expect(await deletion.getByRole('button', { name: /^(Undo|Restore)…/ }).count()).to.equal(0);
  });

  it('are taken back by a key, while the message about them is shown', async () => {
    const { page, users } = await openSelected('keyed', 2);
    await press(page, 'Deactivate…');
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('2 users deactivated.').waitFor();
    await page.keyboard.press('z');
    await page.getByText('2 undone.', { exact: true }).waitFor();
    for (const { id } of users) expect((await stage.read(id)).active).to.equal(true);
  });
});
