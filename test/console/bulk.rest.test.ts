import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { keepPicture, setStage, settledList } from './stage.ts';

describe('An action on all selected users in the console', () => {
  const stage = setStage();
  let group = 0;

  /** Users that one search finds, and their list. */
  async function openWith(count: number) {
    const word = `bulk${++group}`;
    const users = [];
    for (let index = 0; index < count; index++)
      users.push(await stage.create({ userName: `${word}-${index}`, title: word }));
    const page = await stage.open({ query: `?search=${word}` });
    await settledList(page);
    return { page, users };
  }
  const selectAll = (page: Page) => page.getByLabel('Select all on this page').check();
  const activeOf = async (ids: readonly { id: string }[]) =>
    Promise.all(ids.map(async ({ id }) => (await stage.read(id)).active));

  it('deactivates all users except one that was changed meanwhile, which it names with the reason', async () => {
    const { page, users } = await openWith(12);
    await selectAll(page);
    const [first] = users;
    if (first !== undefined) await stage.patch(first.id, { nickName: 'changed' });
    await page.getByText('12 selected').waitFor();
    await keepPicture(page, 'selected');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const selected = page.getByRole('dialog', { name: 'Selected users' });
    await selected.getByRole('listitem').nth(11).waitFor();
    await selected.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Deactivate 12 users' });
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await dialog.getByText('11 users deactivated, 1 failed.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).waitFor();
    expect(await dialog.getByRole('listitem').allInnerTexts()).to.deep.equal([
      'bulk1-0\nSomebody has changed this user since it was selected, so it was left as it is. Look at it first.',
    ]);
    await keepPicture(page, 'bulk-report');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('1 selected').waitFor();
    expect(await page.getByLabel('Select bulk1-0').isChecked()).to.equal(true);
    expect(await activeOf(users)).to.deep.equal([true, ...Array(11).fill(false)]);
    await page.locator('.pill.off').nth(10).waitFor();
  });

  it('can select and deselect all rows between two with Shift, by mouse and keyboard', async () => {
    const { page } = await openWith(9);
    const box = (index: number) => page.locator('tbody input[type=checkbox]').nth(index);
    await box(6).click();
    await box(2).click({ modifiers: ['Shift'] });
    await page.getByText('5 selected').waitFor();
    await box(8).press('Shift+Space');
    await page.getByText('7 selected').waitFor();
    await box(0).press('Space');
    await box(4).press('Shift+Space');
    await page.getByText('4 selected').waitFor();
    expect(await box(5).isChecked()).to.equal(true);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const leaveOut = page.getByRole('dialog').getByRole('button', { name: /^Leave .* out$/ });
    await leaveOut.first().press('Enter');
    await page.getByText('3 selected').waitFor();
    await leaveOut.first().and(page.locator(':focus')).waitFor();
  });

  it('keeps the selection while one of the users is viewed, changed or deleted', async () => {
    const { page, users } = await openWith(3);
    const open = (index: number) => page.getByRole('link', { name: `${users[index]?.userName}` }).click();
    await selectAll(page);
    await open(0);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Nickname').fill('Looked at');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByText('3 selected').waitFor();
    await open(1);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel('Type the user name to confirm').fill(`${users[1]?.userName}`);
    await page.keyboard.press('Enter');
    await page.getByText('2 selected').waitFor();
    await open(2);
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    await page.goBack();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('2 users deactivated.').waitFor();
  });

  it('deletes all users once their number is typed, also from several pages and searches', async () => {
    const { page, users } = await openWith(3);
    await selectAll(page);
    const other = await stage.create({ userName: 'another' });
    await page.getByRole('searchbox').fill('another');
    await page.getByLabel('Select another').check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 4 users' });
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
    await dialog.getByLabel(/^Type \d to confirm$/).fill('3');
    expect(await confirm.isDisabled()).to.equal(true);
    await dialog.getByLabel(/^Type \d to confirm$/).fill('4');
    await confirm.click();
    await page.getByText('4 users deleted.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('heading', { name: 'No user matches' }).waitFor();
    for (const { id } of [...users, other]) expect((await stage.ask(`/users/${id}`)).status).to.equal(404);
  });

  it('shows its progress, and stops on request', async () => {
    const { page, users } = await openWith(20);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let puts = 0;
    await page.route(/\/users\/[^/]+$/, async (route) => {
      if (route.request().method() === 'PUT' && ++puts > 5) await held;
      await route.continue();
    });
    await selectAll(page);
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await dialog.getByText('5 of 20').waitFor();
    await keepPicture(page, 'bulk-progress');
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByRole('button', { name: 'Stopping…' }).waitFor();
    release();
    // What was under way is brought to its end.
    await dialog.getByText('9 users deactivated, 11 not begun.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('11 selected').waitFor();
    expect((await activeOf(users)).filter((active) => !active)).to.have.length(9);
  });

  it('says how far it came when it is interrupted by Back', async () => {
    const { page, users } = await openWith(12);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let puts = 0;
    await page.route(/\/users\/[^/]+$/, async (route) => {
      if (route.request().method() === 'PUT' && ++puts > 2) await held;
      await route.continue();
    });
    await page.getByText('12 users', { exact: true }).waitFor();
    await selectAll(page);
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await dialog.getByText('2 of 12').waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    release();
    await page
      .getByText('You left before the end. Deactivate 12 users: 6 users deactivated, 6 not begun.')
      .waitFor();
    await page.getByText('6 selected').waitFor();
    expect((await activeOf(users)).filter((active) => !active)).to.have.length(6);
  });

  /** Asks for a change of a field in the dialog that is open. */
  async function choose(page: Page, field: string, operation: string, value?: string) {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption({ label: field });
    await dialog.locator('.segments').getByText(operation, { exact: true }).click();
    const input = dialog.getByLabel(`${field}: `);
    if (value !== undefined) await (operation === 'Remove' ? input.selectOption(value) : input.fill(value));
    await dialog.getByRole('button', { name: /^Change \d/ }).click();
    return dialog;
  }
  const openEdit = (page: Page) => page.getByRole('button', { name: 'Change…' }).click();
  const close = (page: Page) => page.getByRole('button', { name: 'Close' }).click();

  it('can select all matching users on every page, and set a field of each', async () => {
    const { page, users } = await openWith(30);
    const [first] = users;
    if (first !== undefined)
      await stage.patch(first.id, { enterprise: { department: 'Sales', division: 'North' } });
    await page.goto(`${page.url()}&size=10`);
    await settledList(page);
    await selectAll(page);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/users\?.*limit=/, async (route) => {
      await held;
      await route.continue();
    });
    const all = page.getByRole('button', { name: 'Select all 30' });
    await all.press('Enter');
    await page.getByRole('button', { name: 'Stop' }).and(page.locator(':focus')).press('Enter');
    await all.and(page.locator(':focus')).waitFor();
    release();
    await all.press('Enter');
    await page.getByText('30 selected').waitFor();
    expect(await page.getByRole('button', { name: /^Select all/ }).count()).to.equal(0);
    await openEdit(page);
    expect(new URL(page.url()).searchParams.get('dialog')).to.equal('edit');
    await keepPicture(page, 'bulk-edit');
    await choose(page, 'Department', 'Set', 'Sales');
    await page.getByText('29 users changed, 1 needed no change.').waitFor();
    await page.getByText('Department: Set Sales').waitFor();
    await close(page);
    await page.getByText('30 selected').waitFor({ state: 'detached' });
    for (const { id } of users) expect((await stage.read(id)).enterprise?.department).to.equal('Sales');
    expect((await stage.read(first?.id ?? '')).enterprise?.division).to.equal('North');
  });

  it('completes a value that other users have when Enter is pressed after its beginning', async () => {
    const { page, users } = await openWith(2);
    await stage.patch(users[0]?.id ?? '', { enterprise: { department: 'Finance' } });
    await page.reload();
    await settledList(page);
    await selectAll(page);
    await openEdit(page);
    const value = page.getByRole('dialog').getByLabel('Department: ');
    const offered = page.getByRole('dialog').getByRole('option', { name: 'Finance', exact: true });
    await value.pressSequentially('Fin');
    await offered.waitFor();
    await value.press('Enter');
    await offered.waitFor({ state: 'detached' });
    expect(await value.inputValue()).to.equal('Finance');
    await value.press('Enter');
    await page.getByText('1 user changed, 1 needed no change.').waitFor();
    for (const { id } of users) expect((await stage.read(id)).enterprise?.department).to.equal('Finance');
  });

  it('clears a field, adds and removes a role, and sets a manager, without changing anything else', async () => {
    const { page, users } = await openWith(3);
    const boss = await stage.create({ userName: 'boss', displayName: 'Grace Hopper' });
    for (const [index, { id }] of users.entries())
      await stage.patch(id, { roles: ['a', `b${index}`], nickName: 'x' });
    await page.reload();
    await settledList(page);
    const change = async (...[field, operation, value]: [string, string, string?]) => {
      await selectAll(page);
      await openEdit(page);
      await choose(page, field, operation, value);
      await page.getByText(/\d users changed/).waitFor();
      await close(page);
      await settledList(page);
    };
    await change('Roles', 'Add', 'engineer');
    await change('Roles', 'Remove', 'a');
    await change('Time zone', 'Set', 'Europe/Vienna');
    await change('Preferred language', 'Set', 'German');
    await selectAll(page);
    await openEdit(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption({ label: 'Manager' });
    await dialog.getByLabel('Manager: new value').first().fill('grace');
    await dialog.locator('.inline[aria-busy=false] [role=option]', { hasText: 'boss' }).click();
    await dialog.getByRole('button', { name: 'Change 3 users' }).click();
    await page.getByText('3 users changed.').waitFor();
    await close(page);
    await settledList(page);
    await page.getByRole('searchbox').fill('');
    await page.getByRole('searchbox').fill(`bulk${group}`);
    await settledList(page);
    await change('Job title', 'Clear');
    for (const [index, { id }] of users.entries()) {
      const { roles, title, nickName, enterprise, timezone, preferredLanguage } = await stage.read(id);
      expect({ timezone, preferredLanguage }).to.deep.equal({
        timezone: 'Europe/Vienna',
        preferredLanguage: 'de',
      });
      expect({ roles, title, nickName }).to.deep.equal({
        roles: [`b${index}`, 'engineer'],
        title: undefined,
        nickName: 'x',
      });
      expect(enterprise?.manager).to.deep.equal({ value: boss.id, displayName: 'Grace Hopper' });
    }
  });

  it('keeps the focus in the field when an existing value is chosen with the arrow keys', async () => {
    const { page, users } = await openWith(1);
    for (const { id } of users) await stage.patch(id, { userType: 'Contractor' });
    await selectAll(page);
    await openEdit(page);
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption({ label: 'User type' });
    await dialog.getByRole('option', { name: 'Contractor' }).waitFor();
    const field = dialog.getByRole('combobox', { name: 'User type: new value' });
    await field.press('ArrowDown');
    await page.keyboard.press('Enter');
    await field.and(page.locator(':focus')).waitFor();
    expect(await field.inputValue()).to.equal('Contractor');
  });

  it('removes users from a group that is searched by name', async () => {
    const { page, users } = await openWith(4);
    const { id } = await stage.createGroup(
      { displayName: 'Night watch' },
      users.map((user) => user.id),
    );
    await selectAll(page);
    await page.getByRole('button', { name: 'Remove from group…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove 4 users from a group' });
    await dialog.getByLabel('Find a group').first().fill('night');
    await dialog.getByRole('option', { name: 'Night watch' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('4 users removed from Night watch.').waitFor();
    const members = (await (await stage.ask(`/users?group=${id}`)).json()) as { users: unknown[] };
    expect(members.users).to.deep.equal([]);
  });

  it('retries failed users in their current version, and offers them as a table', async () => {
    const { page, users } = await openWith(3);
    await selectAll(page);
    const [first] = users;
    if (first !== undefined) await stage.patch(first.id, { nickName: '=1+1' });
    await openEdit(page);
    const dialog = await choose(page, 'Department', 'Set', 'Research');
    await dialog.getByText('2 users changed, 1 failed.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download as a table' }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8').split('\r\n')).to.deep.equal([
      '\uFEFFID,Name,Reason',
      `${first?.id},${first?.userName},"Somebody has changed this user since it was selected, so it was left as it is. Look at it first."`,
      '',
    ]);
    await dialog.getByRole('button', { name: 'Try the failed ones again' }).click();
    await page.getByText('1 user changed.').waitFor();
    const { nickName, enterprise } = await stage.read(first?.id ?? '');
    expect([nickName, enterprise?.department]).to.deep.equal(['=1+1', 'Research']);
  });

  it("opens no dialog for a selection that exists only in another person's address", async () => {
    const { page } = await openWith(1);
    await page.goto(`${page.url()}&dialog=delete`);
    await settledList(page);
    await page.waitForURL((url) => !url.searchParams.has('dialog'));
    await selectAll(page);
    await page.getByText('1 selected').waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
  });

  it('can be preceded by a comparison of two of them, which shows what differs', async () => {
    const { page, users } = await openWith(2);
    const [mine = '', theirs = ''] = users.map(({ id }) => id);
    await stage.patch(theirs, { displayName: 'Zoë', roles: ['a', 'b'] });
    await stage.createGroup({ displayName: 'Compared by both' }, [mine, theirs]);
    await stage.createGroup({ displayName: 'Compared by one' }, [theirs]);
    await page.reload();
    await settledList(page);
    await selectAll(page);
    await page.getByRole('button', { name: 'Compare' }).click();
    const dialog = page.getByRole('dialog', { name: 'Differences' });
    const [one, other] = users.map(({ userName }) => userName);
    for (const row of [
      `Field Zoë ${one}`,
      `User name ${other} ${one}`,
      'Display name Zoë none',
      'Roles a b none',
      'Other groups Compared by one none',
    ])
      await dialog.getByRole('row', { name: row, exact: true }).waitFor();
    expect(await dialog.getByRole('row').count()).to.equal(5);
    await dialog.getByText('Groups of both: Compared by both').waitFor();
    await keepPicture(page, 'compare');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await dialog.getByRole('link', { name: 'Zoë' }).click();
    await page.getByRole('heading', { name: 'Zoë' }).waitFor();
  });

  it('is taken back by the button beside its result; users that had the value before keep it', async () => {
    const { page, users } = await openWith(3);
    await stage.patch(users[0]?.id ?? '', { active: false });
    await page.reload();
    await settledList(page);
    await selectAll(page);
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('2 users deactivated, 1 needed no change.').waitFor();
    expect(await activeOf(users)).to.deep.equal([false, false, false]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2 undone.').waitFor();
    expect(await activeOf(users)).to.deep.equal([false, true, true]);
    await selectAll(page);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel('Type 3 to confirm').fill('3');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('3 users deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('3 undone.').waitFor();
    await page.locator('.total', { hasText: '3 users' }).waitFor();
    expect(await activeOf(users)).to.deep.equal([false, true, true]);
  });

  it('waits when the service asks for it, and continues', async () => {
    const { page, users } = await openWith(2);
    let refusals = 0;
    await page.route(/\/users\/[^/]+$/, async (route) => {
      if (route.request().method() === 'PUT' && ++refusals <= 2)
        await route.fulfill({ status: 503, headers: { 'Retry-After': '0' }, json: { title: 'busy' } });
      else await route.continue();
    });
    await selectAll(page);
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('2 users deactivated.').waitFor();
    expect(await activeOf(users)).to.deep.equal([false, false]);
  });

  it('recognizes changes that the service made but did not confirm in time', async () => {
    const { page, users } = await openWith(3);
    await page.route(/\/users\/[^/]+$/, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await route.fetch();
      return route.fulfill({ status: 504 });
    });
    await selectAll(page);
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('3 users deactivated.').waitFor();
    expect(await activeOf(users)).to.deep.equal([false, false, false]);
  });

  it('lists the users whose outcome is unknown', async () => {
    const { page } = await openWith(1);
    await page.route(/\/users\/[^/]+$/, async (route) => {
      if (route.request().method() === 'PUT') await route.fulfill({ status: 504, json: {} });
      else await route.continue();
    });
    await selectAll(page);
    await page.getByRole('button', { name: 'Deactivate…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('The user was read again: nothing was changed.').waitFor();
  });
});
