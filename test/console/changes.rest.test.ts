import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { scopes as allScopes } from '../../src/domain/scopes.ts';
import { columnOf, keepPicture, setStage, settledList } from './stage.ts';

const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
const changes = (page: Page) => page.locator('.changes > li');
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const open = (change: Locator) => change.getByRole('button', { name: /^Details/ }).click();
/** Whom each line concerns, and what was done. */
const lines = async (page: Page) =>
  (await changes(page).locator('.change-line').allInnerTexts()).map((line) =>
    line
      .split(/\s*\n\s*/)
      .slice(2)
      .join(' '),
  );
/** What cannot be undone asks for the name first. */
async function eraseForGood(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'for good?' });
  const button = dialog.getByRole('button', { name: 'Erase for good' });
  expect(await button.isDisabled()).to.equal(true);
  await dialog.getByLabel(/^Type the (user|group) name to confirm$/).fill(name);
  await button.click();
}
const openHistory = (page: Page) => page.getByRole('link', { name: 'History' }).click();

describe('The history of a user or a group in the console', () => {
  const stage = setStage();

  async function changedUser(userName: string): Promise<User> {
    const user = await stage.create({ userName, title: 'Analyst', name: { familyName: 'Byron' } });
    await stage.patch(user.id, { title: 'Countess', name: { familyName: 'Lovelace' }, roles: ['a', 'b'] });
    return user;
  }

  it('says who changed what and when, with the values before and after side by side', async () => {
    const { id } = await changedUser('ada');
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await openHistory(page);
    await changes(page).nth(1).waitFor();
    await page.getByRole('link', { name: 'History' }).and(page.locator(':focus')).waitFor();
    expect(new URL(page.url()).search).to.equal(`?user=${id}&tab=history`);
    expect(await lines(page)).to.deep.equal(['Family name, Job title, Roles', 'User created']);
    expect(await rowOf(page, 'Job title').getByRole('cell').allInnerTexts()).to.deep.equal([
      'AnalystRestore value',
      'Countess',
    ]);
    expect(await rowOf(page, 'Family name').getByRole('cell').first().innerText()).to.equal(
      'ByronRestore value',
    );
    await changes(page).first().getByRole('link', { name: 'development' }).waitFor();
    await open(changes(page).last());
    await changes(page).last().getByText('Analyst').waitFor();
    await keepPicture(page, 'history', true);
    await page.reload();
    await changes(page).nth(1).waitFor();
  });

  it('restores an old value in the form, which is saved like any other change', async () => {
    const { id } = await changedUser('restored');
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.getByLabel('Nickname').fill('typed before');
    await openHistory(page);
    await page.getByRole('button', { name: 'Restore Job title' }).click();
    await page.getByText('Old value restored in the form: Job title.').waitFor();
    await page.getByLabel('Job title').and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Job title').inputValue()).to.equal('Analyst');
    expect((await stage.read(id)).title).to.equal('Countess');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    expect(await page.getByText('Old value restored').count()).to.equal(0);
    const { title, nickName, roles } = await stage.read(id);
    expect({ title, nickName, roles }).to.deep.equal({
      title: 'Analyst',
      nickName: 'typed before',
      roles: ['a', 'b'],
    });
    await openHistory(page);
    await changes(page).nth(2).waitFor();
    expect(await page.getByRole('button', { name: 'Restore Job title' }).count()).to.equal(1);
  });

  it('restores all values of a change at once, except those that the form already has', async () => {
    const { id } = await changedUser('undone');
    await stage.patch(id, { title: 'Analyst' });
    const page = await stage.open({ query: `?user=${id}&tab=history` });
    await changes(page).nth(2).waitFor();
    await changes(page).nth(1).getByRole('button', { name: 'Restore all values' }).click();
    await page.getByText('Old value restored in the form: Family name, Roles.').waitFor();
    // Roles are folded away else.
    await page.getByRole('button', { name: 'Add role' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    const { title, name, roles } = await stage.read(id);
    expect({ title, name, roles }).to.deep.equal({
      title: 'Analyst',
      name: { familyName: 'Byron' },
      roles: undefined,
    });
  });

  it('restores the old name of a manager beside the id, which the change has left', async () => {
    const boss = await stage.create({ userName: 'married-boss' });
    const manager = { value: boss.id, displayName: 'Ada Byron' };
    const { id } = await stage.create({ userName: 'reporting', enterprise: { manager } });
    await stage.patch(id, { enterprise: { manager: { displayName: 'Ada King' } } });
    const page = await stage.open({ query: `?user=${id}&tab=history` });
    await page.getByRole('button', { name: 'Restore Manager' }).click();
    await page.getByText('Old value restored in the form: Manager.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    expect((await stage.read(id)).enterprise?.manager).to.deep.equal(manager);
    await stage.patch(id, { enterprise: { manager: { value: '1', displayName: 'Ben' } } });
    await openHistory(page);
    await page.reload();
    await changes(page).nth(3).waitFor();
    // The name that was someone else's.
    expect(await page.getByRole('button', { name: 'Restore Manager' }).count()).to.equal(1);
  });

  it('names the users that joined or left a group, and links to them, also to deleted users', async () => {
    const stays = await stage.create({ userName: 'stays', displayName: 'Grace Hopper' });
    const left = await stage.create({ userName: 'left' });
    const group = await stage.createGroup({ displayName: 'Engineering' }, [stays.id, left.id]);
    await stage.ask(`/groups/${group.id}/members/${stays.id}`, { method: 'DELETE' });
    await stage.ask(`/users/${left.id}`, { method: 'DELETE' });
    const page = await stage.open({ query: `groups?group=${group.id}` });
    await openHistory(page);
    await changes(page).nth(2).waitFor();
    await changes(page).first().getByText('Removed').waitFor();
    await changes(page).first().getByRole('link', { name: 'Grace Hopper' }).waitFor();
    await changes(page).nth(1).getByRole('link', { name: 'left', exact: true }).click();
    await page.getByRole('heading', { name: 'left' }).waitFor();
    await page.getByText('User deleted').waitFor();
    await page.goBack();
    await changes(page).first().getByRole('link', { name: 'Grace Hopper' }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
  });

  it('names the groups that a user joined or left, and leaves out the other members', async () => {
    const user = await stage.create({ userName: 'joiner' });
    const other = await stage.create({ userName: 'bystander' });
    const group = await stage.createGroup({ displayName: 'Kitchen' }, [user.id, other.id]);
    await stage.ask(`/groups/${group.id}/members/${user.id}`, { method: 'DELETE' });
    const page = await stage.open({ query: `?user=${user.id}&tab=history` });
    await changes(page).nth(2).waitFor();
    expect(await lines(page)).to.deep.equal([
      'Removed from the group: Kitchen',
      'Added to the group: Kitchen',
      'User created',
    ]);
    expect(await changes(page).getByText('bystander').count()).to.equal(0);
    await changes(page).first().getByRole('link', { name: 'Kitchen' }).click();
    await page.getByRole('heading', { name: 'Kitchen' }).waitFor();
  });

  it('shows members that one author added or removed together as one change', async () => {
    const group = await stage.createGroup({ displayName: 'Night shift' });
    const names = ['ada', 'bob', 'eve'];
    for (const userName of names) {
      const { id } = await stage.create({ userName: `shift-${userName}` });
      await stage.ask(`/groups/${group.id}/members/${id}`, { method: 'PUT' });
    }
    const page = await stage.open({ query: `groups?group=${group.id}&tab=history` });
    await changes(page).nth(1).waitFor();
    expect(await lines(page)).to.deep.equal(['Members changed', 'Group created']);
    for (const name of names)
      await changes(page)
        .first()
        .getByRole('link', { name: `shift-${name}` })
        .waitFor();
  });

  it('shows a manager as one value, by name', async () => {
    const boss = await stage.create({ userName: 'boss', displayName: 'Grace Hopper' });
    const { id } = await stage.create({ userName: 'managed' });
    await stage.patch(id, { enterprise: { manager: { value: boss.id, displayName: 'G. Hopper' } } });
    const page = await stage.open({ query: `?user=${id}&tab=history` });
    await changes(page).first().getByRole('link', { name: 'Grace Hopper' }).waitFor();
    expect(await changes(page).first().getByRole('rowheader').allInnerTexts()).to.deep.equal(['Manager']);
  });

  it('says that a save changed no value', async () => {
    const { id } = await stage.create({ userName: 'same', title: 'Analyst' });
    await stage.patch(id, { title: 'Analyst' });
    const page = await stage.open({ query: `?user=${id}&tab=history` });
    await changes(page).first().getByText('Saved with the same values as before.').waitFor();
    expect(await changes(page).first().getByRole('table').count()).to.equal(0);
  });

  it('shows older changes on request', async () => {
    const { id } = await stage.create({ userName: 'busy' });
    for (let round = 0; round < 24; round++) await stage.patch(id, { title: `Title ${round}` });
    const page = await stage.open({ query: `?user=${id}&tab=history` });
    await changes(page).nth(19).waitFor();
    expect(await changes(page).count()).to.equal(20);
    await page.getByRole('button', { name: 'Show older changes' }).click();
    await changes(page).nth(24).waitFor();
    await page.getByRole('button', { name: 'Show older changes' }).waitFor({ state: 'detached' });
    await changes(page).last().getByText('User created').waitFor();
  });

  it('says how its values are erased, to persons who may erase them', async () => {
    const { id } = await changedUser('erasable');
    const hint = (page: Page) => page.getByText('“Delete…” can also erase the values in this history.');
    const reader = await stage.open({
      query: `?user=${id}&tab=history`,
      scopes: allScopes.filter((scope) => scope !== 'users:delete'),
    });
    await changes(reader).nth(1).waitFor();
    expect(await hint(reader).count()).to.equal(0);
    const page = await stage.open({ query: `?user=${id}&tab=history` });
    await hint(page).waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel('Also erase all personal values in the history.').waitFor();
  });

  it('says which scope it needs', async () => {
    const { id } = await changedUser('secret');
    const scopes = allScopes.filter((scope) => scope !== 'history:read');
    const page = await stage.open({ query: `?user=${id}&tab=history`, scopes });
    await page.getByRole('region', { name: 'History' }).getByText('history:read').waitFor();
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
  });
});

describe('The activity in the console of an empty directory', () => {
  const stage = setStage();

  it('says that nothing is recorded, and that nothing matches the filters', async () => {
    const page = await stage.open({ query: 'activity' });
    const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
    await said('No changes are recorded.');
    await page.getByRole('link', { name: 'Deleted', exact: true }).click();
    await said('No deletions are recorded.');
    await page.getByLabel('From').fill('2001-01-01');
    await said('No recorded change matches.');
    await page.goto(`${stage.address}activity?type=user.created`);
    await said('No recorded change matches.');
  });
});

describe('The activity in the console', () => {
  const stage = setStage();
  /** While other changes are looked for, the list is empty. */
  async function onlyChange(page: Page): Promise<void> {
    await changes(page).nth(1).waitFor({ state: 'detached' });
    await changes(page).first().waitFor();
  }

  before('users and a group are made', async () => {
    await stage.create({ userName: 'ada', displayName: 'Ada Lovelace', title: 'Countess', roles: ['a'] });
    const { id } = await stage.create({ userName: 'temp' });
    await stage.createGroup({ displayName: 'Engineering' }, [id]);
  });

  it('shows the changes of all users and groups, by type, author and time, with the filters in the address', async () => {
    const page = await stage.open();
    await page.getByRole('link', { name: 'Activity' }).click();
    await changes(page).nth(3).waitFor();
    // The change of the members contains no name, so the console requests it.
    await changes(page).first().getByRole('link', { name: 'Engineering' }).waitFor();
    expect(await lines(page)).to.deep.equal([
      'Engineering Members changed +1',
      'Engineering Group created',
      'temp User created',
      'ada Ada Lovelace User created',
    ]);
    await keepPicture(page, 'activity', true);
    await page.getByLabel('Type of change').selectOption('Group created');
    await onlyChange(page);
    expect(await lines(page)).to.deep.equal(['Engineering Group created']);
    expect(new URL(page.url()).search).to.equal('?type=group.created');
    await page.reload();
    await changes(page).getByRole('link', { name: 'Engineering' }).waitFor();
    const author = page.getByRole('combobox', { name: 'Changed by' });
    await author.fill('nobody');
    await page.getByRole('option', { name: 'nobody Exactly this name' }).waitFor();
    await keepPicture(page, 'activity-author');
    await author.press('Enter');
    await page.getByText('No recorded change matches.').waitFor();
    await page.goBack();
    await changes(page).getByRole('link', { name: 'development' }).click();
    await changes(page).nth(3).waitFor();
    expect(new URL(page.url()).search).to.equal('?by=development');
    await page.getByLabel('To', { exact: true }).fill('2001-01-01');
    await page.getByText('No recorded change matches.').waitFor();
    await page.getByLabel('From', { exact: true }).fill('2000-01-01');
    await page.getByLabel('To', { exact: true }).fill('');
    await changes(page).nth(3).waitFor();
  });

  it('offers the authors of the changes seen so far for a part of a name, and requests only whole names', async () => {
    const page = await stage.open({ query: 'activity' });
    await changes(page).nth(3).waitFor();
    const asked: (string | null)[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname.endsWith('/history')) asked.push(url.searchParams.get('by'));
    });
    const author = page.getByRole('combobox', { name: 'Changed by' });
    await page.clock.install();
    await author.fill('LOP');
    await page.getByRole('option', { name: 'development' }).waitFor();
    await page.clock.runFor(5_000);
    expect(new URL(page.url()).search).to.equal('');
    await author.press('Enter');
    await page.waitForURL((url) => url.search === '?by=development');
    expect(await author.inputValue()).to.equal('development');
    await author.fill('');
    await page.waitForURL((url) => url.search === '');
    await author.pressSequentially('dev');
    await author.press('Tab');
    await page.waitForURL((url) => url.search === '?by=development');
    await changes(page).nth(3).waitFor();
    expect(new Set(asked)).to.deep.equal(new Set(['development', null]));
  });

  it('lists changes by day, each in one line with its values, for one user or for the last days', async () => {
    const user = await stage.create({ userName: 'zoe', displayName: 'Zoë Smith', title: 'Analyst' });
    await stage.patch(user.id, { title: 'Countess', nickName: 'Z', locale: 'nl-NL' });
    const page = await stage.open({ query: 'activity' });
    await page.getByRole('heading', { name: 'Today', exact: true }).waitFor();
    await page.getByRole('link', { name: '7 days', exact: true }).click();
    await changes(page).nth(2).waitFor();
    await page.getByRole('combobox', { name: 'User' }).fill('smith');
    await page.getByRole('option', { name: 'Zoë Smith' }).click();
    await changes(page).nth(2).waitFor({ state: 'detached' });
    await changes(page).nth(1).waitFor();
    expect(await lines(page)).to.deep.equal([
      'zoe Job title Analyst → Countess · Nickname none → Z · +1',
      'zoe Zoë Smith User created',
    ]);
    expect(new URL(page.url()).searchParams.get('id')).to.equal(user.id);
    await open(changes(page).first());
    await changes(page).getByRole('cell', { name: 'nl-NL' }).waitFor();
    await page.getByLabel('Field').selectOption('Nickname');
    await changes(page).nth(1).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('changed')).to.equal('/nickName');
    await page.getByLabel('Field').selectOption('Any');
    await page.reload();
    await changes(page).nth(1).waitFor();
    expect(await page.getByRole('combobox', { name: 'User' }).inputValue()).to.equal('Zoë Smith');
    await page
      .getByRole('link', { name: 'Today', exact: true })
      .and(page.locator('[aria-current]'))
      .waitFor({ state: 'detached' });
  });

  it('lists deleted users with the author of the deletion, and creates them again under the same id', async () => {
    const { id } = await stage.create({
      userName: 'leaver',
      title: 'Analyst',
      name: { familyName: 'Byron' },
    });
    await stage.ask(`/users/${id}`, { method: 'DELETE' });
    const page = await stage.open({ query: 'activity' });
    await page.getByRole('link', { name: 'Deleted', exact: true }).click();
    await onlyChange(page);
    expect(await lines(page)).to.deep.equal(['leaver Byron User deleted Restore…']);
    await open(changes(page));
    await changes(page).getByRole('cell', { name: 'Analyst' }).waitFor();
    await changes(page).getByRole('link', { name: 'leaver' }).click();
    await page.getByRole('heading', { name: 'Byron' }).waitFor();
    await page.getByRole('link', { name: 'Back to the activity' }).waitFor();
    expect(await page.getByRole('button', { name: 'Create again…' }).count()).to.equal(0);
    // Another user has the name meanwhile.
    await stage.create({ userName: 'leaver' });
    await page.getByRole('button', { name: 'Restore…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'userName' }).waitFor();
    await keepPicture(page, 'restore-refused');
    await dialog.getByRole('button', { name: 'Create again…' }).click();
    await page.getByText('Memberships are not restored.').waitFor();
    await page.getByLabel('User name').fill('leaver.again');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Byron was created').waitFor();
    const { title, name } = await stage.read(id);
    expect({ title, name }).to.deep.equal({ title: 'Analyst', name: { familyName: 'Byron' } });
    await openHistory(page);
    await changes(page).getByText('User deleted').waitFor();
    expect(await page.getByRole('button', { name: 'Restore…' }).count()).to.equal(0);
    const deletion = changes(page).filter({ hasText: 'User deleted' }).first();
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await open(deletion);
    expect(await deletion.innerText()).to.match(/User deleted\s+User created \d+:\d+ by/);
    expect(await deletion.getByRole('button', { name: 'Restore…' }).count()).to.equal(0);
    // The values of a user who is there again cannot be erased alone.
    await page.getByRole('button', { name: 'Erase from history…' }).click();
    await eraseForGood(page, 'leaver');
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    expect(new URL(page.url()).search).to.equal(`?user=${id}`);
    await stage.ask(`/users/${id}`, { method: 'DELETE' });
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page.getByRole('link', { name: 'Deleted', exact: true }).click();
    await changes(page).nth(1).waitFor();
    await changes(page).nth(2).waitFor({ state: 'detached' });
    await open(changes(page).first());
    await page.getByRole('button', { name: 'Erase from history…' }).click();
    await page.getByRole('dialog').getByText('What remains is who changed the user, and when.').waitFor();
    await keepPicture(page, 'erase-deleted');
    await eraseForGood(page, 'leaver.again');
    await changes(page).getByText('The values were erased.').nth(1).waitFor();
    expect(await changes(page).getByText('Cannot be restored.').count()).to.equal(2);
    const whole = await changes(page)
      .getByText('Cannot be restored.')
      .first()
      .evaluate((element) => element.scrollWidth <= element.clientWidth);
    expect(whole).to.equal(true);
    expect(await page.evaluate(() => document.activeElement?.id)).to.equal('main');
    expect(await page.getByRole('button', { name: 'Erase from history…' }).count()).to.equal(0);
    const { changes: left } = await (await stage.ask(`/users/${id}/history`)).json();
    expect(left.filter((change: object) => 'label' in change)).to.deep.equal([]);
  });

  it('erases the values of a group, too, during and after its deletion', async () => {
    const [now, later] = [
      await stage.createGroup({ displayName: 'Now' }),
      await stage.createGroup({ displayName: 'Later' }),
    ];
    await stage.ask(`/groups/${later.id}`, { method: 'DELETE' });
    const page = await stage.open({ query: `groups?group=${now.id}` });
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Type the group name to confirm').fill('Now');
    await dialog.getByLabel('Also erase all values in the history.').check();
    await dialog.getByRole('button', { name: 'Delete and erase for good' }).click();
    await page.getByText('The values of Now were erased.').waitFor();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByRole('link', { name: 'Deleted', exact: true }).click();
    await changes(page).filter({ hasText: 'created' }).first().waitFor({ state: 'detached' });
    await open(changes(page).filter({ hasText: 'Later' }));
    await page.getByRole('button', { name: 'Erase from history…' }).click();
    await eraseForGood(page, 'Later');
    await page.getByRole('button', { name: 'Erase from history…' }).waitFor({ state: 'detached' });
    for (const { id } of [now, later]) {
      const history = await (await stage.ask(`/groups/${id}/history`)).text();
      expect(history)
        .to.include('group.deleted')
        .and.not.match(/"(label|before|after)"/);
    }
  });

  it('finds deleted users by name, and restores them with their groups', async () => {
    const user = await stage.create({ userName: 'anna.returns', title: 'Analyst' });
    const other = await stage.create({ userName: 'bert.leaves' });
    const group = await stage.createGroup({ displayName: 'Returners' }, [user.id]);
    for (const { id } of [user, other]) await stage.ask(`/users/${id}`, { method: 'DELETE' });
    const page = await stage.open({ query: 'activity' });
    await page.getByRole('link', { name: 'Deleted', exact: true }).click();
    await changes(page).nth(1).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('returns');
    await onlyChange(page);
    expect(await lines(page)).to.deep.equal(['anna.returns User deleted Restore…']);
    expect(new URL(page.url()).searchParams.get('label')).to.equal('returns');
    await page.getByRole('button', { name: 'Restore…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'Returners' }).waitFor();
    await keepPicture(page, 'restore-deleted');
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByText('anna.returns was restored.').waitFor();
    expect((await stage.read(user.id)).title).to.equal('Analyst');
    const { users } = await (await stage.ask(`/users?group=${group.id}`)).json();
    expect(users.map(({ id }: User) => id)).to.deep.equal([user.id]);
    await openHistory(page);
    await changes(page).getByText('User restored').waitFor();
    // Who is there again is no longer deleted; the old deletion leads to the user.
    await page.goto(`${stage.address}activity?type=user.deleted&type=group.deleted&label=anna`);
    await page.getByText('No recorded change matches.').waitFor();
    await stage.ask(`/users/${user.id}`, { method: 'DELETE' });
    const since = page.waitForResponse((response) => response.url().includes(`/history?id=${user.id}`));
    await page.goto(`${stage.address}activity?type=user.deleted&label=anna`);
    await changes(page).nth(1).waitFor();
    await (await since).finished();
    // An old list does not know of a restoration.
    await stage.ask(`/users/${user.id}/restore`, { method: 'POST' });
    await page.getByRole('button', { name: 'Restore…' }).first().click();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    // Another user has the name meanwhile.
    await stage.create({ userName: 'bert.leaves' });
    await page.goto(`${stage.address}activity?type=user.deleted&type=group.deleted&label=bert`);
    await page.getByRole('button', { name: 'Restore…' }).click();
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'userName' }).waitFor();
  });

  it('shows a user who is restored on the page of the deleted user; one Enter restores, and no Enter erases', async () => {
    const { id } = await stage.create({ userName: 'back.again' });
    await stage.ask(`/users/${id}`, { method: 'DELETE' });
    const page = await stage.open({ query: `?user=${id}&tab=history` });
    const focused = (name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true }).and(page.locator(':focus'));
    await page.getByRole('button', { name: 'Erase from history…' }).click();
    const field = page.getByLabel('Type the user name to confirm').and(page.locator(':focus'));
    await field.press('Enter');
    await field.fill('back.agai');
    await field.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Restore…' }).click();
    await focused('Restore').press('Enter');
    await page.getByText('back.again was restored.').waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
    expect(await page.getByText('User not found').count()).to.equal(0);
  });
});

describe('The last day of a user in the console', () => {
  const stage = setStage();

  it('is the same in the list, a comparison, the history, the activity and an undo: in the time zone of the user', async () => {
    const [{ id }, other] = [
      await stage.create({ userName: 'contractor-1', timezone: 'America/New_York' }),
      await stage.create({ userName: 'contractor-2', timezone: 'Europe/Berlin' }),
    ];
    await stage.patch(id, { validUntil: '2027-01-01T05:00:00.000Z' });
    await stage.patch(other.id, { validUntil: '2027-01-31T23:00:00.000Z' });
    const page = await stage.open({ query: '?search=contractor&columns=userName,validUntil&sort=userName' });
    await settledList(page);
    expect(await columnOf(page, 1)).to.deep.equal(['31 Dec 2026', '31 Jan 2027']);
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Compare' }).click();
    const daysOf = async (place: Page | Locator) => {
      const row = place.getByRole('row').filter({ hasText: 'Valid until' });
      await row.waitFor();
      return row.getByRole('cell').allInnerTexts();
    };
    expect(await daysOf(page.getByRole('dialog'))).to.deep.equal(['31 Dec 2026', '31 Jan 2027']);
    await page.goto(`${stage.address}users?user=${id}&tab=history`);
    await changes(page).nth(1).waitFor();
    await page.locator('.resource-head').getByText('31 Dec 2026').waitFor();
    expect(await daysOf(page)).to.deep.equal(['noneRemove value', '31 Dec 2026']);
    await page.goto(`${stage.address}activity?id=${id}&type=user.updated`);
    await changes(page).getByText('Valid until none → 31 Dec 2026').waitFor();
    await open(changes(page));
    expect(await daysOf(page)).to.deep.equal(['none', '31 Dec 2026']);
    await page.getByRole('button', { name: 'Undo…' }).click();
    await page.getByRole('dialog').getByText('Valid until 31 Dec 2026 → none').waitFor();
  });
});

describe('The history in the console of a service without a change log', () => {
  const stage = setStage({ USERS_CHANGES_RETENTION: '0' });

  it('says that the log is off, and who can turn it on', async () => {
    const { id } = await stage.create({ userName: 'unlogged' });
    const page = await stage.open({ query: `?user=${id}&tab=history` });
    await page.getByText('There is no history').waitFor();
    await page.getByText('changes.retention').waitFor();
  });
});
