import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { declarations } from '../support/declared.ts';
import { startProcess } from '../support/process.ts';
import { checkLooks } from './accessible-screens.ts';
import { columnOf, setStage, settledList } from './stage.ts';

const file = 'attributes.json5';
const declared = {
  attributes: {
    ...declarations.attributes,
    badge: { ...declarations.attributes.badge, unique: true, description: 'The number on the card.' },
    car: { type: 'string', retired: true },
    division: { type: 'string' },
  },
  groups: { owner: { type: 'user' } },
};
const userId = '019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10';

/** Before the attributes are declared, a user has some: as texts. */
async function storeEarlier(folder: string): Promise<void> {
  const earlier = await startProcess({ folder });
  const attributes = { car: 'Volvo', floor: '7', sites: 'Oslo' };
  await fetch(`${earlier.url}/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await earlier.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: userId, userName: 'ada', displayName: 'Ada Lovelace', attributes }),
  });
  await earlier.stop();
  writeFileSync(join(folder, file), JSON.stringify(declared));
}

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();

describe('Attributes that the installation declares, in the console', () => {
  const stage = setStage({ USERS_ATTRIBUTES_FILE: file }, storeEarlier);

  it('have a field each, by their types, and are sent as typed values', async () => {
    const { id } = await stage.create({ userName: 'grace' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.locator('[id="field/attributes/badge"]').focus();
    await page.getByText('The number on the card.').waitFor();
    await page.getByLabel('Badge').fill('42');
    await page.getByLabel('Hired').fill('2024-02-29');
    await page.getByLabel('Level').selectOption('senior');
    await page.getByLabel('Remote').selectOption('No');
    await page.getByLabel('Rate').fill('1.5');
    await page.getByLabel('Seen').fill('2026-01-02T03:04:05');
    await page.getByLabel('Mentor').fill('lovel');
    await page.getByRole('option', { name: 'Ada Lovelace' }).click();
    for (const [index, site] of ['Oslo', 'Bergen'].entries()) {
      await page.getByRole('button', { name: 'Add site' }).click();
      await page.getByLabel(`Site ${index + 1}`, { exact: true }).fill(site);
    }
    await page.getByRole('button', { name: 'Add score' }).click();
    await page.getByLabel('Score 1', { exact: true }).fill('7');
    await save(page);
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    expect((await stage.read(id)).attributes).to.deep.equal({
      badge: 42,
      hired: '2024-02-29',
      level: 'senior',
      remote: false,
      rate: 1.5,
      seen: '2026-01-02T02:04:05.000Z',
      mentor: userId,
      sites: ['Oslo', 'Bergen'],
      scores: [7],
    });
    await page.getByRole('link', { name: 'Open Ada Lovelace' }).waitFor();
    await checkLooks(page, 'declared-attributes');
    await page.getByRole('link', { name: 'History' }).click();
    const row = page.getByRole('row', { name: /Badge/ });
    await row.getByText('42').waitFor();
    await page
      .getByRole('row', { name: /Mentor/ })
      .getByText('Ada Lovelace')
      .waitFor();
  });

  it('show mistakes beside the field that they are in', async () => {
    const page = await stage.open({ query: `?user=${userId}&tab=edit` });
    await page.getByLabel('Badge').fill('none');
    await page.getByLabel('Cost centre').fill('de7');
    await save(page);
    for (const label of ['Badge', 'Cost centre']) {
      const field = page.getByLabel(label);
      await field.and(page.locator('[aria-invalid]')).waitFor();
    }
    await page.locator('.mistake').getByText('must have the form ^[A-Z]{2}[0-9]+$').waitFor();
    await stage.create({ userName: 'mary', attributes: { badge: 7001 } as never });
    await page.getByLabel('Badge').fill('7001');
    await page.getByLabel('Cost centre').fill('DE7');
    await save(page);
    await page.locator('.mistake').getByText('taken by another user').waitFor();
    await page.getByRole('link', { name: 'Open mary' }).waitFor();
  });

  it('are shown beside undeclared ones, which keep their names and values, and retired ones, which cannot be changed', async () => {
    const page = await stage.open({ query: `?user=${userId}&tab=edit`, browser: { locale: 'de-DE' } });
    await page.getByText('Angaben des Unternehmens', { exact: true }).waitFor();
    expect(await page.getByLabel('Car', { exact: true }).isDisabled()).to.equal(true);
    expect(await page.getByLabel('Site 1', { exact: true }).inputValue()).to.equal('Oslo');
    await page.getByLabel('Ausweis').fill('7');
    await page.getByText('Weiteres', { exact: true }).click();
    expect(await page.getByLabel('Wert').inputValue()).to.equal('7');
    await page.getByLabel('Name', { exact: true }).last().fill('badge');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page
      .locator('.mistake')
      .getByText(/Heißt wie ein anderes/)
      .waitFor();
    await page.getByLabel('Name', { exact: true }).last().fill('room');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Gespeichert' }).waitFor();
    expect((await stage.read(userId)).attributes).to.deep.equal({
      badge: 7,
      car: 'Volvo',
      room: '7',
      sites: ['Oslo'],
    });
  });

  it('of a group stand above its members, with its description, and are read before they are edited', async () => {
    const attributes = { owner: userId };
    const { id } = await stage.createGroup({
      ...{ displayName: 'On call', description: 'Who answers at night', attributes },
    });
    const page = await stage.open({ query: `groups?group=${id}` });
    const head = page.locator('.resource-head');
    await head.getByText('Who answers at night').waitFor();
    await head.getByText('Owner Ada Lovelace').waitFor();
    await page.getByText('This group has no members').waitFor();
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByRole('definition').getByText('Ada Lovelace').waitFor();
    expect(await page.getByRole('textbox').count()).to.equal(0);
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('link', { name: 'Stop editing' }).waitFor();
    await page.getByLabel('Description').fill('Who answers by day');
    await save(page);
    await head.getByText('Who answers by day').waitFor();
  });

  it('are columns, orders and filters of the list', async () => {
    for (const [userName, hired, remote] of [
      ['early', '2020-01-31', true],
      ['late', '2025-01-31', false],
    ] as const)
      await stage.create({ userName, attributes: { hired, remote, mentor: userId } as never });
    const page = await stage.open({
      query: '?columns=userName,attributes.hired,attributes.mentor&attributes.hired.from=2020-01-01',
    });
    await page.getByText('Hired from: 1 Jan 2020').waitFor();
    await page.getByRole('button', { name: /^Hired/ }).click();
    await settledList(page);
    await page.getByRole('row', { name: /early.*31 Jan 2020.*Ada Lovelace/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('sort')).to.equal('attributes.hired');
    await page.locator('.filters summary').click();
    await page.getByLabel('Field').selectOption('Remote');
    await page.getByRole('button', { name: 'No', exact: true }).click();
    await page.getByText('Remote: no').waitFor();
    await page.getByRole('row', { name: /early/ }).waitFor({ state: 'detached' });
    expect(await columnOf(page))
      .to.include('late')
      .and.not.include('early');
    await page.locator('.filters summary').click();
    await page.getByLabel('Field').selectOption('Level');
    await page.getByLabel('Comparison').selectOption('is empty');
    await page.locator('.filters').getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByText('Level is empty').first().waitFor();
    await settledList(page);
    expect(await columnOf(page)).to.deep.equal(['late']);
  });

  it('are named without their group, unless another field has the name, in columns and histories', async () => {
    const page = await stage.open({ query: '?search=ada' });
    await settledList(page);
    await page.getByText('Columns', { exact: true }).first().click();
    const labels = await page.locator('.checks label').allInnerTexts();
    expect(labels).to.include.members(['Hired', 'Attributes', 'Department', 'Family name', 'Version']);
    expect(labels.filter((label) => label.includes('›'))).to.deep.equal([
      'Job › Division',
      'Attributes › Division',
    ]);
    const attributes = { hired: '2024-02-29', division: 'North' };
    const { id } = await stage.create({ userName: 'named', enterprise: { division: 'South' } });
    await stage.patch(id, { attributes, enterprise: { division: 'East', department: 'Sales' } });
    await page.goto(`${stage.address}users?user=${id}&tab=history`);
    await page.getByRole('row', { name: 'Hired' }).waitFor();
    const headers = await page.getByRole('rowheader').allInnerTexts();
    expect(headers.toSorted()).to.deep.equal([
      ...['Attributes › Division', 'Department', 'Hired', 'Job › Division'],
    ]);
  });

  it('are changed for all selected users', async () => {
    const { id } = await stage.create({ userName: 'promoted', attributes: { badge: 77 } as never });
    const page = await stage.open({ query: '?search=promoted' });
    await settledList(page);
    await page.getByLabel('Select promoted').check();
    await page.getByRole('button', { name: 'Change…' }).click();
    const dialog = page.getByRole('dialog');
    const fields = await dialog.getByLabel('Field').locator('option').allInnerTexts();
    expect(fields).to.include.members(['Level', 'Mentor', 'Remote', 'Hired', 'Valid until']);
    // No two may have the same, and no one may change it.
    expect(fields).to.not.include('Badge').and.not.include('Car');
    await dialog.getByLabel('Field').selectOption('Level');
    await dialog.getByLabel('Level: new value').fill('senior');
    await dialog.getByRole('button', { name: 'Change 1 user' }).click();
    await page.getByText('1 user changed.').waitFor();
    const change = async (field: string, act: () => Promise<unknown>) => {
      await page.getByLabel('Select promoted').check();
      await page.getByRole('button', { name: 'Change…' }).click();
      await dialog.getByLabel('Field').selectOption(field);
      await act();
      await dialog.getByRole('button', { name: 'Change 1 user' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await change('Remote', () => dialog.getByLabel('Remote: new value').selectOption('Yes'));
    await change('Hired', () => dialog.getByLabel('Hired: new value').fill('2026-03-01'));
    await change('Mentor', async () => {
      await dialog.getByLabel('Mentor: new value').first().fill('lovel');
      await dialog.getByRole('option', { name: 'Ada Lovelace' }).click();
    });
    await page.getByText('Mentor: Set Ada Lovelace. 1 user changed.').waitFor();
    await change('Valid until', () => dialog.getByLabel('Valid until: new value').fill('2036-12-31'));
    await page.getByText('Valid until: Set 31 Dec 2036. 1 user changed.').waitFor();
    const { attributes, validUntil } = await stage.read(id);
    expect(attributes).to.deep.equal({
      ...{ badge: 77, level: 'senior', remote: true, hired: '2026-03-01', mentor: userId },
    });
    expect(validUntil).to.equal('2037-01-01T00:00:00.000Z');
  });
});
