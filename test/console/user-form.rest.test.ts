import { expect } from 'chai';
import { group, save, savebar, saved } from './form-parts.ts';
import { inSight, keepPicture, setStage, settledList, settledPage, unfold } from './stage.ts';

describe("The console's form, in detail", () => {
  const stage = setStage();

  it('shows the same user as JSON and XML, to the letter, and how to request it', async () => {
    const { id } = await stage.create({
      userName: 'ada',
      ...{ nickName: '"}, {<&', roles: ['a', 'b'], emails: [{ value: 'ada@example.com' }] },
    });
    const page = await stage.open({
      query: `?user=${id}&tab=edit`,
      browser: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    const sent = async (type: string) =>
      (await stage.ask(`/users/${id}`, { headers: { accept: type } })).text();
    await unfold(page);
    const shown = page.locator('.representation pre');
    await shown.getByText('"userName":"ada",').waitFor();
    expect(await shown.textContent()).to.equal(await sent('application/json'));
    await page.getByText('XML', { exact: true }).click();
    await shown.getByText('<userName>ada</userName>').waitFor();
    expect(await shown.textContent()).to.equal(await sent('application/xml'));
    await page.getByText('curl', { exact: true }).click();
    expect(await shown.innerText()).to.include(`${stage.service.url}/users/${id}`);
    expect(await shown.innerText()).to.include('Bearer $TOKEN');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(await shown.textContent());
    await page.getByRole('button', { name: 'ID: Copy' }).click();
    await page.waitForFunction(
      (copied) => navigator.clipboard.readText().then((text) => text === copied),
      id,
    );
    await page.getByRole('button', { name: 'ada@example.com: Copy' }).click();
    await page.waitForFunction("navigator.clipboard.readText().then((text) => text === 'ada@example.com')");
    await page.context().clearPermissions();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'The browser does not allow copying here.' }).waitFor();
  });

  it('says beside the Save button that all is saved, and keeps the focus there', async () => {
    const { id } = await stage.create({ userName: 'low' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.getByLabel('Job title').fill('Clerk');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await saved(page);
    const said = await page.getByText('Saved', { exact: true }).boundingBox();
    expect(said?.y).to.be.within(0, 500);
    expect(await save.evaluate((button) => button === document.activeElement)).to.equal(true);
    await page.getByLabel('Job title').fill('Head');
    await savebar(page).waitFor();
  });

  it('keeps the boxes of a list aligned with its other fields beside a mistake', async () => {
    const { id } = await stage.create({ userName: 'lined', emails: [{ value: 'lined@example.com' }] });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    const first = group(page, 'Email address 1');
    const middleOf = async (label: string) => {
      const { y = NaN, height = NaN } = (await first.getByLabel(label).boundingBox()) ?? {};
      return y + height / 2;
    };
    await first.getByLabel('Address').fill('no address');
    await save(page);
    await first.locator('.mistake').waitFor();
    await keepPicture(page, 'mistake-in-line', true);
    expect(await middleOf('Primary')).to.be.closeTo(await middleOf('Address'), 3);
  });

  it('begins with name, email addresses and job, which need no scrolling', async () => {
    const { id } = await stage.create({ userName: 'hedy', emails: [{ value: 'hedy@example.com' }] });
    const page = await stage.open({
      query: `?user=${id}&tab=edit`,
      browser: { viewport: { width: 1280, height: 800 } },
    });
    const address = group(page, 'Email address 1').getByLabel('Address');
    for (const field of [page.getByLabel('Family name'), address, page.getByLabel('Job title')]) {
      const { y = 0, height = 0 } = (await field.boundingBox()) ?? {};
      expect(y).to.be.above(0);
      expect(y + height).to.be.below(800);
    }
    expect(await page.getByLabel('Cost center').isVisible()).to.equal(false);
  });

  it('finds languages, countries and time zones by name, and accepts other codes', async () => {
    const { id } = await stage.create({ userName: 'noether', addresses: [{ locality: 'Erlangen' }] });
    const page = await stage.open({ query: `?user=${id}&tab=edit`, browser: { locale: 'de-DE' } });
    await unfold(page);
    const option = (name: string) => page.getByRole('option', { name });
    await page.getByLabel('Bevorzugte Sprache').fill('niederl');
    await option('Niederländisch nl').first().click();
    expect(await page.getByLabel('Bevorzugte Sprache').inputValue()).to.equal('Niederländisch (nl)');
    await page.getByLabel('Land', { exact: true }).fill('osterr');
    await option('Österreich AT').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByLabel('Zeitzone').fill('mitteleuropäische');
    await option('Europe/Vienna').click();
    await page.getByLabel('Regionales Format').fill('x-own');
    await page.getByLabel('Nachname').focus();
    await page.getByText('Diesen Code kennt der Browser nicht.').waitFor();
    await page.getByLabel('Regionales Format').fill('gsw-LI');
    await page.getByRole('button', { name: 'Speichern', exact: true }).click();
    await page.getByText('Gespeichert', { exact: true }).waitFor();
    const { preferredLanguage, locale, timezone, addresses } = await stage.read(id);
    expect({ preferredLanguage, locale, timezone, addresses }).to.deep.equal({
      preferredLanguage: 'nl',
      locale: 'gsw-LI',
      timezone: 'Europe/Vienna',
      addresses: [{ locality: 'Erlangen', country: 'AT' }],
    });
  });

  it('takes the days on which a user begins and ends, in the time zone of the user', async () => {
    const { id } = await stage.create({ userName: 'guest', active: false });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await unfold(page);
    const until = page.getByLabel('Valid until');
    await page.getByLabel('Valid from').fill('2031-01-01');
    await until.fill('2031-03-31');
    await page.getByLabel('Time zone').fill('tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    expect(await until.inputValue()).to.equal('2031-03-31');
    await save(page);
    await saved(page);
    const { validFrom, validUntil } = await stage.read(id);
    expect({ validFrom, validUntil }).to.deep.equal({
      validFrom: '2030-12-31T15:00:00.000Z',
      validUntil: '2031-03-31T15:00:00.000Z',
    });
    expect(await until.inputValue()).to.equal('2031-03-31');
    await stage.patch(id, { validFrom: null, validUntil: '2031-03-31T12:00:00Z' });
    await page.reload();
    expect(await until.inputValue()).to.equal('2031-03-31T12:00:00.000Z');
    expect(await page.getByLabel('Valid from').getAttribute('type')).to.equal('date');
  });

  it('finds the manager by name, links to this user, and keeps a name from outside of the directory if told so', async () => {
    const boss = await stage.create({ userName: 'boss', displayName: 'Emmy Hilbert' });
    const { id } = await stage.create({ userName: 'assistant' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    const manager = page.getByRole('combobox', { name: 'Manager' });
    await manager.fill('hilb');
    await page.getByRole('option', { name: 'Emmy Hilbert boss' }).waitFor();
    await manager.press('ArrowDown');
    await manager.press('Enter');
    expect(await manager.inputValue()).to.equal('Emmy Hilbert');
    await save(page);
    await saved(page);
    const managerOf = async () => (await stage.read(id)).enterprise?.manager;
    expect(await managerOf()).to.deep.equal({ value: boss.id, displayName: 'Emmy Hilbert' });
    await manager.fill('Somebody else');
    await manager.press('Tab');
    await page.getByText('Not a user of this directory.').waitFor();
    await save(page);
    await page.getByRole('alert').getByText('Choose a person from the list.').waitFor();
    expect(await managerOf()).to.deep.equal({ value: boss.id, displayName: 'Emmy Hilbert' });
    await manager.fill('Somebody else');
    await page.getByRole('option', { name: 'Keep “Somebody else” as text' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await save(page);
    await savebar(page).waitFor({ state: 'detached' });
    expect(await managerOf()).to.deep.equal({ displayName: 'Somebody else' });
    await stage.patch(id, { enterprise: { manager: { value: boss.id, displayName: null } } });
    await page.reload();
    await manager.fill('');
    await manager.pressSequentially('emmy hilbert');
    await manager.press('Tab');
    await page.getByRole('link', { name: 'Open Emmy Hilbert' }).click();
    await page.getByRole('heading', { name: 'Emmy Hilbert' }).waitFor();
  });

  it('replaces the name of the manager by what is typed, also when the name is loaded while the field has the focus', async () => {
    const boss = await stage.create({ userName: 'late', displayName: 'Olga Late' });
    const { id } = await stage.create({ userName: 'waiting', enterprise: { manager: { value: boss.id } } });
    const page = await stage.open();
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/users/${boss.id}`, async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.goto(`${page.url()}?user=${id}&tab=edit`);
    const manager = page.getByRole('combobox', { name: 'Manager' });
    await manager.focus();
    answer();
    await page.getByRole('link', { name: 'Open Olga Late' }).waitFor();
    await page.keyboard.type('Somebody');
    expect(await manager.inputValue()).to.equal('Somebody');
  });

  it('suggests roles and departments that other users have, and shows the parts of an address in the line of its section', async () => {
    await stage.create({ userName: 'other', roles: ['gardener'], enterprise: { department: 'Botany' } });
    const { id } = await stage.create({
      userName: 'suggested',
      roles: ['a'],
      addresses: [{ type: 'work', locality: 'Paris', country: 'FR' }],
    });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.locator('summary', { hasText: 'Paris, FR' }).waitFor();
    await page.locator('summary', { hasText: 'Roles and entitlements' }).click();
    await page.getByRole('button', { name: 'Add role' }).click();
    await page.locator('datalist option[value=gardener]').waitFor({ state: 'attached' });
    await page.getByRole('combobox', { name: 'Role 2' }).fill('gardener');
    await page.getByLabel('Department').focus();
    await page.locator('datalist option[value=Botany]').waitFor({ state: 'attached' });
    await keepPicture(page, 'roles');
    await save(page);
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    expect((await stage.read(id)).roles).to.deep.equal(['a', 'gardener']);
  });

  it('opens a folded section with a mistake, and shows the values in a section', async () => {
    const { id } = await stage.create({ userName: 'joan', roles: ['a', 'b'] });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.locator('summary', { hasText: 'Roles and entitlements a, b' }).click();
    await page.getByRole('textbox', { name: 'Role 2' }).fill('a');
    await page.locator('summary', { hasText: 'Roles and entitlements' }).click();
    await page.getByRole('textbox', { name: 'Role 2' }).waitFor({ state: 'hidden' });
    await save(page);
    await page.locator('.mistake').first().waitFor();
    expect(await page.getByRole('textbox', { name: 'Role 2' }).isVisible()).to.equal(true);
    expect(await page.getByLabel('Cost center').isVisible()).to.equal(false);
  });

  it('says while a user name is typed whether it is free, taken (by whom) or not allowed (why)', async () => {
    const holder = await stage.create({ userName: 'ghopper', displayName: 'Grace Hopper' });
    const { id } = await stage.create({ userName: 'mine' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    const name = page.getByRole('textbox', { name: 'User name' });
    const status = page.locator('.form-field', { has: name }).getByRole('status');
    const says = (text: string) => status.getByText(text).waitFor();
    await name.fill('GHopper');
    await says('This name is taken by Grace Hopper');
    expect(await status.getByRole('link').getAttribute('href')).to.include(holder.id);
    await name.fill('ghopper2');
    await says('This name is free.');
    await name.fill('grace hopper');
    await says('Spaces are not allowed.');
    await name.fill('x'.repeat(129));
    await says('No more than 128 characters are allowed.');
    await name.fill('Mine');
    await status.getByText(/./).waitFor({ state: 'detached' });
    await name.fill('mine2');
    await says('This name is free.');
    await save(page);
    await saved(page);
    await page.getByText('This name is free.').waitFor({ state: 'detached' });
    expect((await stage.read(id)).userName).to.equal('mine2');
  });

  it('says beside a userName that it is taken', async () => {
    await stage.create({ userName: 'taken' });
    const page = await stage.open({ query: '?new' });
    await page.getByLabel('User name').fill('Taken');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.locator('.mistake', { hasText: 'is taken by another user' }).waitFor();
    await page.getByRole('link', { name: 'Open taken' }).waitFor();
    await page.getByLabel('User name').fill('not-taken');
    await page.getByText('This name is free.').waitFor();
    expect(await page.locator('.form-field .mistake').count()).to.equal(0);
  });

  it('does not mark a corrected field any longer, also after a visit to the history', async () => {
    await stage.create({ userName: 'taken-too' });
    const { id } = await stage.create({ userName: 'renamed' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    const name = page.getByRole('textbox', { name: 'User name' });
    await name.fill('taken-too');
    // The name is marked while it is typed, too: the refusal must not come after the correction.
    await Promise.all([page.waitForResponse((answer) => answer.status() === 409), save(page)]);
    await page.locator('.form-field .mistake').waitFor();
    await name.fill('renamed-again');
    await page.getByRole('link', { name: 'History' }).click();
    await name.waitFor({ state: 'detached' });
    await page.goBack();
    await name.waitFor();
    expect(await page.locator('.form-field .mistake').count()).to.equal(0);
  });

  it('reports missing and repeated names of attributes before anything is sent', async () => {
    const { id } = await stage.create({ userName: 'donald', attributes: { floor: '1' } });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await unfold(page);
    const add = page.getByRole('button', { name: 'Add attribute' });
    const attributes = group(page, 'Attributes');
    /** Behind the new entry's own focus, which would take what is typed elsewhere. */
    const addOne = async (at: number) => {
      await add.click();
      await attributes.getByLabel('Name').nth(at).and(page.locator(':focus')).waitFor();
    };
    await addOne(1);
    await attributes.getByLabel('Name').nth(1).fill('floor');
    await addOne(2);
    await attributes.getByLabel('Value').nth(2).fill('x');
    await save(page);
    await page.locator('.mistake').nth(1).waitFor();
    expect(await page.locator('.mistake').allInnerTexts()).to.deep.equal([
      'Has the same name as another one',
      'Needs a name',
    ]);
    await attributes.getByRole('button', { name: 'Remove attribute' }).last().click();
    await add.and(page.locator(':focus')).waitFor();
    await attributes.getByLabel('Name').nth(1).fill('no good!');
    await attributes.getByLabel('Value').nth(1).fill('2');
    await save(page);
    await page.getByRole('alert').filter({ hasText: 'must have names of up to 64 letters' }).waitFor();
    await attributes.getByLabel('Name').nth(1).fill('building');
    await attributes.getByLabel('Value').nth(1).fill('');
    await save(page);
    await page.locator('.mistake', { hasText: 'needs a value' }).waitFor();
    await attributes.getByLabel('Value').nth(1).fill('2');
    await save(page);
    await saved(page);
    expect((await stage.read(id)).attributes).to.deep.equal({ floor: '1', building: '2' });
  });

  it('removes an emptied value, and removed items', async () => {
    const { id } = await stage.create({
      userName: 'alan',
      title: 'Reader',
      roles: ['a', 'b', 'c'],
      enterprise: { department: 'Maths' },
    });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.getByLabel('Job title').fill('');
    await unfold(page);
    await page.getByRole('button', { name: 'Remove role 2' }).click();
    await page.getByLabel('Department').fill('');
    await save(page);
    await saved(page);
    const { id: sameId, meta, ...now } = await stage.read(id);
    expect(now).to.deep.equal({ userName: 'alan', active: true, roles: ['a', 'c'] });
  });

  it('has every entry of long lists, keeps entries that are out of sight, and can add another', async () => {
    const roles = Array.from({ length: 99 }, (_, at) => `role ${at}`);
    const attributes = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`name${at}`, `${at}`]));
    const { id } = await stage.create({ userName: 'frances', roles, attributes });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    const values = (name: string) =>
      group(page, name)
        .getByRole('textbox')
        .evaluateAll((inputs) => inputs.map((input) => (input as unknown as { value: string }).value));
    await unfold(page);
    await page.getByLabel('Role 99', { exact: true }).waitFor();
    expect(await values('Roles')).to.deep.equal(roles);
    await group(page, 'Attributes').getByLabel('Value').nth(59).waitFor();
    expect(await values('Attributes')).to.deep.equal(Object.entries(attributes).flat());
    await page.getByRole('button', { name: 'Add role' }).click();
    await page.locator(':is(input, select, textarea):focus').waitFor();
    await page.locator('[id="field/roles/99"]:focus').waitFor();
    await page.keyboard.type('the last one');
    await save(page);
    await saved(page);
    const now = await stage.read(id);
    expect(now.roles).to.deep.equal([...roles, 'the last one']);
    expect(now.attributes).to.deep.equal(attributes);
  });

  it('keeps what is typed before the end of a long list is loaded', async () => {
    const roles = Array.from({ length: 100 }, (_, at) => `role ${at}`);
    const { id } = await stage.create({ userName: 'katherine', roles });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    // As soon as there is a form, in the same task.
    await page.evaluate(`new Promise((resolve) => {
      const type = () => {
        const field = document.getElementById('field/nickName');
        if (field === null) return;
        field.value = 'Kat';
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        observer.disconnect();
        resolve();
      };
      const observer = new MutationObserver(type);
      observer.observe(document, { subtree: true, childList: true });
      type();
    })`);
    await unfold(page);
    await page.getByLabel('Role 100', { exact: true }).waitFor();
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('Kat');
    await save(page);
    await saved(page);
    const now = await stage.read(id);
    expect([now.nickName, now.roles]).to.deep.equal(['Kat', roles]);
  });

  it('keeps what is typed while a change is being saved', async () => {
    const user = await stage.create({ userName: 'typed-meanwhile', title: 'Before', nickName: 'N' });
    const page = await stage.open({ query: `?user=${user.id}&tab=edit` });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/users\/[^/]+$/, async (route) => {
      if (route.request().method() === 'PUT') await held;
      return route.continue();
    });
    const fieldOf = (label: string) => page.getByLabel(label, { exact: true });
    const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
    const saved = () => page.getByText('Saved', { exact: true }).waitFor();
    await fieldOf('Job title').fill('After');
    await save();
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    await fieldOf('Nickname').fill('Typed meanwhile');
    await fieldOf('Job title').fill('Before');
    release();
    await saved();
    expect(await fieldOf('Nickname').inputValue()).to.equal('Typed meanwhile');
    expect(await fieldOf('Job title').inputValue()).to.equal('Before');
    expect((await stage.read(user.id)).title).to.equal('After');
    await save();
    await saved();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { title, nickName } = await stage.read(user.id);
    expect({ title, nickName }).to.deep.equal({ title: 'Before', nickName: 'Typed meanwhile' });
  });

  it('keeps the input after returning to a user that is still being saved', async () => {
    const user = await stage.create({ userName: 'left-meanwhile', title: 'Before' });
    const page = await stage.open({ query: `?user=${user.id}&tab=edit` });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/users\/[^/]+$/, async (route) => {
      if (route.request().method() === 'PUT') await held;
      return route.continue();
    });
    await page.getByLabel('Job title').fill('After');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('link', { name: 'Unsaved: left-meanwhile' }).click();
    await page.getByLabel('Nickname').fill('Typed meanwhile');
    const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
    release();
    await (await answered).finished();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('link', { name: 'Unsaved: left-meanwhile' }).click();
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('Typed meanwhile');
  });

  it('asks before the tab is closed with unsaved changes', async () => {
    const { id } = await stage.create({ userName: 'kristen' });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.getByLabel('Nickname').fill('K');
    await savebar(page).waitFor();
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).to.equal('beforeunload');
    await dialog.dismiss();
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('K');
  });

  it('begins with links to the email address and the phone number, also on a phone', async () => {
    const { id } = await stage.create({
      userName: 'reached',
      emails: [{ value: 'home@example.com' }, { value: 'work@example.com', primary: true }],
      phoneNumbers: [{ value: '+49 30 447491' }],
    });
    const page = await stage.open({
      query: `?user=${id}`,
      browser: { viewport: { width: 360, height: 640 } },
    });
    await settledPage(page);
    const links = page.locator('.resource-head a');
    for (const name of ['work@example.com', '+49 30 447491'])
      await inSight(page, links.filter({ hasText: name }));
    await keepPicture(page, 'user-phone');
    const addresses = await page
      .locator('a[href^="mailto:"], a[href^="tel:"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(addresses).to.deep.equal([
      ...['mailto:work@example.com', 'tel:+4930447491'],
      ...['mailto:home@example.com', 'mailto:work@example.com', 'tel:+4930447491'],
    ]);
    const touched = await stage.open({
      query: `?user=${id}`,
      browser: { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true },
    });
    for (const [phone, least] of [
      [page, 24],
      [touched, 44],
    ] as const) {
      await phone.locator('.resource-head button.bare').nth(1).waitFor();
      const targets = await phone.locator('.resource-head .facts :is(a, button)').evaluateAll((all) =>
        all.map((one) => {
          const { left, right, top, bottom, height } = one.getBoundingClientRect();
          return { height: one.matches('a') ? height : 44, left, right, top, bottom };
        }),
      );
      expect(targets).to.have.length(4);
      for (const one of targets) {
        expect(one.height).to.be.at.least(least);
        const isApart = (other: typeof one) =>
          Math.max(one.left - other.right, other.left - one.right) >= 0 ||
          Math.max(one.top - other.bottom, other.top - one.bottom) >= 0;
        expect(targets.filter((other) => other !== one).every(isApart)).to.equal(true);
      }
    }
  });

  it('proposes the given and the family name of a new user as the display name, until it is changed', async () => {
    const page = await stage.open();
    await page.getByRole('link', { name: 'New user' }).click();
    const shown = page.getByLabel('Display name');
    await page.getByLabel('Given name').fill('Ada');
    expect(await shown.inputValue()).to.equal('');
    await page.getByLabel('Family name').fill('Lovelace');
    expect(await shown.inputValue()).to.equal('Ada Lovelace');
    await page.getByLabel('Given name').fill('Augusta');
    expect(await shown.inputValue()).to.equal('Augusta Lovelace');
    await shown.fill('The Countess');
    await page.getByLabel('Family name').fill('King');
    expect(await shown.inputValue()).to.equal('The Countess');
    await page.getByLabel('User name').fill('countess');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'The Countess was created.' }).waitFor();
  });

  it('links back when there is no such user', async () => {
    const page = await stage.open({ query: '?user=019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10' });
    await page.getByText('User not found').waitFor();
    await keepPicture(page, 'no-such-user');
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await settledList(page);
  });

  it('opens from the read view by a button or a key, and is saved by a key', async () => {
    const { id } = await stage.create({
      ...{
        userName: 'reader',
        displayName: 'Rita Reader',
        title: 'Clerk',
        validUntil: '2031-03-31T12:00:00Z',
      },
      ...{ emails: [{ value: 'rita@example.com', type: 'work' }], preferredLanguage: 'nl', active: false },
      enterprise: { department: 'Archive', manager: { value: '', displayName: 'From Outside' } },
      addresses: [{ locality: 'Paris', country: 'FR' }],
    });
    const seen = [
      ...[
        'Clerk · Archive',
        'rita@example.com',
        'Manager From Outside (not a user)',
        'Valid until 31 Mar 2031',
        'Inactive',
      ],
      ...['Paris, France (FR)', 'Dutch (nl)'],
    ];
    const page = await stage.open({ query: `?user=${id}` });
    for (const text of seen) await page.getByRole('main').getByText(text).first().waitFor();
    expect(await page.getByRole('textbox').count()).to.equal(0);
    await page.keyboard.press('e');
    await page.getByLabel('Given name').and(page.locator(':focus')).waitFor();
    await page.getByLabel('Status').selectOption('Active');
    await page.keyboard.press('Control+s');
    await saved(page);
    await page.getByRole('link', { name: 'Stop editing' }).click();
    await page.getByRole('definition').getByText('Active', { exact: true }).waitFor();
    expect((await stage.read(id)).active).to.equal(true);
    const reader = await stage.open({ query: `?user=${id}&tab=edit`, scopes: ['users:read'] });
    for (const text of seen.filter((one) => one !== 'Inactive'))
      await reader.getByRole('main').getByText(text).first().waitFor();
    expect(await reader.getByRole('textbox').count()).to.equal(0);
  });
});
