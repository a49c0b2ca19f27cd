import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { run } from '../support/process.ts';
import { bothCredentials, keepPicture, setStage, settledList, settledPage } from './stage.ts';

const files = { ...bothCredentials, USERS_ACCESS_FILE: 'access.json5' };

const profiles = {
  'sales-desk': {
    users: {
      where: { department: 'Sales' },
      read: ['userName', 'displayName', 'title', 'enterprise.department', 'enterprise.manager', 'active'],
      write: ['title'],
    },
    groups: { read: '*', write: ['description'] },
  },
  phonebook: { users: { read: ['displayName', 'title', 'emails'] }, groups: { read: '*' } },
  auditor: { users: { read: ['userName', 'active'] } },
};

/** WCAG 2.2, of two colours such as `rgb(20, 30, 40)`. */
function contrastOf(...colours: readonly string[]): number {
  const lights = colours.map((colour) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(...lights) / Math.min(...lights);
}

describe('What the credentials may do, in the console', () => {
  let key = '';
  const keys = new Map<string, string>();
  const stage = setStage(files, async (folder) => {
    writeFileSync(join(folder, files.USERS_ACCESS_FILE), JSON.stringify({ profiles }));
    const scope = 'users:read users:write users:delete groups:read groups:write history:read';
    const { log } = await run(
      ['api-key', '--id', 'desk', '--scope', scope, '--profile', 'sales-desk'],
      folder,
      files,
    );
    [key = ''] = log;
    for (const profile of ['phonebook', 'auditor']) {
      const made = await run(
        ['api-key', '--id', profile, '--scope', 'users:read groups:read', '--profile', profile],
        folder,
        files,
      );
      keys.set(profile, made.log[0] ?? '');
    }
  });

  async function signIn(by = key) {
    const page = await stage.open({ anonymous: true });
    await page.getByLabel('Key ID').click();
    await page.keyboard.insertText(by);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await settledList(page);
    return page;
  }

  it('is shown in words, with its access profile; other actions are not offered', async () => {
    const { id } = await stage.create({
      userName: 'ada',
      title: 'Analyst',
      nickName: 'A',
      enterprise: { department: 'Sales' },
    });
    const page = await signIn();
    await page.locator('.account summary').click();
    await page.getByRole('link', { name: 'What you may do' }).click();
    await page.getByRole('heading', { name: 'Limited by the access profile “sales-desk”' }).waitFor();
    const users = page.getByRole('region', { name: 'Users' });
    expect((await users.innerText()).split('\n').slice(1)).to.deep.equal([
      ...['Entries', 'Some, by a filter'],
      ...['Visible', 'User name, Display name, Job title, Department, Manager, Status'],
      ...['May be changed', 'Job title', 'Create', 'No', 'Delete', 'No'],
    ]);
    await page.getByRole('listitem').filter({ hasText: 'Delete users' }).getByText('not allowed').waitFor();
    await page.getByText('--profile sales-desk').waitFor();
    await keepPicture(page, 'access', true);
    await page.goto(`${stage.address}users?user=${id}&tab=edit`);
    await settledPage(page);
    expect(await page.getByLabel('Nickname').count()).to.equal(0);
    await page.getByLabel('Job title').fill('Countess');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    const { title, nickName } = await stage.read(id);
    expect({ title, nickName }).to.deep.equal({ title: 'Countess', nickName: 'A' });
  });

  it('leaves what an access profile protects unchanged, in forms, bulk changes and groups', async () => {
    const user = { userName: 'grace', title: 'Analyst', enterprise: { department: 'Sales' } };
    const { id } = await stage.create(user);
    const group = await stage.createGroup({ displayName: 'Readers', description: 'Read' }, [id]);
    const page = await signIn();
    expect(await page.getByRole('link', { name: 'New user' }).count()).to.equal(0);
    await page.getByLabel('Select grace').check();
    const bar = page.getByRole('region', { name: 'Selected users' });
    await bar.getByRole('button', { name: 'Change…' }).click();
    const fields = page.getByRole('dialog').getByLabel('Field');
    expect(await fields.locator('option').allInnerTexts()).to.deep.equal(['Job title']);
    await page.getByRole('button', { name: 'Cancel' }).click();
    for (const name of ['Deactivate…', 'Add to group…'])
      expect(await bar.getByRole('button', { name }).count(), name).to.equal(0);

    await page.goto(`${stage.address}users?user=${id}&tab=edit`);
    await page.getByText('Your access profile does not let you change the fields without a frame.').waitFor();
    expect(await page.getByLabel('Job title').isEnabled()).to.equal(true);
    for (const label of ['Department', 'User name', 'Status'])
      expect(await page.getByLabel(label).isDisabled(), label).to.equal(true);
    await keepPicture(page, 'form-of-a-profile');
    expect(await page.getByRole('button', { name: 'Deactivate' }).count()).to.equal(0);
    await page.getByRole('link', { name: /^Groups \(/ }).click();
    await page.getByRole('link', { name: 'Readers' }).waitFor();
    expect(await page.getByRole('button', { name: /Remove from|Add to group/ }).count()).to.equal(0);

    await page.goto(`${stage.address}groups?group=${group.id}`);
    await settledList(page);
    expect(await page.getByRole('button', { name: 'Add members…' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    expect(await page.getByLabel('Group name').isDisabled()).to.equal(true);
    await page.getByLabel('Description').fill('Read and write');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
  });

  it('lists users whose user name or display name an access profile hides', async () => {
    const boss = await stage.create({ userName: 'jean.bartik', displayName: 'Jean Bartik', title: 'Chief' });
    const auditor = await signIn(keys.get('auditor'));
    await auditor.getByRole('row').filter({ hasText: 'jean.bartik' }).waitFor();
    const page = await signIn(keys.get('phonebook'));
    await page.getByRole('link', { name: 'Jean Bartik' }).click();
    await page.getByRole('heading', { name: 'Jean Bartik' }).waitFor();
    await page.getByText('Chief').first().waitFor();
    expect(new URL(page.url()).search).to.equal(`?user=${boss.id}`);
    await page.goto(`${stage.address}groups`);
    await settledList(page);
    await page.locator('summary', { hasText: 'Filter' }).click();
    await page.getByLabel('Field').selectOption('member');
    await page.getByRole('combobox', { name: 'Member is' }).fill('Jean');
    await page.locator('[role=option]', { hasText: 'Jean Bartik' }).waitFor();
  });

  it('refuses the rows of an import that go beyond the access profile, and no others', async () => {
    const enterprise = { department: 'Sales' };
    for (const userName of ['mary', 'nora', 'olga'])
      await stage.create({ userName, title: 'Analyst', enterprise });
    const page = await signIn();
    await page.goto(`${stage.address}import`);
    const rows = ['mary,Chief,Sales', 'nora,Chief,Support', 'paul,Chief,Sales', 'olga,Chief,Sales'];
    const buffer = Buffer.from(`userName,title,enterprise.department\r\n${rows.join('\r\n')}\r\n`);
    await page.locator('input[type=file]').setInputFiles({ name: 'desk.csv', mimeType: '', buffer });
    await page.getByLabel('Create new entries and change existing ones').check();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('2 changed, 2 refused.').waitFor();
    await page.getByText('Is read-only in the profile').waitFor();
    await page.getByText('The profile sales-desk does not create users.').waitFor();
  });

  it('is in a menu with the language and the appearance, which the browser remembers', async () => {
    const page = await stage.open();
    const groundOf = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const light = await groundOf();
    await page.locator('.account summary').click();
    await page.getByText('Dark', { exact: true }).click();
    expect(await groundOf()).to.not.equal(light);
    await keepPicture(page, 'account-menu-dark');
    const groundsOf = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((all) => all.map((one) => getComputedStyle(one as never).backgroundColor));
    const [chosen, others] = [
      await groundsOf('.account :checked + span'),
      await groundsOf('.account .segments'),
    ];
    for (const [at, ground] of chosen.entries())
      expect(contrastOf(ground, others[at] ?? '')).to.be.at.least(3);
    await page.getByText('Deutsch', { exact: true }).click();
    await page.getByRole('link', { name: 'Benutzer', exact: true }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).to.equal('de');
    expect(await groundOf()).to.not.equal(light);
    await page.getByText('System', { exact: true }).click();
    expect(await groundOf()).to.equal(light);
  });

  it('keeps the focus in its menu when the language and the appearance are chosen by keyboard, and letters find its items', async () => {
    const { id } = await stage.create({ userName: 'keyed' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await settledPage(page);
    const focused = (label: string, and = '') =>
      page
        .getByLabel(label, { exact: true })
        .and(page.locator(`:focus${and}`))
        .waitFor();
    const chosen = (label: string) => focused(label, ':checked');
    await page.locator('.account summary').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('en?');
    await chosen('English');
    await page.keyboard.type('dark');
    await focused('Dark', ':not(:checked)');
    await page.keyboard.type('Deutsch');
    await focused('Deutsch', ':not(:checked)');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Benutzer', exact: true }).waitFor();
    await settledPage(page);
    await chosen('Deutsch');
    await page.keyboard.type('English');
    await focused('English', ':not(:checked)');
    await page.keyboard.type('du');
    await focused('Dunkel', ':not(:checked)');
    await page.keyboard.press('Space');
    await chosen('Dunkel');
    await page.keyboard.press('ArrowLeft');
    await chosen('Hell');
    await page.keyboard.type('en?');
    expect(new URL(page.url()).search).to.equal(`?user=${id}&tab=edit`);
    await page.keyboard.press('Escape');
    await page.locator('.account:not([open]) summary:focus').waitFor();
  });

  it('does not know a manager outside of its access profile: neither an ID nor a link is shown', async () => {
    const { id: outside } = await stage.create({ userName: 'boss', enterprise: { department: 'Board' } });
    const enterprise = { department: 'Sales', manager: { value: outside } };
    const { id } = await stage.create({ userName: 'seller', enterprise });
    const page = await signIn();
    const open = async (query: string) => {
      await page.goto(`${stage.address}users?user=${query}`);
      await settledPage(page);
    };
    const unseen = page.locator('main').getByText('Not visible with these credentials');
    await open(id);
    await unseen.nth(1).waitFor();
    await keepPicture(page, 'manager-outside');
    expect(await page.locator('main').innerHTML()).to.not.include(outside);
    await open(`${id}&tab=edit`);
    await unseen.nth(1).waitFor();
    expect(await page.getByLabel('Manager').inputValue()).to.equal('');
    await stage.patch(id, { enterprise: { manager: { displayName: 'The boss' } } });
    await open(id);
    await page.getByRole('definition').getByText('The boss').waitFor();
    // It may be a user who is hidden.
    await page.locator('.facts').getByText('Manager The boss', { exact: true }).waitFor();
    expect(await page.locator('main').innerHTML()).to.not.include(outside);
    await open(outside);
    const either = page.getByText('It may have been deleted, or not be visible with these credentials.');
    await either.waitFor();
    await page.getByRole('link', { name: 'Show history' }).click();
    await page.getByText('Nothing is known under this ID').waitFor();
    await either.waitFor();
  });
});
