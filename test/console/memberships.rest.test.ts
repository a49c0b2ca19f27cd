import { expect } from 'chai';
import { pick, setGroupsStage, total } from './groups-stage.ts';
import { keepPicture, settledList, userNamesOf } from './stage.ts';

describe('Groups and their members in the console', () => {
  const { stage, people, open, membersOf } = setGroupsStage();

  it('get no member from an Enter followed by more typing, and one member from an Enter that is held down', async () => {
    const { id } = await stage.createGroup({ displayName: 'Keys' });
    const page = await open(`groups?group=${id}`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/users\?.*limit=72/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Add members…' }).click();
    const picker = page.getByRole('dialog').locator('.inline[aria-busy=false]');
    const box = page.getByRole('combobox', { name: 'Find users' });
    await box.fill('person0');
    await box.press('Enter');
    await box.press('7');
    release();
    await picker.locator('[role=option]:only-child', { hasText: 'person07' }).waitFor();
    await box.press('Backspace');
    await picker.locator('[role=option]', { hasText: 'person00' }).waitFor();
    const add = page.getByRole('dialog').locator('button[type=submit]');
    expect(await add.innerText()).to.equal('Add');
    for (let key = 0; key < 3; key++) await page.keyboard.down('Enter');
    await page.getByRole('button', { name: 'Leave person00 out' }).waitFor();
    expect(await add.innerText()).to.equal('Add 1 user');
  });

  it('are offered by name first, before users whose title or department has the words', async () => {
    for (let at = 0; at < 30; at += 1)
      await stage.create({ userName: `titled${at}`, displayName: `Bo ${at}`, title: 'Zink lead of schools' });
    await stage.create({ userName: 'z.named', displayName: 'Zoë Zink-Schön', title: 'Clerk' });
    const { id } = await stage.createGroup({ displayName: 'Named first' });
    const page = await open(`groups?group=${id}`);
    await page.getByRole('button', { name: 'Add members…' }).click();
    await page.getByRole('combobox', { name: 'Find users' }).fill('zink sch');
    const options = page.getByRole('dialog').getByRole('option');
    await options.first().filter({ hasText: 'Zoë Zink-Schön' }).waitFor();
    expect(await options.count()).to.equal(24);
    await page.getByText('Type to see more.').waitFor();
  });

  it('are shown for a user, who can be added to another group, and linked', async () => {
    const [, , third = ''] = people;
    await stage.createGroup({ displayName: 'Readers' }, [third]);
    const writers = await stage.createGroup({ displayName: 'Writers' });
    const page = await open(`?user=${third}&tab=groups`);
    const groups = page.getByRole('region', { name: 'Groups' });
    await groups.getByRole('link', { name: 'Readers' }).waitFor();
    await groups.getByRole('button', { name: 'Add to group…' }).click();
    await pick(page, 'Find a group', 'wri', 'Writers');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 user added to Writers.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await keepPicture(page, 'user-with-groups');
    await groups.getByRole('link', { name: 'Writers' }).click();
    await page.getByRole('heading', { name: 'Writers' }).waitFor();
    await total(page, '1 member');
    await settledList(page);
    expect(await userNamesOf(page)).to.deep.equal(['person02']);
    expect(await membersOf(writers.id)).to.deep.equal(['person02']);
    await page.getByRole('link', { name: 'Ada 2' }).click();
    await page.getByRole('heading', { name: 'Ada 2' }).waitFor();
  });

  it('can be left on the page of a user, which says since when the user is a member and who made it one', async () => {
    const [, , , fourth = ''] = people;
    const { id } = await stage.createGroup({ displayName: 'Left at once', description: 'Soon' }, [fourth]);
    const page = await open(`?user=${fourth}&tab=groups`);
    const row = page
      .getByRole('region', { name: 'Groups' })
      .getByRole('listitem')
      .filter({ hasText: 'Left at once' });
    await row.getByText(/^Added .* by development$/).waitFor();
    await row.getByRole('button', { name: 'Remove from Left at once' }).click();
    await page.getByText('Ada 3 was removed from Left at once.').waitFor();
    await row.waitFor({ state: 'detached' });
    expect(await membersOf(id)).to.deep.equal([]);
  });

  it('are reached from a member by Back, with their search, also after a tab, a dialog and a reload', async () => {
    const { id } = await stage.createGroup({ displayName: 'Way back' }, people.slice(0, 3));
    const page = await open(`groups?group=${id}`);
    const back = (name: string) => page.getByRole('link', { name, exact: true });
    await page.getByRole('searchbox', { name: 'Search members' }).fill('person01');
    await total(page, '1 member');
    await page.getByRole('link', { name: 'Ada 1', exact: true }).click();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await back('Back to the group').click();
    await page.getByRole('heading', { name: 'Way back' }).waitFor();
    await total(page, '1 member');
    await page.getByRole('link', { name: 'Ada 1', exact: true }).and(page.locator(':focus')).click();
    await back('Back to the group').waitFor();
    await page.reload();
    await back('Back to the group').click();
    await page.getByRole('heading', { name: 'Way back' }).waitFor();
    await back('Back to the list').click();
    await page.getByRole('link', { name: 'New group' }).waitFor();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('link', { name: 'Ada 1', exact: true }).click();
    await page.getByRole('link', { name: /^Groups \(/ }).click();
    await page.getByRole('region', { name: 'Groups' }).getByRole('link', { name: 'Way back' }).click();
    await page.getByRole('heading', { name: 'Way back' }).waitFor();
    await back('Back to the list').click();
    await page.getByRole('link', { name: 'New group' }).waitFor();
    const colleague = await open(`?user=${people[0]}&tab=groups`);
    await colleague.getByRole('link', { name: 'Back to the list', exact: true }).click();
    await colleague.getByRole('link', { name: 'New user' }).waitFor();
  });

  it('are shown again after the deletion of a member', async () => {
    const { id: leaver } = await stage.create({ userName: 'leaver', displayName: 'Lea Leaver' });
    const { id } = await stage.createGroup({ displayName: 'Left' }, [leaver]);
    const page = await open(`groups?group=${id}`);
    await page.getByRole('link', { name: 'Lea Leaver' }).click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel('Type the user name to confirm').fill('leaver');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'Left', exact: true }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Lea Leaver was deleted.' }).waitFor();
    await page.getByText('This group has no members').waitFor();
  });

  it('are added by Enter, as chosen users are', async () => {
    const [first = ''] = people;
    const { id } = await stage.createGroup({ displayName: 'Entered' });
    await stage.createGroup({ displayName: 'Entered by mistake' });
    const page = await open(`?user=${first}&tab=groups`);
    await page.getByRole('button', { name: 'Add to group…' }).click();
    const finder = page.getByRole('combobox', { name: 'Find a group' });
    await finder.fill('entered');
    await finder.press('Enter');
    await page.getByRole('button', { name: 'Leave Entered out' }).waitFor();
    await finder.press('Enter');
    await page.getByText('1 user added to Entered.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await membersOf(id)).to.deep.equal(['person00']);
    const members = await open(`groups?group=${id}`);
    await members.getByRole('button', { name: 'Add members…' }).click();
    const box = members.getByRole('combobox', { name: 'Find users' });
    for (const name of ['person05', 'person06']) {
      await box.fill(name);
      await box.press('Enter');
      await members.getByRole('button', { name: `Leave ${name} out` }).waitFor();
    }
    await box.press('Enter');
    await members.getByText(/^2 users added to /).waitFor();
    expect(await membersOf(id)).to.deep.equal(['person00', 'person05', 'person06']);
  });

  it('get the users of a pasted list, in which members are marked and unknown names are reported', async () => {
    await stage.create({ userName: 'mailed', emails: [{ value: 'mailed@example.org' }] });
    const { id } = await stage.createGroup({ displayName: 'Pasted' }, people.slice(0, 1));
    const page = await open(`groups?group=${id}`);
    await settledList(page);
    await page.getByText('Import and export').click();
    expect(await page.getByText('Import…', { exact: true }).count()).to.equal(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add members…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add members to Pasted' });
    const box = dialog.getByRole('combobox', { name: 'Find users' });
    await box.fill('person00');
    await dialog.getByRole('option', { name: 'Already a member' }).waitFor();
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', 'Person05\\r\\nAda <MAILED@example.org>; nobody.here\\n');
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(paste);
    }`);
    await dialog.getByText('No user found: nobody.here').waitFor();
    await box.fill('person06, person07');
    await box.press('Enter');
    await dialog.getByText('No user found').waitFor({ state: 'detached' });
    await keepPicture(page, 'group-pasted-members');
    await dialog.getByRole('button', { name: 'Add 4 users' }).click();
    await page.getByText(/^4 users added to /).waitFor();
    expect(await membersOf(id)).to.deep.equal(['mailed', 'person00', 'person05', 'person06', 'person07']);
  });

  it('also get a user who is picked while a pasted list is looked up', async () => {
    const { id } = await stage.createGroup({ displayName: 'Picked meanwhile' });
    const page = await open(`groups?group=${id}`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/users\?.*userName\.in=/, async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Add members…' }).click();
    const dialog = page.getByRole('dialog');
    const box = dialog.getByRole('combobox', { name: 'Find users' });
    await box.fill('person01, person02');
    await box.press('Enter');
    const isTaken = (input: unknown) => (input as { readonly value: string }).value === '';
    await page.waitForFunction(isTaken, await box.elementHandle());
    await box.fill('person03');
    await dialog.getByRole('option', { name: 'person03' }).click();
    await dialog.getByRole('button', { name: 'Add 1 user' }).waitFor();
    release();
    await dialog.getByRole('button', { name: 'Add 3 users' }).waitFor();
  });

  it('keep a selected row at the lower edge of the window in sight, above the actions', async () => {
    const { id } = await stage.createGroup({ displayName: 'Members below' }, people);
    const page = await open(`groups?group=${id}`);
    await settledList(page);
    const box = page.getByLabel('Select person00');
    const { y = 0 } = (await box.boundingBox()) ?? {};
    await page.setViewportSize({ width: 1280, height: Math.round(y) + 30 });
    await box.check();
    const bar = await page.getByRole('region', { name: 'Selected users' }).boundingBox();
    const selected = await box.boundingBox();
    expect((selected?.y ?? 0) + (selected?.height ?? 0)).to.be.below(bar?.y ?? 0);
  });

  it('get all selected users, and filter the list of users', async () => {
    const { id } = await stage.createGroup({ displayName: 'Night shift' });
    const page = await open('?search=person');
    await total(page, '12 users');
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Add to group…' }).click();
    await page.getByRole('dialog', { name: 'Add 12 users to a group' }).waitFor();
    await pick(page, 'Find a group', 'night', 'Night shift');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('12 users added to Night shift.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await membersOf(id)).to.have.length(12);

    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Field').selectOption('group');
    await pick(page, 'Group is', 'night', 'Night shift');
    await page.locator('.chip', { hasText: 'Group: Night shift' }).waitFor();
    await total(page, '12 users');
    expect(new URL(page.url()).searchParams.get('group')).to.equal(id);
    await page.getByRole('button', { name: 'Remove the filter Group' }).click();
    await page.locator('.chip').waitFor({ state: 'detached' });
  });

  it('name the missing scope', async () => {
    const { id } = await stage.createGroup({ displayName: 'Secret' });
    const users = ['users:read', 'users:write'];
    const page = await open(`?user=${people[0]}&tab=groups`, users);
    await page.getByText('To view groups and memberships, you need the scope groups:read').waitFor();
    await page.getByRole('link', { name: 'Groups', exact: true }).first().click();
    await page.getByText('To view groups and memberships, you need the scope groups:read').waitFor();
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByLabel('Select all on this page').check();
    await page.getByText('To do more here, you need the scopes groups:write, users:delete.').waitFor();
    expect(await page.getByRole('button', { name: 'Add to group…' }).isDisabled()).to.equal(true);

    const reader = await open(`groups?group=${id}`, ['groups:read']);
    await reader.getByRole('heading', { name: 'Secret' }).waitFor();
    await reader.getByText('To view users, you need the scope users:read').waitFor();
    await reader.getByText('To do more here, you need the scopes groups:write, groups:delete.').waitFor();
    await reader.getByRole('link', { name: 'Details' }).click();
    await reader.getByRole('definition').getByText('Secret').waitFor();
    expect(await reader.getByRole('textbox').count()).to.equal(0);
  });
});
