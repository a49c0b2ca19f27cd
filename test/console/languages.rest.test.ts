import { expect } from 'chai';
import { keepPicture, setStage, settledList, settledPage } from './stage.ts';

describe('The language of the console', () => {
  const stage = setStage();

  for (const [locales, language, heading, button] of [
    [['de-AT', 'en'], 'de-AT', 'Neuer Benutzer', 'Anlegen'],
    [['fr-FR', 'de'], 'de', 'Neuer Benutzer', 'Anlegen'],
    [['en-US', 'de'], 'en-US', 'New user', 'Create'],
    [['fr-FR'], 'en', 'New user', 'Create'],
  ] as const)
    it(`is the browser's first language that has texts: of ${locales.join(' and ')} ${language}`, async () => {
      const page = await stage.open({ anonymous: true });
      await page.addInitScript(
        `Object.defineProperty(navigator, 'languages', { get: () => ${JSON.stringify(locales)} })`,
      );
      const token = await stage.service.token();
      const session = { credentials: { kind: 'token', token }, name: 'ada', scopes: ['users:write'] };
      await page.evaluate(
        `sessionStorage.setItem('console.session', ${JSON.stringify(JSON.stringify(session))})`,
      );
      await page.goto(`${stage.address}?new`);
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await page.getByRole('button', { name: button, exact: true }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).to.equal(language);
    });

  it('applies to labels, missing scopes, dates and numbers', async () => {
    const { id } = await stage.create({
      userName: 'grete',
      name: { givenName: 'Grete', familyName: 'Hermann' },
    });
    const page = await stage.open({
      query: `?user=${id}&tab=edit`,
      scopes: ['users:read'],
      browser: { locale: 'de-DE' },
    });
    await settledPage(page);
    await page.getByText('Nachname', { exact: true }).waitFor();
    await page.getByRole('definition').getByText('Hermann', { exact: true }).waitFor();
    await page.getByText('Für weitere Aktionen fehlen hier die Scopes users:write, users:delete.').waitFor();
    await keepPicture(page, 'user-de', true);
    await page.goto(`${stage.address}users`);
    await settledList(page);
    await page.locator('.total', { hasText: '1 Benutzer' }).waitFor();
    await keepPicture(page, 'list-de', true);
  });

  it('applies to mistakes that the service finds', async () => {
    const page = await stage.open({ query: '?new', browser: { locale: 'de-DE' } });
    await page.getByLabel('Benutzername').fill('two words');
    await page.getByRole('button', { name: 'Anlegen', exact: true }).click();
    await page.getByRole('alert').getByText('Benutzername: Darf keine Leerzeichen enthalten').waitFor();
    expect(await page.locator('.mistake').allInnerTexts()).to.deep.equal([
      'Darf keine Leerzeichen enthalten',
    ]);
  });
});
