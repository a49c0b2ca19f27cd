import { expect } from 'chai';
import { search, setListStage, total } from './list-stage.ts';
import { columnOf, inSight, keepPicture, settledList } from './stage.ts';

describe("The console's list, besides paging, search and filters", () => {
  const { stage, open, idOf } = setListStage();

  it('keeps the focus on the link to a page that was pressed, also on the first and the last page', async () => {
    const page = await open();
    for (const [name, place] of [
      ['Last page', '71–120'],
      ['First page', '1–50'],
      ['Next page', '51–100'],
      ['Next page', '101–120'],
      ['Previous page', '51–100'],
      ['Previous page', '1–50'],
    ]) {
      const way = page.getByRole('link', { name: `${name}` });
      await way.press('Enter');
      await total(page, `${place} of 120 users`);
      await settledList(page);
      await way.and(page.locator(':focus')).waitFor();
    }
    await page.getByRole('link', { name: 'Previous page', disabled: true }).press('Tab');
    await page.getByRole('link', { name: 'Next page' }).and(page.locator(':focus')).waitFor();
  });

  it('never replaces a newer response by a late one', async () => {
    const page = await open();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: hasEnded, resolve: end } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: begun } = Promise.withResolvers<void>();
    await page.route(/\/users\?.*search=ada&/, async (route) => {
      begun();
      await held;
      // Given up by the page meanwhile.
      await route.continue().catch(() => undefined);
      const late = await route.request().response();
      await late?.finished();
      end();
    });
    await search(page).fill('ada');
    await isHeld;
    await search(page).fill('zoe 2');
    // Ada 1: in the previous list, and in the delayed one.
    await page.getByRole('link', { name: 'Ada 1', exact: true }).waitFor({ state: 'detached' });
    release();
    await hasEnded;
    await settledList(page);
    expect((await columnOf(page)).every((name) => name.startsWith('Zoë'))).to.equal(true);
  });

  for (const status of [400, 500])
    it(`shows no rows of an older search when a search fails with ${status}`, async () => {
      const page = await open();
      await page.route(/\/users\?.*search=zoe/, (route) => route.fulfill({ status, json: { status } }));
      await search(page).fill('zoe');
      await page.getByRole('alert').waitFor();
      expect(await columnOf(page)).to.deep.equal([]);
      await page.unroute(/\/users\?.*search=zoe/);
      await search(page).fill('ada');
      await total(page, '60 users');
      await settledList(page);
      await page.route(/\/users\?/, (route) => route.fulfill({ status, json: { status } }));
      // The same list again: its rows are still valid.
      await page.getByLabel('Select user001').check();
      await page.getByRole('button', { name: 'Deactivate…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('alert').waitFor();
      expect(await columnOf(page)).to.have.length(50);
      await stage.patch((await idOf('user001')) ?? '', { active: true });
    });

  it('shows the number of users above their cards on a phone, keeps paging in sight, and moves no card when one is selected', async () => {
    const page = await stage.open({
      query: '?sort=userName',
      browser: { viewport: { width: 360, height: 740 } },
    });
    await settledList(page);
    const place = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? NaN;
    const card = await place('tbody tr');
    expect(await place('.total')).to.be.below(card);
    expect(await place('.pager')).to.be.within(640, 740);
    const fifth = await page.locator('tbody tr').nth(4).boundingBox();
    expect((fifth?.y ?? 740) + (fifth?.height ?? 0)).to.be.below(await place('.pager'));
    await page.getByLabel('Select user000').click();
    await page.getByText('1 selected').waitFor();
    expect(await place('tbody tr')).to.equal(card);
    expect(await place('.pager')).to.be.within(640, 740);
    const bar = page.getByRole('region', { name: 'Selected users' });
    await inSight(page, bar.getByRole('button', { name: 'Delete…' }));
    expect(await bar.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).to.equal(0);
  });

  it('filters by the manager, who is found by name, and by the days of the last change', async () => {
    const boss = await stage.create({ userName: 'boss', displayName: 'Hilbert Boss' });
    const user = await stage.create({
      userName: 'led',
      enterprise: { manager: { value: boss.id.toUpperCase() } },
    });
    const page = await open('?search=led');
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Field').selectOption('manager');
    await page.getByRole('combobox', { name: 'Manager is' }).fill('hilb');
    await page.getByRole('option', { name: 'Hilbert Boss' }).click();
    await page.locator('.chip', { hasText: 'Manager: Hilbert Boss' }).waitFor();
    await total(page, '1 user');
    const day = await page.evaluate<string>(
      `new Date(${JSON.stringify(user.meta.lastModified)}).toLocaleDateString('sv')`,
    );
    for (const [field, label] of [
      ['lastModified.from', 'Changed since'],
      ['lastModified.to', 'Changed until'],
    ] as const) {
      await page.getByText('Filter', { exact: true }).first().click();
      await page.getByLabel('Field').selectOption(field);
      await page.getByRole('textbox', { name: label }).fill(day);
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.locator('.chip', { hasText: label }).waitFor();
    }
    await total(page, '1 user');
    expect(page.url()).to.include(`lastModified.to=${day}`);
    await page.goto(page.url().replaceAll(day, '2020-02-02'));
    await page.getByRole('heading', { name: 'No user matches' }).waitFor();
    for (const { id } of [boss, user]) await stage.ask(`/users/${id}`, { method: 'DELETE' });
  });

  it('filters by the last day of users, in the time zone of the person who looks', async () => {
    const user = await stage.create({ userName: 'leaving', validUntil: '2031-03-31T22:00:00Z' });
    const page = await open('?search=leaving&validUntil.from=2031-03-31&validUntil.to=2031-03-31');
    await page.locator('.chip', { hasText: 'Ends on or before: 31 Mar 2031' }).waitFor();
    await total(page, '1 user');
    for (const query of ['validUntil.from=2031-04-01', 'validUntil.to=2031-03-30'])
      await (await open(`?search=leaving&${query}`))
        .getByRole('heading', { name: 'No user matches' })
        .waitFor();
    await stage.ask(`/users/${user.id}`, { method: 'DELETE' });
  });

  it('offers the departments, user types and roles of the users that match the other filters', async () => {
    const page = await open('?search=ada');
    await page.locator('summary', { hasText: 'Filter' }).click();
    await page.getByLabel('Field').selectOption('department');
    const offers = page.getByRole('listbox', { name: 'Values in use' });
    await offers.getByRole('option', { name: 'Department 1' }).waitFor();
    expect(await offers.getByRole('option').allInnerTexts()).to.deep.equal(['Department 1', 'Department 3']);
    await page.getByLabel('Department is exactly').fill('DEPÁRTMENT 3');
    await offers.getByRole('option', { name: 'Department 1' }).waitFor({ state: 'detached' });
    await keepPicture(page, 'filter-suggestions');
    await offers.getByRole('option', { name: 'Department 3' }).click();
    await total(page, '30 users');
    await page.locator('.chip', { hasText: 'Department: Department 3' }).waitFor();
    await page.locator('summary', { hasText: 'Filter' }).click();
    await page.getByLabel('Field').selectOption('role');
    await offers.getByRole('option', { name: 'engineer' }).click();
    await total(page, '30 users');
  });

  it('filters by the keyboard: Enter takes the first value that begins with the input, or else the input', async () => {
    const page = await open();
    const filter = page.locator('summary', { hasText: 'Filter' });
    const enter = async (text: string) => {
      await filter.press('Enter');
      await page.getByLabel('Field').selectOption('department');
      await page.getByRole('option', { name: 'Department 3' }).waitFor();
      await page.getByLabel('Department is exactly').pressSequentially(text);
      await page.getByLabel('Department is exactly').press('Enter');
    };
    await enter('dep');
    await page.locator('.chip', { hasText: 'Department: Department 0' }).waitFor();
    await total(page, '30 users');
    expect(await filter.evaluate((element) => element === document.activeElement)).to.equal(true);
    await enter('ment 3');
    await page.locator('.chip', { hasText: 'Department: ment 3' }).waitFor();
    await total(page, '0 users');
  });

  it('moves with the arrow keys to the values and the people that a filter offers, and back', async () => {
    const page = await open();
    const filter = page.locator('summary', { hasText: 'Filter' });
    const chosen = (name: string) => page.getByRole('option', { name, selected: true }).waitFor();
    await filter.press('Enter');
    await page.getByLabel('Field').selectOption('department');
    await page.getByRole('option', { name: 'Department 3' }).waitFor();
    const department = page.getByLabel('Department is exactly');
    await department.fill('dep');
    await department.press('ArrowDown');
    await chosen('Department 0');
    await page.keyboard.press('ArrowUp');
    await department.and(page.locator(':focus')).waitFor();
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowDown');
    await chosen('Department 2');
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: 'Department: Department 2' }).waitFor();
    await filter.press('Enter');
    await page.getByLabel('Field').selectOption('manager');
    await page.getByRole('combobox', { name: 'Manager is' }).fill('user007');
    await page.locator('.inline[aria-busy=false] [role=option]:only-child').waitFor();
    await page.getByRole('combobox', { name: 'Manager is' }).press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.chip', { hasText: 'Manager: ' }).waitFor();
  });

  it('filters by a value that is found only after Enter', async () => {
    const page = await open();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/users\?.*limit=500/, async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('summary', { hasText: 'Filter' }).press('Enter');
    await page.getByLabel('Field').selectOption('department');
    await page.getByLabel('Department is exactly').fill('depart');
    await page.getByLabel('Department is exactly').press('Enter');
    release();
    await page.locator('.chip', { hasText: 'Department: Department 0' }).waitFor();
    await total(page, '30 users');
  });

  it('shows the chosen columns', async () => {
    const page = await open();
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByLabel('Email addresses').uncheck();
    await page.getByRole('checkbox', { name: 'User name' }).check();
    await page.getByLabel('Find a column').fill('COST');
    const offered = page.locator('.checks label');
    await page.getByLabel('Nickname').waitFor({ state: 'detached' });
    expect(await offered.allInnerTexts()).to.deep.equal(['Cost center']);
    await page.keyboard.press('Escape');
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByLabel('Nickname').waitFor();
    expect((await offered.allInnerTexts()).slice(0, 5)).to.deep.equal([
      'User name',
      'Name',
      'Job title',
      'Status',
      'Department',
    ]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('columnheader').allInnerTexts()).to.deep.equal([
      'Select all on this page',
      'Name',
      'User name',
      'Job title',
      'Department',
      'Manager',
      'Status',
    ]);
    expect((await columnOf(page, 3))[0]).to.equal('Department 1');
    await keepPicture(page, 'columns');
    const size = page.getByLabel('Rows per page');
    await size.selectOption('25');
    await page.locator('tbody tr:nth-child(25):last-child').waitFor();
    // The same browser later: the address says nothing.
    await page.goto(`${stage.address}users`);
    await settledList(page);
    expect(await page.getByRole('columnheader').last().innerText()).to.equal('Status');
    expect(await size.inputValue()).to.equal('25');
    expect(await columnOf(page)).to.have.length(25);
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Reset columns' }).click();
    await page.getByRole('columnheader', { name: 'Email addresses' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Email addresses' }).waitFor();
  });

  it('shows managers by name in a column, and requests each once', async () => {
    const boss = await stage.create({ userName: 'chief', displayName: 'Hilda Chief' });
    const manager = { value: boss.id };
    const made = [boss];
    for (const [userName, enterprise] of [
      ['chiefed-one', { manager }],
      ['chiefed-two', { manager }],
      ['chiefed-three', { manager: { value: '', displayName: 'From Outside' } }],
      ['chiefed-two-more', { manager: { ...manager, displayName: 'H. Chief' } }],
      ['chiefed-zero', {}],
    ] as const)
      made.push(await stage.create({ userName, enterprise }));
    const page = await open('?search=chiefed&sort=userName&columns=userName');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByLabel('Find a column').fill('manag');
    expect(await page.locator('.checks label').allInnerTexts()).to.deep.equal(['Manager']);
    await page.getByLabel('Find a column').press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Manager', exact: true }).waitFor();
    await page.locator('tbody').getByRole('link', { name: 'Hilda Chief' }).nth(2).waitFor();
    expect(await columnOf(page, 1)).to.deep.equal([
      'Hilda Chief',
      'From Outside (not a user)',
      'Hilda Chief',
      'Hilda Chief',
      '–',
    ]);
    expect(asked.filter((path) => path === `/users/${boss.id}`)).to.have.length(1);
    await keepPicture(page, 'list-managers');
    for (const { id } of made) await stage.ask(`/users/${id}`, { method: 'DELETE' });
  });

  it('keeps the menu of columns open while labels are clicked', async () => {
    const page = await open();
    await page.getByText('Columns', { exact: true }).first().click();
    await page.getByText('Nickname', { exact: true }).click();
    await page.getByRole('columnheader', { name: 'Nickname' }).waitFor();
    await page.getByRole('checkbox', { name: 'Nickname' }).and(page.locator(':checked')).waitFor();
  });

  it('shows the primary of several addresses', async () => {
    const page = await open('?userName=user007');
    expect(await columnOf(page, 5)).to.deep.equal(['work7@example.com +1']);
  });

  it('shows all users in the same order and columns by the navigation, and the found ones by Back', async () => {
    const query = '?search=zoe&active=true&sort=-userName&columns=userName';
    const page = await open(query);
    await page.getByRole('link', { name: 'user118' }).click();
    await page.getByRole('heading', { name: 'Zoë 118' }).waitFor();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await total(page, '120 users');
    expect(new URL(page.url()).search).to.equal('?sort=-userName&columns=userName');
    await page.goBack();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await total(page, '48 users');
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await total(page, '120 users');
    await page.goBack();
    await total(page, '48 users');
  });

  it('saves lists by name in the browser, without data about people', async () => {
    const page = await open('?search=zoe&active=false&userName=user000&department=Department+0&sort=title');
    await page.getByText('Views', { exact: true }).click();
    await page.getByText('Without the search and filters by names').waitFor();
    await page.getByLabel('Save this list as').fill('Leavers');
    await page.keyboard.press('Enter');
    await page.locator('.views-menu summary:focus').waitFor();
    await page.getByText('“Leavers” is saved in this browser.').waitFor();
    const kept = await page.evaluate<string>('localStorage.getItem("console.views")');
    expect(kept)
      .to.include('active=false')
      .and.to.not.match(/zoe|user000/);
    await page.goto(`${stage.address}users`);
    await settledList(page);
    await page.getByText('Views', { exact: true }).click();
    await page.getByRole('link', { name: 'Leavers' }).click();
    await total(page, '6 users');
    expect(new URL(page.url()).search).to.equal('?active=false&department=Department+0&sort=title');
    // It does not stay over the rows.
    await page.getByRole('link', { name: 'Leavers' }).waitFor({ state: 'hidden' });
    await page.getByText('Views', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove the view Leavers' }).click();
    await page.reload();
    await page.getByText('Views', { exact: true }).click();
    await page.getByLabel('Save this list as').waitFor();
    expect(await page.getByRole('link', { name: 'Leavers' }).count()).to.equal(0);
  });

  it('goes back to the state before the typing, not key by key', async () => {
    const page = await open('?active=true');
    await search(page).pressSequentially('zo');
    await total(page, '48 users');
    await search(page).pressSequentially('e 11');
    await total(page, '4 users');
    await page.goBack();
    await total(page, '108 users');
    expect(await search(page).inputValue()).to.equal('');
  });

  it('keeps a letter that is typed while the search before it enters the address', async () => {
    const page = await open();
    await page.evaluate(`{
      const box = document.querySelector('input[type=search]');
      const push = history.pushState.bind(history);
      history.pushState = (...given) => {
        push(...given);
        box.setRangeText('e', 2, 2);
        box.dispatchEvent(new Event('input', { bubbles: true }));
      };
    }`);
    await search(page).fill('zo 11');
    await page.waitForURL(/search=zoe\+11$/);
    await total(page, '5 users');
    expect(await search(page).inputValue()).to.equal('zoe 11');
  });

  it('says what to do when no user matches, and when a search is invalid', async () => {
    const page = await open('?search=nobody');
    await page.getByRole('heading', { name: 'No user matches' }).waitFor();
    await keepPicture(page, 'nobody-matches');
    await page.getByRole('link', { name: 'Show all' }).click();
    await total(page, '120 users');
    await search(page).fill('---');
    await page.getByRole('alert').filter({ hasText: 'search must' }).waitFor();
    expect(await columnOf(page)).to.deep.equal([]);
  });

  it('shows the chosen number of rows on a page, and keeps it in the address', async () => {
    const page = await open('?sort=-userName');
    await page.getByLabel('Rows per page').selectOption('25');
    await total(page, '1–25 of 120 users');
    await page.getByRole('link', { name: 'Next page' }).click();
    await total(page, '26–50 of 120 users');
    expect(await columnOf(page)).to.have.length(25);
    const colleague = await open(new URL(page.url()).search);
    await total(colleague, '26–50 of 120 users');
    expect(await columnOf(colleague)).to.deep.equal(await columnOf(page));
    await colleague.getByRole('link', { name: 'Previous page' }).click();
    await total(colleague, '1–25 of 120 users');
    const few = await open('?search=zoe+11&size=3');
    await total(few, '1–3 of 5 users');
    expect(await few.getByLabel('Rows per page').inputValue()).to.equal('3');
  });

  it('shows names of people first, and the user name where there is no other name', async () => {
    await stage.create({ userName: 'nameless-one' });
    await stage.create({ userName: 'nameless-two', name: { givenName: 'Ada', familyName: 'King' } });
    const page = await open('?search=nameless&sort=userName');
    expect(await columnOf(page)).to.deep.equal(['nameless-one', 'Ada King']);
    for (const userName of ['nameless-one', 'nameless-two']) {
      const found = (await (await stage.ask(`/users?userName=${userName}`)).json()) as {
        users: { id: string }[];
      };
      await stage.ask(`/users/${found.users[0]?.id}`, { method: 'DELETE' });
    }
  });

  it('opens its menus inside the window, on wide and on narrow screens', async () => {
    const page = await open();
    for (const width of [1280, 360, 320]) {
      await page.setViewportSize({ width, height: 740 });
      for (const menu of await page.locator('details.menu').all()) {
        await menu.locator('summary').click();
        // They are moved once they are open.
        await page.waitForFunction(() => {
          const body = document.querySelector('details[open] > .menu-body')?.getBoundingClientRect();
          return body !== undefined && body.left >= 0 && body.right <= document.documentElement.clientWidth;
        });
        await page.keyboard.press('Escape');
      }
    }
  });

  it('keeps the name of each row in sight while the other columns scroll', async () => {
    const columns =
      'displayName,userName,nickName,title,userType,locale,timezone,active,emails,roles,meta.created';
    const page = await stage.open({
      query: `?sort=userName&columns=${columns}`,
      browser: { viewport: { width: 700, height: 600 } },
    });
    await settledList(page);
    await page.locator('.table-frame').evaluate((frame) => {
      (frame as unknown as { scrollLeft: number }).scrollLeft = 400;
    });
    const box = await page.getByRole('link', { name: 'Zoë 0', exact: true }).boundingBox();
    expect(box?.x).to.be.within(16, 100);
    await keepPicture(page, 'list-scrolled-sideways');
  });

  it('shows the status of people with long names and titles on a tablet', async () => {
    const boss = await stage.create({
      userName: 'tablet-boss',
      displayName: 'Maximiliane Featherstonehaugh',
    });
    await stage.create({
      ...{ userName: 'tablet', displayName: 'Bartholomew Featherstonehaugh-Cholmondeley' },
      ...{ title: 'Senior coordinator of seasonal greenhouses', active: false },
      enterprise: { department: 'Research into perennial plants', manager: { value: boss.id } },
    });
    const page = await stage.open({
      query: '?search=tablet&sort=userName',
      browser: { viewport: { width: 768, height: 600 } },
    });
    await settledList(page);
    const status = await page.getByRole('cell', { name: 'Inactive' }).boundingBox();
    expect((status?.x ?? 768) + (status?.width ?? 0)).to.be.below(768);
  });

  it('scrolls a row into view when the Tab key reaches its box', async () => {
    const page = await open('?sort=userName');
    await page.getByLabel('Select user000').focus();
    const below: unknown[] = [];
    for (let tab = 0; tab < 70; tab++) {
      await page.keyboard.press('Tab');
      const room = await page.evaluate<number>(
        `document.querySelector('.table-frame').getBoundingClientRect().bottom - document.activeElement.getBoundingClientRect().bottom`,
      );
      if (room < 5) below.push({ tab, room });
    }
    expect(below).to.deep.equal([]);
  });

  it('returns the focus to the row that was opened', async () => {
    const page = await open('?search=zoe&sort=userName');
    await page.getByRole('link', { name: 'Zoë 40', exact: true }).click();
    await page.getByRole('heading', { name: 'Zoë 40' }).waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('link', { name: 'Zoë 40', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Zoë 40' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Zoë 40', exact: true }).and(page.locator(':focus')).waitFor();
  });

  it('keeps its columns while it waits, and shows a skeleton only the first time', async () => {
    const page = await open();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/users\?/, async (route) => {
      await held;
      await route.continue();
    });
    await search(page).fill('zoe');
    await page.locator('table.rows[aria-busy="true"]').waitFor();
    expect(await columnOf(page)).to.have.length(50);
    expect(await page.locator('.skeleton').count()).to.equal(0);
    release();
    await total(page, '60 users');
  });
});
