import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { checkLooks } from './accessible-screens.ts';
import { downloadOf, textOf, withoutPicker } from './downloads.ts';
import { keepPicture, setStage, settledList, userNamesOf } from './stage.ts';

describe("The comparisons of the console's filters", () => {
  const stage = setStage();

  before('Ada leads Bob and Cem; Ada and Bob are in a group', async () => {
    const ada = await stage.create({ userName: 'ada', displayName: 'Ada', title: 'Director' });
    const manager = { value: ada.id };
    const bob = await stage.create({ userName: 'bob', enterprise: { manager, department: 'Sales' } });
    const addresses = [{ locality: 'Zürich' }];
    await stage.create({
      userName: 'cem',
      addresses,
      enterprise: { manager, department: 'Marketing', costCenter: '4130', employeeNumber: 'E7' },
    });
    await stage.createGroup({ displayName: 'Staff' }, [ada.id, bob.id]);
    await stage.createGroup({ displayName: 'Archive' });
  });

  async function open(query = '', locale = 'en-GB') {
    const page = await stage.open({ query, browser: { locale } });
    await settledList(page);
    return page;
  }
  /** With the menu of filters closed before. */
  async function compare(page: Page, field: string, comparison?: string): Promise<void> {
    await page.locator('.filters summary').click();
    await page.getByRole('combobox', { name: /^(Field|Feld)$/ }).selectOption(field);
    if (comparison !== undefined)
      await page
        .getByRole('combobox', { name: /^(Comparison|Vergleich)$/ })
        .selectOption({ label: comparison });
  }
  const apply = (page: Page) => page.getByRole('button', { name: /^(Filter|Filtern)$/ }).click();
  async function finds(page: Page, chip: string, names: readonly string[]): Promise<void> {
    await page.locator('.chip').getByText(chip, { exact: true }).waitFor();
    await page.locator('.total', { hasText: new RegExp(`^${names.length} `) }).waitFor();
    await settledList(page);
    expect(await userNamesOf(page)).to.deep.equal(names);
  }

  it('find users without a manager, users with one, and users in no group', async () => {
    const page = await open();
    await compare(page, 'manager', 'is empty');
    await apply(page);
    await finds(page, 'Manager is empty', ['ada']);
    await compare(page, 'manager', 'is not empty');
    await apply(page);
    await finds(page, 'Manager is not empty', ['bob', 'cem']);
    await compare(page, 'group', 'is empty');
    await apply(page);
    await finds(page, 'In no group', ['cem']);
    await page.getByRole('button', { name: 'Remove the filter Manager is not empty' }).click();
    await page.locator('.chip').nth(1).waitFor({ state: 'detached' });
    await finds(page, 'In no group', ['cem']);
  });

  it('find empty groups', async () => {
    const page = await open();
    await page.goto(`${stage.address}groups`);
    await settledList(page);
    await compare(page, 'member', 'is empty');
    await apply(page);
    await finds(page, 'Without members', ['Archive']);
    expect(new URL(page.url()).search).to.equal('?member.exists=false');
  });

  it('find users with another value or without one, and people by name', async () => {
    const page = await open();
    await compare(page, 'department', 'is not');
    await page.getByRole('option', { name: 'Marketing' }).waitFor();
    await page.getByLabel('Department is not').fill('sales');
    await keepPicture(page, 'filter-comparison');
    await page.getByLabel('Department is not').press('Enter');
    await finds(page, 'Department is not: Sales', ['ada', 'cem']);
    await compare(page, 'department', 'is not empty');
    await apply(page);
    await finds(page, 'Department is not empty', ['cem']);
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await compare(page, 'manager', 'is not');
    await page.getByRole('combobox', { name: 'Manager is not' }).fill('ada');
    await page.getByRole('option', { name: 'Ada ada' }).click();
    await finds(page, 'Manager is not: Ada', ['ada']);
  });

  it('find users with one of several values, which are chosen one after the other', async () => {
    const page = await open();
    await compare(page, 'department', 'is one of');
    const offers = page.getByRole('listbox', { name: 'Values in use' });
    await offers.getByRole('option', { name: 'Sales' }).click();
    await finds(page, 'Department is one of: Sales', ['bob']);
    await page.getByLabel('Department is one of').and(page.locator(':focus')).pressSequentially('mark');
    await page.keyboard.press('Enter');
    await finds(page, 'Department is one of: Sales, Marketing', ['bob', 'cem']);
    expect(new URL(page.url()).search).to.equal('?department.in=Sales&department.in=Marketing');
    await page.reload();
    await finds(page, 'Department is one of: Sales, Marketing', ['bob', 'cem']);
    await compare(page, 'manager', 'is one of');
    await page.getByRole('combobox', { name: 'Manager is one of' }).fill('ada');
    await page.getByRole('option', { name: 'Ada ada' }).click();
    await finds(page, 'Manager is one of: Ada', ['bob', 'cem']);
    await page.getByRole('option', { name: 'Ada ada' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove the filter Department is one of' }).click();
    await page.locator('.chip').nth(1).waitFor({ state: 'detached' });
  });

  it('are in the address, which a colleague can open and Back returns to', async () => {
    const query = '?department.not=Sales&manager.exists=true&sort=-userName';
    const page = await open(query);
    await finds(page, 'Department is not: Sales', ['cem']);
    await page.locator('.chip', { hasText: 'Manager is not empty' }).waitFor();
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await page.locator('.total', { hasText: '3 users' }).waitFor();
    await page.goBack();
    await finds(page, 'Department is not: Sales', ['cem']);
    expect(new URL(page.url()).search).to.equal(query);
  });

  it('apply to the selection of all matches and to an export', async () => {
    const page = await open();
    await page.addInitScript(withoutPicker);
    await page.goto(`${stage.address}?manager.exists=true&columns=userName&size=1`);
    await settledList(page);
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByText('2 selected').waitFor();
    await page.getByText('Import and export').click();
    await page.getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export users' });
    const text = await textOf(
      await downloadOf(page, () => dialog.getByRole('button', { name: 'Export', exact: true }).click()),
    );
    expect(text)
      .to.match(/bob/)
      .and.to.match(/cem/)
      .and.to.not.match(/\bada\b/);
  });

  it('are offered where they make sense, for job title, cost center, employee number and city, too', async () => {
    const page = await open();
    const comparisons = page.getByRole('combobox', { name: 'Comparison' });
    await compare(page, 'active');
    expect(await comparisons.count()).to.equal(0);
    for (const [field, label, value, found] of [
      ['title', 'Job title', 'director', 'ada'],
      ['costCenter', 'Cost center', '4130', 'cem'],
      ['employeeNumber', 'Employee number', 'e7', 'cem'],
      ['city', 'City', 'zurich', 'cem'],
    ] as const) {
      await page.goto(`${stage.address}users`);
      await settledList(page);
      await compare(page, field);
      expect(await comparisons.locator('option').allInnerTexts(), field).to.deep.equal([
        'is',
        'is one of',
        'is not',
        'is empty',
        'is not empty',
      ]);
      await page.getByLabel(`${label} is exactly`).fill(value);
      await apply(page);
      await finds(page, `${label}: ${value}`, [found]);
    }
    await compare(page, 'userName');
    expect(await comparisons.locator('option').allInnerTexts()).to.deep.equal(['is', 'is one of', 'is not']);
  });

  it('are chosen by the keyboard, and pass axe', async () => {
    const page = await open();
    await compare(page, 'manager');
    await page.getByRole('combobox', { name: 'Field' }).press('Tab');
    await page.getByRole('combobox', { name: 'Comparison' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('combobox', { name: 'Manager is not' }).waitFor();
    await checkLooks(page, 'filter comparison menu');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await finds(page, 'Manager is empty', ['ada']);
    await page.locator('.filters summary').and(page.locator(':focus')).waitFor();
    await checkLooks(page, 'filter by absence');
  });

  it('have German names', async () => {
    const page = await open('', 'de-DE');
    await compare(page, 'manager', 'ist leer');
    const options = page.getByRole('combobox', { name: 'Vergleich' }).locator('option');
    expect(await options.allInnerTexts()).to.deep.equal([
      'ist',
      'ist eines von',
      'ist nicht',
      'ist leer',
      'ist nicht leer',
    ]);
    await apply(page);
    await finds(page, 'Führungskraft ist leer', ['ada']);
    await page.getByRole('button', { name: 'Filter „Führungskraft ist leer“ entfernen' }).click();
    await compare(page, 'group', 'ist leer');
    await apply(page);
    await finds(page, 'In keiner Gruppe', ['cem']);
    await compare(page, 'city', 'ist nicht');
    await page.getByLabel('Ort ist nicht').waitFor();
  });
});
