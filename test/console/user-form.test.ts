import { expect } from 'chai';
import { group, save, savebar, saved } from './form-parts.ts';
import { keepPicture, setStage, settledList, unfold } from './stage.ts';

describe("The console's form", () => {
  const stage = setStage();

  it('creates a user with values, lists, texts by name and objects in objects', async () => {
    const page = await stage.open();
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByLabel('User name').fill('grace');
    await page.getByLabel('Family name').fill('Hopper');
    await page.getByRole('button', { name: 'Add email address' }).click();
    await page.locator(':is(input, select, textarea):focus').waitFor();
    await group(page, 'Email address 1').getByLabel('Address').fill('grace@example.com');
    await page.getByRole('button', { name: 'Add email address' }).click();
    await page.locator(':is(input, select, textarea):focus').waitFor();
    await group(page, 'Email address 2').getByLabel('Address').fill('hopper@example.com');
    await group(page, 'Email address 1').getByLabel('Primary').check();
    await group(page, 'Email address 2').getByLabel('Primary').check();
    await unfold(page);
    await page.getByRole('button', { name: 'Add role' }).click();
    await page.locator(':is(input, select, textarea):focus').waitFor();
    await page.getByLabel('Role 1', { exact: true }).fill('admiral');
    await page.getByRole('combobox', { name: 'Manager' }).fill('Howard Aiken');
    await page.getByRole('option', { name: 'Keep “Howard Aiken” as text' }).click();
    await page.getByRole('button', { name: 'Add attribute' }).click();
    await page.locator(':is(input, select, textarea):focus').waitFor();
    await group(page, 'Attributes').getByLabel('Name').fill('floor');
    await group(page, 'Attributes').getByLabel('Value').fill('7');
    await keepPicture(page, 'new-user', true);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Hopper was created.' }).waitFor();
    const id = new URL(page.url()).searchParams.get('user') ?? '';
    const { id: sameId, meta, ...user } = await stage.read(id);
    expect(user).to.deep.equal({
      userName: 'grace',
      name: { familyName: 'Hopper' },
      active: true,
      emails: [{ value: 'grace@example.com' }, { value: 'hopper@example.com', primary: true }],
      roles: ['admiral'],
      enterprise: { manager: { displayName: 'Howard Aiken' } },
      attributes: { floor: '7' },
    });
    await keepPicture(page, 'user', true);
  });

  it('saves exactly the changed fields, with If-Match', async () => {
    const whole = {
      userName: 'edsger',
      externalId: '1',
      displayName: '  Edsger\r\nDijkstra ',
      emails: [{ value: 'e@example.com', type: 'work', primary: false }],
      attributes: { b: '2', a: '1' },
    };
    const { id } = await stage.create(whole);
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    const sent = page.waitForRequest((request) => request.method() === 'PUT');
    await page.getByLabel('Nickname').fill('EWD');
    await save(page);
    expect(await (await sent).headerValue('If-Match')).to.match(/^"/);
    await saved(page);
    const { id: sameId, meta, active, ...now } = await stage.read(id);
    expect(now).to.deep.equal({ ...whole, nickName: 'EWD' });
    expect(await savebar(page).count()).to.equal(0);
  });

  it('shows each mistake that the service finds beside its field, and moves there', async () => {
    const { id, meta } = await stage.create({
      userName: 'barbara',
      emails: [{ value: 'a@example.com' }, { value: 'b@example.com' }],
    });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.getByLabel('User name').fill('two words');
    await page.getByRole('button', { name: 'Add email address' }).click();
    await page.locator(':is(input, select, textarea):focus').waitFor();
    await group(page, 'Email address 2').getByLabel('Address').fill('nobody');
    await unfold(page);
    await page.getByLabel('Preferred language').fill('no language');
    await save(page);
    const summary = page.getByRole('alert');
    await summary.waitFor();
    await summary.and(page.locator(':focus')).waitFor();
    const field = group(page, 'Email address 2').getByLabel('Address');
    expect(await field.getAttribute('aria-invalid')).to.equal('true');
    const described = (await field.getAttribute('aria-describedby')) ?? '';
    expect(await page.locator(`[id="${described}"]`).innerText()).to.match(/^Must be one address/);
    await keepPicture(page, 'mistakes');
    await summary.getByRole('link', { name: 'Email addresses › 2 › Address' }).click();
    await field.and(page.locator(':focus')).waitFor();
    expect((await stage.read(id)).meta.version).to.equal(meta.version);
    await field.fill('b2@example.com');
    await page.getByLabel('User name').fill('barbara');
    await page.getByLabel('Preferred language').fill('en-GB');
    await save(page);
    await saved(page);
    expect((await stage.read(id)).emails).to.deep.equal([
      { value: 'a@example.com' },
      { value: 'b2@example.com' },
    ]);
  });

  it('keeps unsaved changes after clicks, Back and a reload, until they are saved or discarded', async () => {
    const { id } = await stage.create({ userName: 'tony', title: 'Sir' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.getByLabel('Nickname').fill('C. A. R.');
    await savebar(page).waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await settledList(page);
    await page.getByRole('link', { name: 'Unsaved: tony' }).click();
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('C. A. R.');
    await page.goBack();
    await settledList(page);
    page.once('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByRole('link', { name: 'Unsaved: tony' }).click();
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('C. A. R.');
    await page.locator('.account summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('dialog', { name: 'You have unsaved changes' }).getByText('Stay').click();
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('');
    expect(await savebar(page).count()).to.equal(0);
    expect(await page.evaluate('Object.keys(sessionStorage).length')).to.equal(1);
  });

  it('deactivates and activates, and deletes once the userName has been typed', async () => {
    const { id } = await stage.create({ userName: 'leaver' });
    const page = await stage.open({ query: `?user=${id}` });
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('status').filter({ hasText: 'Deactivated' }).waitFor();
    expect((await stage.read(id)).active).to.equal(false);
    const activate = page.getByRole('button', { name: 'Activate', exact: true });
    await activate.and(page.locator(':focus')).waitFor();
    await activate.press('Enter');
    await page
      .getByRole('status')
      .filter({ hasText: /: Activated$/ })
      .waitFor();
    await page.locator('.resource-title button:focus', { hasText: 'Deactivate' }).waitFor();
    expect((await stage.read(id)).active).to.equal(true);
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: /^Delete .*\?$/ });
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
    await dialog.getByLabel('Type the user name to confirm').fill('leave');
    expect(await confirm.isDisabled()).to.equal(true);
    await dialog.getByLabel('Type the user name to confirm').fill('leaver');
    await keepPicture(page, 'delete');
    await confirm.click();
    await page.getByRole('status').filter({ hasText: 'leaver was deleted.' }).waitFor();
    expect((await stage.ask(`/users/${id}`)).status).to.equal(404);
  });
});
