import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { declarations } from '../support/declared.ts';
import { downloadOf, textOf, withoutPicker } from './downloads.ts';
import { setStage, settledList } from './stage.ts';

const file = 'attributes.json5';

describe('Files with declared attributes in the console', () => {
  const description = 'Two letters and a number, such as NL12.';
  const { costCentre, ...others } = declarations.attributes;
  const attributes = { ...others, costCentre: { ...costCentre, description } };
  const stage = setStage({ USERS_ATTRIBUTES_FILE: file }, async (folder) =>
    writeFileSync(join(folder, file), JSON.stringify({ attributes })),
  );

  async function openImport(name: string, content: string) {
    const page = await stage.open({ query: 'import' });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
    const press = (button: string) => page.getByRole('button', { name: button, exact: true }).click();
    return { page, press };
  }
  const attributesOf = async (userName: string): Promise<unknown> => {
    const answer = await stage.ask(`/users?userName=${userName}`);
    return ((await answer.json()) as { readonly users: readonly User[] }).users[0]?.attributes;
  };

  it('are typed in a table, whose headings are labels, and are checked by the declaration', async () => {
    const { page, press } = await openImport(
      'staff.csv',
      'User name;Ausweis;remote;sites;seen\r\nada;42;ja;Oslo|Bergen;2026-03-01T08:00:00Z\r\nbob;0;nein;Oslo;\r\n',
    );
    await page.getByLabel('Field for “Ausweis”').waitFor();
    expect(await page.getByLabel('Field for “Ausweis”').inputValue()).to.equal('attributes.badge');
    await press('Check');
    await page.getByText('1 would be created, 1 would be refused.').waitFor();
    await page.getByText('Must be at least 1').waitFor();
    await press('Import the other rows');
    await page.getByText('1 created, 1 refused.').waitFor();
    expect(await attributesOf('ada')).to.deep.equal({
      ...{ badge: 42, remote: true, sites: ['Oslo', 'Bergen'], seen: '2026-03-01T08:00:00.000Z' },
    });
  });

  it('are checked as the import takes them: unique values, patterns and users', async () => {
    const { id } = await stage.create({ userName: 'mentor', attributes: { badge: '90' } });
    const [early, late] = [randomUUID(), randomUUID()];
    const rows = [
      [randomUUID(), 'check-taken', '90', '', ''],
      [randomUUID(), 'check-form', '91', 'nl1', ''],
      [randomUUID(), 'check-nobody', '92', '', randomUUID()],
      [early, 'check-early', '93', 'NL1', id],
      [randomUUID(), 'check-twice', '93', '', ''],
      [randomUUID(), 'check-later', '94', '', late],
      [late, 'check-late', '95', '', early],
    ];
    const { page, press } = await openImport(
      'checked.csv',
      [['id', 'User name', 'Badge', 'costCentre', 'mentor'], ...rows]
        .map((row) => `${row.join(';')}\n`)
        .join(''),
    );
    const mistakes = [
      'Is taken by another user',
      'Must have this form: Two letters and a number, such as NL12 (^[A-Z]{2}[0-9]+$)',
      'Belongs to no user',
      'Is taken by another user',
      'Belongs to no user',
    ];
    await page.getByLabel('Field for “mentor”').waitFor();
    await press('Check');
    await page.getByText('2 would be created, 5 would be refused.').waitFor();
    expect(await page.locator('.import .mistake').allTextContents()).to.deep.equal(mistakes);
    await page.getByRole('link', { name: 'Open mentor' }).waitFor();
    await press('Import the other rows');
    await page.getByText('2 created, 5 refused.').waitFor();
    expect(await page.locator('.import .mistake').allTextContents()).to.deep.equal(mistakes);
  });

  it('are typed in JSON, and an export in CSV is imported without a change', async () => {
    const { id: mentor } = await stage.create({ userName: 'annie' });
    const user = {
      userName: 'grace',
      attributes: { badge: 7, mentor, rate: 1.5, scores: [3, -1], sites: ['a, b'] },
    };
    const { page, press } = await openImport('users.json', JSON.stringify({ users: [user] }));
    await press('Import');
    await page.getByText(/^1 created\.$/).waitFor();
    expect(await attributesOf('grace')).to.deep.equal(user.attributes);
    const list = await stage.open({
      query:
        '?search=grace&columns=userName,attributes.rate,attributes.scores,attributes.sites,attributes.mentor',
    });
    await list.addInitScript(withoutPicker);
    await list.reload();
    await settledList(list);
    await list.getByText('Import and export').click();
    await list.getByRole('button', { name: 'Export…', exact: true }).click();
    const dialog = list.getByRole('dialog', { name: 'Export users' });
    const text = await textOf(
      await downloadOf(list, () => dialog.getByRole('button', { name: 'Export', exact: true }).click()),
    );
    expect(text).to.include('@attributes.mentor').and.include('annie');
    expect(text).to.include('1.5,3|-1,"a\\, b"');
    const again = await openImport('users.csv', text);
    await again.page.getByLabel('Change existing entries; refuse new ones').check();
    await again.press('Check');
    await again.page.getByText(/^1 unchanged\.$/).waitFor();
  });
});
