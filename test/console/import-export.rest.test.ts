import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { downloadOf, textOf, withoutPicker } from './downloads.ts';
import { inSight, keepPicture, setStage, settledList, userNamesOf } from './stage.ts';

describe('Files in the console', () => {
  const stage = setStage();

  async function openImport(query = 'import', locale = 'en') {
    const page = await stage.open({ query, browser: { locale } });
    await page.locator('input[type=file]').waitFor({ state: 'attached' });
    return page;
  }
  const choose = (page: Page, name: string, content: string | Buffer) =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  /** The buttons that a person is led to. */
  const primary = (page: Page) => page.locator('main button.primary').allTextContents();
  /** Of the columns. */
  const chosenFields = (page: Page) =>
    page.evaluate<readonly string[]>(
      "[...document.querySelectorAll('.preview select')].map((one) => one.selectedOptions[0].textContent)",
    );
  const usersOf = async (query: string): Promise<readonly User[]> =>
    ((await (await stage.ask(`/users?${query}`)).json()) as { readonly users: User[] }).users;

  /** The dialog of an export, from a list. */
  async function openExport(query: string) {
    const page = await stage.open({ query });
    await page.addInitScript(withoutPicker);
    await page.reload();
    await settledList(page);
    await page.getByText('Import and export').click();
    await press(page, 'Export…');
    const dialog = page.getByRole('dialog', { name: 'Export users' });
    const save = () =>
      downloadOf(page, () => dialog.getByRole('button', { name: 'Export', exact: true }).click());
    return { page, dialog, save };
  }

  it('imports a table after its headings were matched and a check showed its mistakes by row and cell', async () => {
    const page = await openImport();
    await choose(
      page,
      'staff.csv',
      'Benutzername;Vorname;Aktiv;Kürzel\r\nfiles-ada;Ada;ja;AL\r\nfiles-bob;Bob;vielleicht;BB\r\nfiles-ada;Eve;nein;\r\n',
    );
    await page.getByLabel('Field for “Kürzel”').waitFor();
    expect(await page.getByLabel('Field for “Benutzername”').inputValue()).to.equal('userName');
    expect(await page.getByLabel('Field for “Kürzel”').inputValue()).to.equal('');
    await page.getByLabel('Field for “Kürzel”').selectOption({ label: 'Nickname' });
    await keepPicture(page, 'import-columns', true);
    expect(await primary(page)).to.deep.equal(['Check']);
    await press(page, 'Check');
    await page.getByText('Checked. Nothing was changed.').waitFor();
    expect(await primary(page)).to.deep.equal([]);
    const buttons = await page.locator('.import button').allTextContents();
    expect(buttons.filter((name) => /Check|Import/.test(name))).to.deep.equal([
      ...['Check again', 'Import the other rows'],
    ]);
    const withCorrections = page.getByRole('button', { name: 'Import with the corrections' });
    expect(await withCorrections.count()).to.equal(0);
    await page.getByText('1 would be created, 2 would be refused.').waitFor();
    const cell = (label: string) => page.getByRole('listitem').getByLabel(label);
    const mistakeOf = (label: string) =>
      cell(label).evaluate((input) => input.closest('div')?.querySelector('.mistake')?.textContent);
    expect(await mistakeOf('Aktiv C3')).to.equal(
      'Must be true or false, such as yes/no, ja/nein, WAHR/FALSCH, VRAI/FAUX or 1/0. Other words: “Words for true and false”',
    );
    expect(await mistakeOf('Benutzername A4')).to.equal('Is in row 2 already');
    await cell('Aktiv C3').fill('vielleicht nicht');
    // The columns are folded once the file is checked.
    await page.locator('.import .fold summary').first().click();
    await page.locator('.preview').getByRole('cell', { name: 'vielleicht nicht' }).waitFor();
    expect(await withCorrections.isEnabled()).to.equal(true);
    expect(await primary(page)).to.deep.equal(['Import with the corrections']);
    await page.getByLabel('Change existing entries; refuse new ones').check();
    await page.getByLabel('Create new entries; refuse those that exist and differ').check();
    await press(page, 'Check');
    await page.getByText('1 would be created, 2 would be refused.').waitFor();
    expect(await cell('Aktiv C3').inputValue()).to.equal('vielleicht nicht');
    await press(page, 'Import the other rows');
    await page.getByText('Imported in part').waitFor();
    await page.getByText('1 created, 2 refused.').waitFor();
    await keepPicture(page, 'import-result', true);
    const rejects = await downloadOf(page, () => press(page, 'Download the refused rows'));
    expect(rejects.suggestedFilename()).to.match(/^users-refused-\d{4}-\d\d-\d\d\.csv$/);
    const [heading, first] = (await textOf(rejects)).split('\r\n');
    expect(heading).to.equal('Benutzername;Vorname;Aktiv;Kürzel;$rejected');
    expect(first).to.match(
      /^files-bob;Bob;vielleicht nicht;BB;"row 3, cell C3 ""Aktiv"": must be true or false/,
    );
    const [ada] = await usersOf('userName=files-ada');
    expect(ada).to.include({ nickName: 'AL', active: true });
    await keepPicture(page, 'import-corrections', true);
    await cell('Aktiv C3').fill('nein');
    await cell('Benutzername A4').fill('files ada');
    await press(page, 'Check again');
    await page.getByText('1 would be created, 1 would be refused.').waitFor();
    expect(await cell('Benutzername A4').evaluate((input) => input === document.activeElement)).to.equal(
      true,
    );
    expect(await mistakeOf('Benutzername A4')).to.equal('Must not contain spaces');
    await cell('Benutzername A4').fill('files-eve');
    await page.getByText('The other 3 cells').click();
    await cell('Kürzel D4').fill('EE');
    await press(page, 'Import with the corrections');
    await page.getByText('2 created.').waitFor();
    expect(await usersOf('search=files-eve')).to.have.length(1);
    const [bob] = await usersOf('userName=files-bob');
    expect(bob).to.include({ nickName: 'BB', active: false });
  });

  it('reads dates as spreadsheets write them, and asks which of day and month is first where the column does not tell', async () => {
    const page = await openImport();
    const table = (days: readonly string[]) =>
      ['User name;Valid until', ...days.map((day, at) => `files-day-${at};${day}`), ''].join('\r\n');
    await choose(page, 'days.csv', table(['31.12.2036', '1.2.2037']));
    await page.getByText('Day first: 31/12/2026').first().waitFor();
    await press(page, 'Check');
    await page.getByText('2 would be created.').waitFor();
    await choose(page, 'days.csv', table(['1/2/2037', '2/31/2037']));
    await press(page, 'Check');
    await page.getByText('2 would be refused.').waitFor();
    expect(await page.locator('.import .mistake').allTextContents()).to.deep.equal([
      'May begin with its day or its month: choose which under “How the file is read”',
      'There is no such day',
    ]);
    await page.getByText('How the file is read').first().click();
    await page.getByLabel('Dates such as 1/2/2026').selectOption('Month first: 12/31/2026');
    await press(page, 'Import');
    await page.getByText('1 created, 1 refused.').waitFor();
    const [day] = await usersOf('userName=files-day-0');
    expect(day?.validUntil).to.equal('2037-01-03T00:00:00.000Z');
  });

  it('names fields as the forms do, in columns and mistakes, together with the headings of the file', async () => {
    await stage.create({ userName: 'files-named' });
    const page = await openImport('import', 'de-DE');
    const headings = ['userName', 'emails.0.value', 'emails.0.primary', 'emails.1.type', 'Rufname'];
    const rows = ['files-named,not an address,true,home,N', ''];
    await choose(page, 'named.csv', [headings, ...rows].join('\r\n'));
    await page.locator('.preview select').first().waitFor();
    expect(await chosenFields(page)).to.deep.equal([
      'Benutzername',
      'E-Mail-Adresse',
      'E-Mail-Adresse › Bevorzugt',
      'E-Mail-Adresse 2 › Art',
      'Rufname',
    ]);
    await press(page, 'Prüfen');
    expect(await page.locator('.correction label.field > span').first().innerText()).to.equal(
      'E-Mail-Adresse emails.0.value B2',
    );
  });

  for (const locale of ['en', 'de-DE'])
    it(`recognizes headings with the labels of the forms (${locale})`, async () => {
      const page = await openImport('import', locale);
      await choose(page, 'one.csv', 'userName\r\nx\r\n');
      await page.locator('.preview select').waitFor();
      const offered = await page.locator('.preview option').allTextContents();
      const words = offered.slice(1, -1).filter((word) => !word.includes('›'));
      expect(words).to.have.length.above(15);
      await choose(page, 'all.csv', [words.join(';'), words.map(() => 'x').join(';'), ''].join('\r\n'));
      await page
        .locator('.preview select')
        .nth(words.length - 1)
        .waitFor();
      expect(await chosenFields(page)).to.deep.equal(words);
    });

  it('names the columns that it leaves out, and typed fields in plain words', async () => {
    const page = await openImport();
    const headings = 'userName,Hire date,Mobile phone,Block sign in,Notes';
    await choose(page, 'others.csv', `${headings}\r\nhired-left,1.1.,0170,Yes,x\r\n`);
    await page.getByText('Left out: Hire date, Notes').waitFor();
    expect(await chosenFields(page)).to.deep.equal([
      ...['User name', 'Leave out', 'Phone number (mobile)', 'Status (the opposite)', 'Leave out'],
    ]);
    await press(page, 'Import');
    await page.getByText('1 created.').waitFor();
    const [user] = await usersOf('userName=hired-left');
    expect(user).to.deep.include({ active: false, phoneNumbers: [{ value: '0170', type: 'mobile' }] });
  });

  it('shows a table of an unknown encoding in the likeliest ones, and reads it in the chosen one', async () => {
    const page = await openImport();
    await choose(
      page,
      'staff.csv',
      Buffer.from('userName,title\r\nfiles-pl,Ksi\xeagowo\x9c\xe6\r\n', 'latin1'),
    );
    await page
      .getByText('choose the encoding in which this is right: windows-1250 "files-pl,Księgowość"')
      .waitFor();
    await page.getByText('How the file is read').click();
    await page.getByLabel('Encoding').selectOption('windows-1250');
    await page.getByRole('cell', { name: 'Księgowość' }).waitFor();
  });

  it('fill the available width with their columns', async () => {
    const page = await openImport();
    await page.setViewportSize({ width: 1600, height: 900 });
    const headings = Array.from({ length: 9 }, (_, at) => `attributes.ofAWideName${at}`);
    await choose(page, 'wide.csv', [['userName', ...headings], ['files-wide'], ''].join('\r\n'));
    const frame = await page.locator('.table-frame').boundingBox();
    await keepPicture(page, 'import-wide', true);
    expect(frame?.width).to.be.above(1500);
  });

  it('shows the result of an import on a low screen, and links to all users, imported ones first', async () => {
    const page = await openImport('import?department=Nowhere');
    await page.setViewportSize({ width: 1280, height: 500 });
    await choose(page, 'more.csv', 'userName\r\nfiles-low\r\n');
    await press(page, 'Import');
    const imported = page.getByText('1 created.');
    await imported.waitFor();
    await page.waitForFunction(
      (box) => box !== null && box.getBoundingClientRect().bottom <= innerHeight,
      await imported.elementHandle(),
    );
    await page.getByRole('link', { name: 'Show the users created today' }).waitFor();
    const changes = page.getByRole('link', { name: 'Show the changes of this import' });
    const address = new URL((await changes.getAttribute('href')) ?? '', page.url()).href;
    await page.getByRole('link', { name: 'Show all users' }).click();
    await settledList(page);
    expect((await userNamesOf(page))[0]).to.equal('files-low');
    expect(await page.locator('.chip').count()).to.equal(0);
    await page.goto(address);
    await page.getByRole('link', { name: 'files-low' }).waitFor();
    expect(await page.locator('.change-line').count()).to.equal(1);
  });

  it('keeps the button in sight that checks the file, and then the button that imports the corrected rows', async () => {
    const page = await openImport();
    await page.setViewportSize({ width: 1280, height: 500 });
    const rows = Array.from({ length: 12 }, (_, at) => `files low ${at}`);
    await choose(page, 'wrong.csv', ['userName', ...rows, ''].join('\r\n'));
    await inSight(page, page.getByRole('button', { name: 'Check', exact: true }));
    await press(page, 'Check');
    await page.getByText('12 would be refused.').waitFor();
    const cells = page.getByRole('listitem').getByLabel(/^User name/);
    for (const [place, cell] of [cells.first(), cells.nth(5), cells.last()].entries()) {
      await cell.fill(`files-low-${place}`);
      expect(await primary(page)).to.deep.equal(['Import with the corrections']);
      await inSight(page, page.getByRole('button', { name: 'Import with the corrections', disabled: false }));
    }
    await keepPicture(page, 'import-corrected');
    await press(page, 'Import with the corrections');
    await page.getByText('3 created, 9 refused.').waitFor();
  });

  it('keeps corrected rows until they are imported, also while another view is open', async () => {
    const page = await openImport();
    await choose(page, 'two.csv', 'userName;Kürzel\r\nfiles-kept;K\r\nfiles kept;L\r\n');
    await page.getByLabel('Field for “Kürzel”').selectOption({ label: 'Nickname' });
    await press(page, 'Import');
    await page.getByText('1 created, 1 refused.').waitFor();
    const cell = page.getByRole('listitem').getByLabel('userName A3');
    await cell.fill('files-kept-too');
    await page.getByRole('link', { name: 'Show all users' }).click();
    await settledList(page);
    await page.locator('.account summary').click();
    await press(page, 'Sign out');
    await page.getByRole('dialog', { name: 'unsaved changes' }).waitFor();
    await press(page, 'Stay signed in');
    await page.goBack();
    await page.getByLabel('Field for “Kürzel”').waitFor();
    await press(page, 'Import');
    await page.getByText('1 created, 1 unchanged.').waitFor();
    const [kept] = await usersOf('userName=files-kept-too');
    expect(kept).to.include({ nickName: 'L' });
    await page.getByRole('link', { name: 'Show all users' }).click();
    await page.locator('.account summary').click();
    await press(page, 'Sign out');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it('ask at a sign-out before they drop corrected rows', async () => {
    const page = await openImport();
    await choose(page, 'one.csv', 'userName\r\nfiles dropped\r\n');
    await press(page, 'Check');
    await page.getByRole('listitem').getByLabel('userName A2').fill('files-dropped');
    await page.locator('.account summary').click();
    await press(page, 'Sign out');
    await press(page, 'Discard changes and sign out');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const mayLeave = "dispatchEvent(new Event('beforeunload', { cancelable: true }))";
    expect(await page.evaluate(mayLeave)).to.equal(true);
  });

  for (const [format, text] of Object.entries({
    jsonl: '{"userName":"files-jsonl","active":false}\n{"userName":"files jsonl"}\n',
    json: '{"users":[{"userName":"files-json","active":false},{"userName":"files json"}]}',
    xml: '<users xmlns="urn:user-management:1"><user><userName>files-xml</userName><active>false</active></user><user><userName>files xml</userName></user></users>',
  }))
    it(`imports ${format} compressed with gzip, says why a user is refused, and imports the corrected user`, async () => {
      const page = await openImport();
      await choose(page, `users.${format}.gz`, gzipSync(text));
      await page.getByRole('cell', { name: `files-${format}` }).waitFor();
      await press(page, 'Import');
      await page.getByText('1 created, 1 refused.').waitFor();
      await page.getByText(/^User name: Must not contain spaces$/).waitFor();
      const rejects = await textOf(await downloadOf(page, () => press(page, 'Download the refused rows')));
      expect(rejects).to.contain(`files ${format}`).and.to.contain('$rejected');
      const [user] = await usersOf(`userName=files-${format}`);
      expect(user).to.include({ active: false });
      const field = page.getByRole('listitem').getByLabel('As it stands in the file');
      const written = await field.inputValue();
      await field.fill(written.repeat(2));
      await press(page, 'Check again');
      await page.getByText(/^1 would be refused\.$/).waitFor();
      await field.fill(written.replace(`files ${format}`, `files-${format}-too`));
      await press(page, 'Import with the corrections');
      await page.getByText(/^1 created\.$/).waitFor();
      expect(await usersOf(`userName=files-${format}-too`)).to.have.length(1);
    });

  it('changes existing users, keeps fields without a column, and leaves equal users unchanged', async () => {
    const ada = await stage.create({ userName: 'files-there', title: 'Countess', nickName: 'A' });
    const same = await stage.create({ userName: 'files-same', title: 'Duke' });
    const page = await openImport();
    await choose(
      page,
      'titles.csv',
      'userName,title\r\nfiles-there,Lady\r\nFILES-SAME,Duke\r\nfiles-new,Sir\r\n',
    );
    await page.getByLabel('Create new entries and change existing ones').check();
    await press(page, 'Check');
    await page.getByText('1 would be created, 2 would be changed.').waitFor();
    expect(await primary(page)).to.deep.equal(['Import']);
    await choose(
      page,
      'titles.csv',
      'userName,title\r\nfiles-there,Lady\r\nfiles-same,Duke\r\nfiles-new,Sir\r\n',
    );
    await page.getByLabel('Change existing entries; refuse new ones').check();
    await press(page, 'Import');
    await page.getByText('1 changed, 1 unchanged, 1 refused.').waitFor();
    await page.getByText('no user has this value').waitFor();
    expect(await stage.read(ada.id)).to.include({ title: 'Lady', nickName: 'A' });
    expect((await stage.read(same.id)).meta.version).to.equal(same.meta.version);
  });

  for (const [name, content] of [
    ['skipped.csv', 'userName\nskip-good\nskip bad\n'],
    ['skipped.jsonl', '{"userName":"skip-good-2"}\n{"userName":"skip bad"}\n'],
  ] as const)
    it(`leaves out a refused row that a person skips: ${name}`, async () => {
      const page = await openImport();
      await choose(page, name, content);
      await press(page, 'Check');
      await page.getByText('1 would be created, 1 would be refused.').waitFor();
      await press(page, 'Skip this row');
      await press(page, 'Include this row');
      await press(page, 'Skip this row');
      await press(page, 'Import with the corrections');
      await page.getByText('1 created, 1 skipped.', { exact: true }).waitFor();
      expect(await page.getByRole('heading', { name: 'Mistakes' }).count()).to.equal(0);
      await page.getByRole('heading', { name: 'Skipped rows' }).waitFor();
      await press(page, 'Include this row');
      const row = page.locator('.correction').getByRole('textbox').first();
      await row.fill((await row.inputValue()).replace('skip bad', `included-${name}`));
      await press(page, 'Import');
      await page.getByText('1 created, 1 unchanged.', { exact: true }).waitFor();
    });

  it('offers a template, whose headings it recognizes', async () => {
    for (const locale of ['en', 'de-DE']) {
      const page = await openImport('import', locale);
      const template = await downloadOf(page, () =>
        page.getByRole('button', { name: /^Download a template$|^Vorlage herunterladen$/ }).click(),
      );
      const text = await textOf(template);
      expect(text).to.match(/Manager|Führungskraft/);
      await choose(page, 'template.csv', `${text}x\r\n`);
      await page.locator('.preview select').first().waitFor();
      expect(await chosenFields(page)).not.to.include.oneOf(['Leave out', 'Nicht übernehmen']);
    }
  });

  it('imports groups at a separate address', async () => {
    const page = await openImport('import?groups');
    await choose(page, 'groups.csv', 'displayName,description\r\nFiles,Of paper\r\n');
    await press(page, 'Import');
    await page.getByText('1 created.').waitFor();
    await page.getByRole('link', { name: 'Show all groups' }).click();
    await page.getByRole('link', { name: 'Files', exact: true }).waitFor();
  });

  for (const [locale, press, title, own, operation, all] of [
    ['en', 'Import', 'Added by imports', /^3 users\s.+ by development$/, 'One operation', 'All changes'],
    [
      'de-DE',
      'Importieren',
      'Durch Importe angelegt',
      /^3 Benutzer\s.+ von development$/,
      'Ein Vorgang',
      'Alle Änderungen',
    ],
  ] as const)
    it(`shows imports on the first page, with the number of users that each created, and links to them (${locale})`, async () => {
      const page = await openImport('import', locale);
      const names = ['a', 'b', 'c'].map((name) => `listed-${locale}-${name}`);
      await choose(page, 'staff.csv', ['userName', ...names, ''].join('\r\n'));
      await page.getByRole('button', { name: press, exact: true }).click();
      await page
        .locator('.import')
        .getByText(/^3 (created|angelegt)\.$/)
        .waitFor();
      await stage.create({ userName: `alone-${locale}` });
      await page.goto(stage.address);
      const imports = page.getByRole('region', { name: title });
      const newest = imports.getByRole('listitem').first();
      await newest.waitFor();
      expect(await newest.innerText()).to.match(own);
      await keepPicture(page, `overview-imports-${locale}`, true);
      await newest.getByRole('link').click();
      await page.getByRole('link', { name: operation }).and(page.locator('[aria-current]')).waitFor();
      const changes = page.locator('.changes > li');
      for (const name of names)
        await changes.locator('li').getByRole('link', { name, exact: true }).waitFor();
      expect(await changes.count()).to.equal(1);
      await keepPicture(page, `activity-import-${locale}`);
      await page.getByRole('link', { name: all, exact: true }).click();
      await changes.getByRole('link', { name: `alone-${locale}` }).waitFor();
      expect(new URL(page.url()).search).to.equal('');
      expect(await page.getByRole('link', { name: operation }).count()).to.equal(0);
    });

  it('counts the users of an import that is longer than a page of the history', async () => {
    const headers = { 'content-type': 'application/json', 'x-request-id': randomUUID() };
    for (let at = 0; at < 120; at++) {
      const body = JSON.stringify({ userName: `long-${at}` });
      expect((await stage.ask('/users', { method: 'POST', headers, body })).status).to.equal(201);
    }
    const page = await stage.open({ query: './' });
    const imports = page.getByRole('region', { name: 'Added by imports' });
    await imports.getByText('120 users').waitFor();
    const latest = page.getByRole('region', { name: 'Latest changes' });
    await latest.getByText('User created (50+)').waitFor();
  });

  it('says why a file cannot be read, and which format would work', async () => {
    const page = await openImport();
    await choose(page, 'staff.xlsx', 'PK');
    await page.getByText('The format of staff.xlsx is unknown. Save a workbook as CSV;').waitFor();
    await choose(page, 'staff.csv', Buffer.from('504b0304', 'hex'));
    await page.getByText('Cell A1: this is a workbook, not CSV').waitFor();
    await choose(page, 'cut.json', '{"users":[{"userName":"files-cut"},');
    await press(page, 'Import');
    await page.getByText('1 created.').waitFor();
    await page.getByText(/^Line 1, column 36: /).waitFor();
    await choose(page, 'staff.csv.gz', gzipSync('userName\r\nfiles-gz\r\n').subarray(0, 20));
    await page.getByText(/[Tt]he gzip is damaged or cut off/).waitFor();
  });

  it('exports the list with its columns and order', async () => {
    for (const [name, given] of ['Zoë', '=1+1', 'Ada'].entries())
      await stage.create({
        userName: `files-out-${name}`,
        displayName: given,
        emails: [{ value: `out${name}@example.org` }, { value: `more${name}@example.org` }],
        title: 'files-out',
      });
    const { page, dialog, save } = await openExport(
      '?search=files-out&sort=displayName&columns=userName,displayName,emails',
    );
    await dialog.getByText('3 users: all that match the search and the filters').waitFor();
    await keepPicture(page, 'export');
    await dialog.getByLabel('For a spreadsheet').check();
    const download = await save();
    expect(download.suggestedFilename()).to.match(/^users-\d{4}-\d\d-\d\d\.csv$/);
    expect(await textOf(download)).to.equal(
      '\uFEFFUser name,Display name,Email address,emails.1.value\r\n' +
        "files-out-1,'=1+1,out1@example.org,more1@example.org\r\n" +
        'files-out-2,Ada,out2@example.org,more2@example.org\r\n' +
        'files-out-0,Zoë,out0@example.org,more0@example.org\r\n',
    );
    await dialog.getByText('3 users exported.').waitFor();
  });

  it('exports a list with user names and managers by name, and imports the file again', async () => {
    const boss = await stage.create({ userName: 'files-boss', displayName: 'Files Boss' });
    await stage.create({
      userName: 'files-led',
      title: 'files-led',
      enterprise: { manager: { value: boss.id } },
    });
    const {
      page: list,
      dialog,
      save,
    } = await openExport('?search=files-led&columns=displayName,enterprise.manager,title');
    const text = await textOf(await save());
    expect(text).to.equal('User name,Job title,Manager\r\nfiles-led,files-led,files-boss\r\n');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await list.getByText('Import and export').click();
    await press(list, 'Export…');
    await dialog.getByLabel('Columns').selectOption('All fields that have a value');
    const all = await textOf(await save());
    const headings = 'enterprise.manager.value,Manager (not imported)';
    expect(all).to.include(headings).and.include(`${boss.id},files-boss`);
    const page = await openImport();
    await choose(page, 'all.csv', all);
    await page.getByRole('status').getByText('Left out: Manager (not imported)').waitFor();
    await press(page, 'Check');
    await page.getByText(/^1 unchanged\.$/).waitFor();
    const more = 'files-new,files-led,files-led,1\r\nfiles-lost,,files-nobody,2\r\n';
    await choose(page, 'led.csv', text.replace('\r\n', ',Room\r\n').replace(/\r\n$/, ',1\r\n') + more);
    await page.getByRole('status').getByText('Left out: Room').waitFor();
    expect(await chosenFields(page)).to.include('Manager (user name or ID)');
    await press(page, 'Check');
    await page.getByText('1 would be created, 1 unchanged, 1 would be refused.').waitFor();
    await page.getByText('No user has this user name').waitFor();
    await page.getByText('Left out: Room').waitFor();
    await press(page, 'Import the other rows');
    await page.getByText('1 created, 1 unchanged, 1 refused.').waitFor();
    const cell = page.getByRole('combobox', { name: 'Manager (user name or ID)' });
    await keepPicture(page, 'import-unknown-manager');
    const [field, mistake] = await Promise.all(
      [cell, page.getByText('No user has this user name')].map((one) => one.boundingBox()),
    );
    expect((field?.x ?? 0) + (field?.width ?? 0)).to.be.below(mistake?.x ?? 0);
    await cell.and(page.locator('[aria-invalid]')).fill('boss');
    await page.getByRole('option', { name: 'Files Boss' }).click();
    expect(await cell.inputValue()).to.equal('files-boss');
    await press(page, 'Import the corrected rows');
    await page.getByText('1 created.', { exact: true }).waitFor();
    const [lost] = await usersOf('userName=files-lost');
    expect(lost?.enterprise?.manager?.value).to.equal(boss.id);
    const [led, added] = await usersOf('title=files-led&sort=userName');
    expect(added?.enterprise?.manager?.value).to.equal(led?.id);
  });

  it('exports a table for people, with names, managers and states in words as the list shows them', async () => {
    const boss = await stage.create({ userName: 'files-head', displayName: 'Head of Reading' });
    await stage.create({
      userName: 'files-read',
      name: { givenName: 'Rita', familyName: 'Reader' },
      active: false,
      emails: [{ value: 'rita@example.com', type: 'work' }, { value: 'r@example.com' }],
      enterprise: { manager: { value: boss.id } },
      validUntil: '2026-12-31T23:00:00Z',
      timezone: 'Europe/Berlin',
      title: '=files-read',
    });
    const columns = 'displayName,title,enterprise.manager,active,validUntil,emails';
    const { dialog, save } = await openExport(`?search=files-read&columns=${columns}`);
    await dialog.getByLabel('Columns').selectOption('The columns of the list, for people');
    await dialog.getByLabel('Semicolons').check();
    expect(await dialog.getByLabel('For a spreadsheet').count()).to.equal(0);
    expect(await textOf(await save())).to.equal(
      '\uFEFFName;Job title;Manager;Status;Email addresses;Valid until\r\n' +
        `Rita Reader;'=files-read;Head of Reading;Inactive;"rita@example.com; r@example.com";31 Dec 2026\r\n`,
    );
    await dialog.getByText('1 user exported.').waitFor();
  });

  it('exports JSON and XML as the service sends them, and an empty file when nothing matches', async () => {
    const user = await stage.create({
      userName: 'files-one',
      attributes: { team: '<&>' },
      roles: ['x', 'y'],
    });
    const { page, dialog, save } = await openExport('?search=files-one');
    await dialog.getByLabel('Format').selectOption('XML');
    const xml = await textOf(await save());
    const answer = await stage.ask('/users?search=files-one', { headers: { accept: 'application/xml' } });
    expect(xml.replaceAll('\n', '')).to.equal((await answer.text()).replaceAll('\n', ''));
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Import and export').click();
    await press(page, 'Export…');
    await dialog.getByLabel('Format').selectOption('JSON');
    expect(JSON.parse(await textOf(await save()))).to.deep.equal({ users: [user] });
  });

  it('waits when the service asks for it, and checks changes that it did not confirm', async () => {
    const page = await openImport();
    let posts = 0;
    await page.route('**/users', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      posts += 1;
      if (posts === 1) return route.fulfill({ status: 503, headers: { 'Retry-After': '0' } });
      if (posts === 2) return route.fulfill({ status: 429, headers: { 'Retry-After': '0' } });
      if (posts === 3) await route.fetch();
      return posts === 3 ? route.fulfill({ status: 504 }) : route.continue();
    });
    await choose(page, 'slow.jsonl', [1, 2, 3].map((at) => `{"userName":"files-slow-${at}"}\n`).join(''));
    await press(page, 'Import');
    await page.getByText('3 created.').waitFor();
    expect(posts).to.equal(5);
    expect(await usersOf('search=files-slow')).to.have.length(3);
  });

  it('leaves out only rows that break a rule, and stops when nothing is allowed', async () => {
    const page = await openImport();
    const errors = [{ pointer: '/title', detail: 'is not used here' }];
    let status = 422;
    await page.route('**/users', async (route) => {
      const body = route.request().postData() ?? '';
      return body.includes('files-ruled') ? route.fulfill({ status, json: { errors } }) : route.continue();
    });
    const table = 'userName,title\r\nfiles-ruled,Sir\r\nfiles-free,Sir\r\n';
    await choose(page, 'rules.csv', table);
    await press(page, 'Import');
    await page.getByText('1 created, 1 refused.').waitFor();
    await page.getByText('is not used here').waitFor();
    status = 403;
    await choose(page, 'rules.csv', table);
    await press(page, 'Import');
    await page.getByText('The import did not finish.').waitFor();
    await page.getByText('1 unchanged.').waitFor();
  });

  it('shows its progress after the first rows, with the focus on Stop', async () => {
    const page = await openImport();
    const rows = 600;
    let posts = 0;
    const [release, underWay] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/users', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      posts += 1;
      if (posts > 16) {
        underWay.resolve();
        await release.promise;
      }
      return route.continue();
    });
    const names = Array.from({ length: rows }, (_, at) => `files-held-${at}`);
    await choose(page, 'many.csv', ['userName', ...names, ''].join('\r\n'));
    await press(page, 'Import');
    await page.getByText('16 rows so far: 16 created').waitFor();
    expect(Number(await page.locator('progress').getAttribute('value'))).to.be.within(0.01, 0.1);
    // Otherwise it would stop at once.
    await underWay.promise;
    await page.keyboard.press('Enter');
    await page.getByText('Stopping').waitFor();
    release.resolve();
    await page.getByText('Stopped. What was imported until then stays').waitFor();
    expect(await primary(page)).to.deep.equal(['Import the rest']);
  });

  it('continues when the same person signs in again', async () => {
    const page = await openImport();
    let isRefused = false;
    await page.route('**/users', async (route) => {
      if (isRefused || route.request().method() !== 'POST') return route.continue();
      isRefused = true;
      return route.fulfill({ status: 401, json: {} });
    });
    await choose(page, 'expired.jsonl', '{"userName":"files-expired"}\n');
    await press(page, 'Import');
    const dialog = page.getByRole('dialog');
    const same = await page.evaluate<string>(
      "JSON.parse(sessionStorage['console.session']).credentials.token",
    );
    await dialog.locator('textarea[name=token]').fill(same);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('1 created.').waitFor();
  });

  it('needs the scopes for reading and writing', async () => {
    const page = await stage.open({ query: 'import', scopes: ['users:read'] });
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
    await page.locator('main .not-allowed', { hasText: 'users:write' }).waitFor();
    expect(await page.getByRole('button', { name: 'Choose a file' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByText('Import and export').click();
    const importing = page.getByRole('button', { name: 'Import…' });
    expect(await importing.isEnabled()).to.equal(false);
    await page.locator('.menu .not-allowed', { hasText: 'users:write' }).waitFor();
  });

  it('writes an export to the disk while it reads, if the browser can, and leaves no file when it fails', async () => {
    for (const at of [1, 2]) await stage.create({ userName: `files-disk-${at}` });
    const page = await stage.open();
    await page.addInitScript(`globalThis.showSaveFilePicker = async () => {
      const folder = await navigator.storage.getDirectory();
      globalThis.saved = await folder.getFileHandle('saved', { create: true });
      return saved;
    }`);
    await page.goto(`${stage.address}?search=files-disk&sort=userName&columns=userName&dialog=export`);
    const dialog = page.getByRole('dialog', { name: 'Export users' });
    const start = () => dialog.getByRole('button', { name: 'Export', exact: true }).click();
    const saved = () => page.evaluate<string>('saved.getFile().then((file) => file.text())');
    let isBroken = true;
    await page.route('**/users?*limit=1000*', (route) =>
      isBroken ? route.fulfill({ status: 400, json: { detail: 'Not this time.' } }) : route.continue(),
    );
    await start();
    await dialog.getByText('The export failed. There is no file.').waitFor();
    await dialog.getByText(/Not this time/).waitFor();
    expect(await saved()).to.equal('');
    isBroken = false;
    await start();
    await dialog.getByText('2 users exported.').waitFor();
    expect(await saved()).to.equal('User name\r\nfiles-disk-1\r\nfiles-disk-2\r\n');
  });
});
