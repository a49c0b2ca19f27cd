import { expect } from 'chai';
import { search, setListStage, total } from './list-stage.ts';
import { columnOf, keepPicture, settledList, userNamesOf } from './stage.ts';

describe("The console's list", () => {
  const { stage, open, idOf } = setListStage();

  it('shows the users and their number, and has links through all pages and back', async () => {
    const page = await open('?sort=userName');
    await total(page, '120 users');
    const walked: string[] = await userNamesOf(page);
    expect(walked).to.have.length(50);
    const ways = page.getByRole('link', { name: 'page', disabled: false });
    expect(await ways.evaluateAll((links) => links.map((link) => link.ariaLabel))).to.deep.equal([
      'Next page',
      'Last page',
    ]);
    while ((await ways.and(page.getByRole('link', { name: 'Next page' })).count()) > 0) {
      const before = await page.locator('td.lead').first().innerText();
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.locator('tr:first-child td.lead', { hasNotText: before }).waitFor();
      await settledList(page);
      walked.push(...(await userNamesOf(page)));
    }
    expect(walked).to.deep.equal(
      Array.from({ length: 120 }, (_, at) => `user${String(at).padStart(3, '0')}`),
    );
    await page.getByRole('link', { name: 'Previous page' }).click();
    await page.getByText('user050', { exact: true }).waitFor();
    await total(page, '51–100 of 120 users');
    await page.getByRole('link', { name: 'First page' }).click();
    await page.getByText('user000', { exact: true }).waitFor();
    await total(page, '1–50 of 120 users');
    await page.getByRole('link', { name: 'Last page' }).click();
    await page.getByText('user119', { exact: true }).waitFor();
    await total(page, '71–120 of 120 users');
    await keepPicture(page, 'list');
  });

  it('searches while typing, after a pause', async () => {
    const page = await open();
    // A timer that began before isn't cleared by this clock, and would put back the text of its time.
    await page.clock.install();
    await page.reload();
    await settledList(page);
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/users' && !searchParams.has('total')) asked.push(searchParams.get('search') ?? '');
    });
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const key of 'zoe 11') {
      await search(page).press(key);
      await page.clock.runFor(249);
    }
    expect(asked).to.deep.equal([]);
    await page.clock.resume();
    await total(page, '5 users');
    await settledList(page);
    expect(await columnOf(page)).to.deep.equal(['Zoë 110', 'Zoë 112', 'Zoë 114', 'Zoë 116', 'Zoë 118']);
    expect(asked).to.deep.equal(['zoe 11']);
    expect(new URL(page.url()).searchParams.get('search')).to.equal('zoe 11');
  });

  it('sorts by the columns that the service can sort by, in both directions', async () => {
    const page = await open('?search=department+3');
    expect((await userNamesOf(page))[0]).to.equal('user103');
    await page.locator('th[aria-sort="ascending"]', { hasText: 'Name' }).waitFor();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.locator('th[aria-sort="descending"]').waitFor();
    await page.locator('tbody tr').first().getByText('user038', { exact: true }).waitFor();
    expect(page.url()).to.include('sort=-displayName');
    for (const name of ['Job title', 'Department']) {
      await page.getByRole('button', { name }).click();
      await page.locator('th[aria-sort="ascending"]', { hasText: name }).waitFor();
    }
    expect(page.url()).to.include('sort=department');
    expect(await page.getByRole('button', { name: 'Email addresses' }).count()).to.equal(0);
  });

  it('filters by the value of a field, with a chip for each filter, which removes it', async () => {
    const page = await open();
    await page.getByText('Filter', { exact: true }).click();
    await page.getByRole('button', { name: 'Inactive' }).click();
    await total(page, '12 users');
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Field').selectOption('role');
    await page.getByLabel('Role is exactly').fill('manager');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await total(page, '1 user');
    expect(await userNamesOf(page)).to.deep.equal(['user000']);
    await keepPicture(page, 'filtered');
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await total(page, '3 users');
    await page.goBack();
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await total(page, '120 users');
  });

  it('keeps its state in the address, for a colleague and for the Back button', async () => {
    const query = '?search=zoe&active=true&sort=-userName&columns=userName%2Croles';
    const page = await open(query);
    await total(page, '48 users');
    const names = await columnOf(page);
    expect(names[0]).to.equal('user118');
    expect(await page.getByRole('columnheader').allInnerTexts()).to.deep.equal([
      'Select all on this page',
      'User name',
      'Roles',
    ]);
    await page.getByRole('link', { name: 'user118' }).click();
    await page.getByRole('heading', { name: 'Zoë 118' }).waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await settledList(page);
    expect(await columnOf(page)).to.deep.equal(names);
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await total(page, '60 users');
    await page.goBack();
    await total(page, '48 users');
    await page.goBack();
    await page.getByRole('heading', { name: 'Zoë 118' }).waitFor();

    const colleague = await open(query);
    expect(await columnOf(colleague)).to.deep.equal(names);
  });

  it('opens from each number on the first page with the users that the number counts', async () => {
    const id = (await idOf('user001')) ?? expect.fail();
    await stage.patch(id, { validUntil: new Date(Date.now() + 28 * 24 * 60 * 60 * 1000).toISOString() });
    const page = await open();
    const imports = page.waitForResponse(/history\?.*type=user\.created/);
    await page.getByRole('banner').getByRole('link', { name: 'Overview' }).click();
    expect(new URL(page.url()).pathname).to.match(/\/console\/$/);
    for (const [name, count] of [
      ['All users', 120],
      ['Active', 108],
      ['Without a manager', 120],
      ['In no group', 120],
      ['Ending within 30 days', 1],
    ] as const)
      await page.getByRole('link', { name: `${name} ${count}`, exact: true }).waitFor();
    const latest = page.locator('.latest').first();
    await latest.waitFor();
    expect(await latest.innerText()).to.match(
      /^user001 Valid until none → \d+ \w+ \d{4}, [\d:]+\s+now by development$/,
    );
    await (await imports).finished();
    expect(await page.getByRole('region', { name: 'Added by imports' }).count()).to.equal(0);
    await keepPicture(page, 'overview');
    await page.getByRole('link', { name: 'Active 108' }).click();
    await total(page, '108 users');
    expect(new URL(page.url()).search).to.equal('?active=true');
    await page.goBack();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });
});
