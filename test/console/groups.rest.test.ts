import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { keepPicture, setStage, settledList } from './stage.ts';

describe('Groups in the console, in detail', () => {
  const stage = setStage();
  const people: string[] = [];

  before('users are made', async () => {
    for (let index = 0; index < 20; index++)
      people.push((await stage.create({ userName: `person${String(index).padStart(2, '0')}` })).id);
  });

  const countOf = async (path: string): Promise<number> =>
    ((await (await stage.ask(`${path}&total=true&limit=1`)).json()) as { total: number }).total;
  const total = (page: Page, text: string) => page.locator('.total', { hasText: text }).waitFor();

  /** The dialog in which all users of the list have been told to join the group. */
  async function joinAll(name: string) {
    const page = await stage.open({ query: '?search=person' });
    await total(page, '20 users');
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Add to group…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Find a group').first().fill(name);
    await dialog.getByRole('listbox', { name: 'Find a group' }).getByRole('option', { name }).click();
    return { page, dialog, start: () => dialog.getByRole('button', { name: 'Add', exact: true }).click() };
  }

  it('show the first groups of a user, and link to all of them', async () => {
    const user = await stage.create({ userName: 'joiner' });
    for (let index = 0; index < 103; index++)
      await stage.createGroup({ displayName: `Team ${String(index).padStart(3, '0')}` }, [user.id]);
    const page = await stage.open({ query: `?user=${user.id}&tab=groups` });
    const groups = page.getByRole('region', { name: 'Groups' });
    await groups.getByRole('link', { name: 'Team 099' }).waitFor();
    expect(await groups.getByRole('link', { name: /^Team/ }).count()).to.equal(100);
    await groups.getByRole('link', { name: 'All groups of this user' }).click();
    await page.locator('.chip', { hasText: 'Member: joiner' }).waitFor();
    await total(page, '103 groups');
    await page.getByRole('searchbox', { name: 'Search groups' }).fill('team 007');
    await total(page, '1 group');
    await page.getByRole('link', { name: 'Team 007' }).click();
    await page.getByRole('heading', { name: 'Team 007' }).waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await total(page, '1 group');
    await page.goBack();
    await page.getByRole('heading', { name: 'Team 007' }).waitFor();
  });

  it('stop adding users on request, and continue later', async () => {
    const { id } = await stage.createGroup({ displayName: 'Stopped' });
    const { page, dialog, start } = await joinAll('Stopped');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let puts = 0;
    await page.route(/\/members\//, async (route) => {
      if (++puts > 5) await held;
      await route.continue();
    });
    await start();
    await dialog.getByText('5 of 20').waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByRole('button', { name: 'Stopping…' }).waitFor();
    release();
    await dialog.getByText(/^9 users (added to|removed from) .*, 11 not begun\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('11 selected').waitFor();
    expect(await countOf(`/users?group=${id}`)).to.equal(9);
  });

  it('repeat a change of members with an unknown outcome, and name users that no longer exist', async () => {
    const gone = await stage.create({ userName: 'person99' });
    const { id } = await stage.createGroup({ displayName: 'Unanswered' });
    const page = await stage.open({ query: '?search=person9' });
    await settledList(page);
    await page.getByLabel('Select person99').check();
    await page.getByRole('searchbox').fill('person0');
    await total(page, '10 users');
    await page.getByLabel('Select all on this page').check();
    await stage.ask(`/users/${gone.id}`, { method: 'DELETE' });
    let unanswered = 0;
    await page.route(/\/members\//, async (route) => {
      if (unanswered++ > 2) return route.continue();
      await route.fetch();
      return route.fulfill({ status: 504, headers: { 'Retry-After': '0' } });
    });
    await page.getByRole('button', { name: 'Add to group…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Find a group').first().fill('unans');
    await dialog.getByRole('option', { name: 'Unanswered' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('10 users added to Unanswered, 1 failed.').waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).to.have.length(1);
    await dialog.getByText('User not found').waitFor();
    expect(await countOf(`/users?group=${id}`)).to.equal(10);
  });

  it('merge two changes of a group, and delete it once its name is typed', async () => {
    const { id } = await stage.createGroup(
      { displayName: 'Merged', description: 'Before' },
      people.slice(0, 2),
    );
    const page = await stage.open({ query: `groups?group=${id}` });
    await total(page, '2 members');
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('textbox', { name: 'External ID' }).fill('mine');
    await stage.ask(`/groups/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: JSON.stringify({ description: 'Theirs' }),
    });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const merge = page.getByRole('dialog', { name: /Somebody else has changed/ });
    await merge.getByRole('button', { name: 'Save this' }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    const saved = await (await stage.ask(`/groups/${id}`)).json();
    expect(saved).to.deep.include({ externalId: 'mine', description: 'Theirs', memberCount: 2 });

    await page.getByRole('button', { name: 'Delete…' }).click();
    const deletion = page.getByRole('dialog', { name: 'Delete Merged?' });
    await deletion.getByText('The members stay in the directory.').waitFor();
    const confirm = deletion.getByRole('button', { name: 'Delete', exact: true });
    expect(await confirm.isDisabled()).to.equal(true);
    await deletion.getByLabel('Type the group name to confirm').fill('Merged');
    await confirm.click();
    await page.getByText('Merged was deleted.').waitFor();
    expect((await stage.ask(`/groups/${id}`)).status).to.equal(404);
    expect((await stage.ask(`/users/${people[0]}`)).status).to.equal(200);
  });

  it('are deleted when selected, once their number is typed', async () => {
    for (const name of ['Old one', 'Old two']) await stage.createGroup({ displayName: name });
    const page = await stage.open({ query: 'groups?search=old' });
    await total(page, '2 groups');
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 groups' });
    await keepPicture(page, 'groups-deletion');
    await dialog.getByLabel(/^Type \d+ to confirm$/).fill('2');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('2 groups deleted.').waitFor();
    await page.getByRole('heading', { name: 'No group matches' }).waitFor();
  });

  it('say beside the field that a name is taken, and keep the input', async () => {
    await stage.createGroup({ displayName: 'Taken' });
    const page = await stage.open({ query: 'groups?new' });
    await page.getByLabel('Group name').fill('TAKEN');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('.form-field', { hasText: 'Group name' }).locator('.mistake').waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('link', { name: 'Unsaved: TAKEN' }).click();
    expect(await page.getByLabel('Group name').inputValue()).to.equal('TAKEN');
  });

  it('get members with the keyboard only', async () => {
    const { id } = await stage.createGroup({ displayName: 'Typed' });
    const page = await stage.open({ query: `groups?group=${id}` });
    await page.getByRole('button', { name: 'Add members…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('person05');
    await page.locator('.inline[aria-busy=false] [role=option]:only-child').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add 1 user' }).waitFor();
    for (let step = 0; step < 3; step++) {
      await page.keyboard.press('Tab');
      if (await page.getByRole('button', { name: 'Add 1 user' }).and(page.locator(':focus')).count()) break;
    }
    await page.keyboard.press('Enter');
    await page.getByText(/^1 user added to /).waitFor();
    expect(await countOf(`/users?group=${id}`)).to.equal(1);
  });

  it('show the longest names on the narrowest screens', async () => {
    const displayName = 'x'.repeat(256);
    const { id } = await stage.createGroup({ displayName, description: displayName }, people.slice(0, 1));
    const browser = { viewport: { width: 320, height: 760 } };
    const isSideways = 'document.documentElement.scrollWidth > innerWidth';
    for (const query of [
      'groups?search=xxx',
      `groups?group=${id}`,
      `?user=${people[0]}&tab=groups`,
      `?group=${id}`,
    ]) {
      const page = await stage.open({ query, browser });
      await page.getByText(displayName).first().waitFor();
      expect(await page.evaluate(isSideways), query).to.equal(false);
      const isCut =
        "[...document.querySelectorAll('.who bdi')].some((name) => name.getBoundingClientRect().right > innerWidth)";
      expect(await page.evaluate(isCut), query).to.equal(false);
    }
    const page = await stage.open({ query: `groups?group=${id}`, browser });
    await page.getByRole('button', { name: 'Add members…' }).click();
    await page.getByRole('dialog').getByRole('option', { name: 'person00' }).click();
    await keepPicture(page, 'group-long-name-320');
    const dialog = "document.querySelector('dialog')";
    expect(await page.evaluate(`${dialog}.scrollWidth > ${dialog}.clientWidth`)).to.equal(false);
  });

  it('say that the credentials do not let the person see the group in the address', async () => {
    const { id } = await stage.createGroup({ displayName: 'Hidden' }, [people[0] ?? '']);
    const page = await stage.open({ query: `?group=${id}`, scopes: ['users:read'] });
    await page.getByRole('alert').filter({ hasText: 'groups:read' }).waitFor();
    await page.locator('.chip', { hasText: id }).waitFor();
    expect(await page.locator('tbody tr').count()).to.equal(0);
  });
});
