import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { checkLooks } from './accessible-screens.ts';
import { setStage, settledList } from './stage.ts';

describe('The console by address and by keyboard', () => {
  const stage = setStage();
  before('three users are made', async () => {
    for (const name of ['Ada', 'Barbara', 'Grace'])
      await stage.create({ userName: name.toLowerCase(), displayName: name });
  });

  async function open(query = '?sort=userName') {
    const page = await stage.open({ query });
    await settledList(page);
    return page;
  }
  const isFocused = (page: Page, name: string) =>
    page.getByRole('link', { name, exact: true }).and(page.locator(':focus')).waitFor();
  const help = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

  const openHelp = async (page: Page) => {
    await page.locator('.account summary').click();
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  };

  it('has keys that move from row to row, open one, and return to it', async () => {
    const page = await open();
    await page.keyboard.press('j');
    await isFocused(page, 'Ada');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await isFocused(page, 'Grace');
    // The last row.
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await isFocused(page, 'Barbara');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Barbara' }).waitFor();
    await page.goBack();
    await isFocused(page, 'Barbara');
    await page.keyboard.press('k');
    await isFocused(page, 'Ada');
  });

  it('has keys for the search and a new user, which do nothing in a field', async () => {
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('njk?/');
    const search = page.getByRole('searchbox');
    expect(await search.inputValue()).to.equal('njk?/');
    expect(await help(page).count()).to.equal(0);
    await search.fill('');
    await page.getByLabel('Select ada').focus();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'New user' }).waitFor();
    await page.getByLabel('Given name').and(page.locator(':focus')).waitFor();
  });

  it('has a key that leads from a page without a search to the search of users', async () => {
    const page = await stage.open({ query: './' });
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('grace');
    await page.keyboard.press('ArrowDown');
    await isFocused(page, 'Grace');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Grace' }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox').and(page.locator(':focus')).waitFor();
  });

  it('has keys that move from the search to the first found row, select the row, and move to the actions', async () => {
    const page = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('grace');
    await page.keyboard.press('ArrowDown');
    await isFocused(page, 'Grace');
    await page.keyboard.press('x');
    await page.getByLabel('Select grace').and(page.locator(':checked')).waitFor();
    await isFocused(page, 'Grace');
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Show', exact: true }).and(page.locator(':focus')).waitFor();
    await page.getByLabel('Select grace').focus();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Select grace').isChecked()).to.equal(false);
    await page.keyboard.press('/');
    await page.keyboard.type('xa');
    expect(await page.getByRole('searchbox').inputValue()).to.equal('gracexa');
  });

  it('has keys that select a range, and that turn pages', async () => {
    const page = await open('?sort=userName&size=2');
    const entries = await page.evaluate('history.length');
    await page.keyboard.press('<');
    expect(await page.evaluate('history.length')).to.equal(entries);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('Shift+X');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('ArrowUp');
    await isFocused(page, 'Ada');
    await page.keyboard.press('ArrowDown');
    await isFocused(page, 'Barbara');
    await page.keyboard.press('>');
    await isFocused(page, 'Grace');
    await page.getByText('2 selected, none of them on this page').waitFor();
    await page.keyboard.press('<');
    await isFocused(page, 'Ada');
    expect(await page.getByLabel('Select barbara').isChecked()).to.equal(true);
  });

  it('turns one page for a key that is pressed twice, and leaves the focus in the search', async () => {
    const page = await open('?sort=userName&size=2');
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/users\?.*after=/, async (route) => {
      await held;
      await route.continue();
    });
    const entries = Number(await page.evaluate('history.length'));
    await page.keyboard.press('>');
    await page.keyboard.press('>');
    expect(await page.evaluate('history.length')).to.equal(entries + 1);
    await page.keyboard.press('/');
    release();
    await page.getByRole('link', { name: 'Grace', exact: true }).waitFor();
    await settledList(page);
    await page.keyboard.type('x');
    expect(await page.getByRole('searchbox').inputValue()).to.equal('x');
  });

  it('has a key for the first filter of the activity', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByLabel('Type of change').waitFor();
    await page.keyboard.press('/');
    await page.getByLabel('Type of change').and(page.locator(':focus')).waitFor();
  });

  it('leaves keys with Ctrl, Alt and other modifiers to the browser', async () => {
    const page = await open();
    for (const key of ['Control+j', 'Alt+n', 'Meta+k']) await page.keyboard.press(key);
    expect(await page.locator('.lead a:focus').count()).to.equal(0);
    expect(page.url()).to.not.include('new');
  });

  it('lists its keys in a dialog, which has an address and closes by Back', async () => {
    const page = await open();
    await page.keyboard.press('?');
    await help(page).waitFor();
    expect(new URL(page.url()).searchParams.get('dialog')).to.equal('shortcuts');
    await checkLooks(page, 'shortcuts');
    await page.keyboard.press('n');
    await help(page).waitFor();
    await page.goBack();
    await help(page).waitFor({ state: 'detached' });
    await page.goForward();
    await help(page).waitFor();
    await page.keyboard.press('Escape');
    await help(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).to.equal('?sort=userName');

    const colleague = await open('?sort=userName&dialog=shortcuts');
    await colleague.keyboard.press('Escape');
    await colleague.locator('#main:focus').waitFor();
    await colleague.keyboard.press('?');
    await help(colleague).getByRole('button', { name: 'Close' }).click();
    await help(colleague).waitFor({ state: 'detached' });
    expect(new URL(colleague.url()).search).to.equal('?sort=userName');
  });

  it('opens the dialog of a deletion by its address, and closes it by Back', async () => {
    const { id } = await stage.create({ userName: 'leaver', displayName: 'Lea Ver' });
    const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete Lea Ver?' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog(page).waitFor();
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Lea Ver' }).waitFor();

    const colleague = await stage.open({ query: `?user=${id}&dialog=delete` });
    await dialog(colleague).getByLabel('Type the user name to confirm').fill('leaver');
    await dialog(colleague).getByRole('button', { name: 'Delete', exact: true }).click();
    await colleague.getByText('Lea Ver was deleted.').waitFor();
    expect(new URL(colleague.url()).search).to.equal('');
  });

  it('can turn its keys off and on for this browser', async () => {
    const page = await open();
    await openHelp(page);
    await help(page).getByLabel('Use single-key shortcuts in this browser').uncheck();
    await page.keyboard.press('Escape');
    await help(page).waitFor({ state: 'detached' });
    await page.reload();
    await settledList(page);
    for (const key of 'j/n?') await page.keyboard.press(key);
    expect(await page.locator('.lead a:focus, input:focus, dialog').count()).to.equal(0);
    await openHelp(page);
    await help(page).getByLabel('Use single-key shortcuts in this browser').check();
    await page.keyboard.press('Escape');
    await page.locator('.account summary:focus').waitFor();
    await page.keyboard.press('j');
    await isFocused(page, 'Ada');
  });
});
