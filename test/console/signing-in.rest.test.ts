import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { makeKey } from './sign-in.ts';
import { bothCredentials, setStage, settledList } from './stage.ts';

describe('Signing in to the console', () => {
  let desk = '';
  const stage = setStage(bothCredentials, async (folder) => {
    desk = await makeKey(folder, 'desk', 'users:read');
  });

  for (const [how, enter] of Object.entries({
    pasted: (page: Page, key: string) => page.keyboard.insertText(`${key}\n`),
    typed: (page: Page, key: string) => page.keyboard.type(key),
  }))
    it(`accepts a key that is ${how} as it was printed, and never shows its secret`, async () => {
      const page = await stage.open({ anonymous: true });
      await page.getByLabel('Key ID').and(page.locator(':focus')).waitFor();
      await enter(page, desk);
      expect(await page.getByLabel('Key ID').inputValue()).to.equal('desk');
      await page.keyboard.press('Enter');
      await settledList(page);
    });

  it('says in German why it did not work', async () => {
    const page = await stage.open({ anonymous: true, browser: { locale: 'de-DE' } });
    await page.getByLabel('Schlüssel-ID').fill('desk');
    await page.getByLabel('Geheimnis').fill('wrong');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'Die Schlüssel-ID oder das Geheimnis ist falsch.' })
      .waitFor();
  });

  it('without users:read shows a message instead of an empty list', async () => {
    const page = await stage.open({ scopes: ['users:delete'] });
    await page.getByText('To view users, you need the scope users:read').waitFor();
  });
});
