import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { checkLooks, itIsAccessible, setUsersOnStage } from './accessible-screens.ts';
import { settledList } from './stage.ts';

describe('The console, for all users', () => {
  const scene = setUsersOnStage();
  const { stage } = scene;

  itIsAccessible('usual', scene);

  it('has no fault that axe finds, in light and in dark, and room on any screen: signing in', async () => {
    const page = await stage.open({ anonymous: true });
    await page.getByLabel('Key ID').fill('nobody');
    await page.getByLabel('Secret').fill('x');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await checkLooks(page, 'refused');
  });

  it('breaks no email address of a card that has room for it on a line of its own', async () => {
    const page = await stage.open({ browser: { viewport: { width: 320, height: 700 } } });
    await settledList(page);
    const broken = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.rows bdi')].filter((one) => new Set([...one.getClientRects()].map(({ y }) => y)).size > 1).map((one) => one.innerText)",
    );
    expect(broken).to.deep.equal([]);
  });

  /** Goes on by the Tab key until it stands on what has this name. */
  async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
    const named = `(() => {
      const element = document.activeElement;
      const label = element.labels?.[0]?.innerText ?? '';
      return (element.getAttribute('aria-label') ?? (label || element.innerText) ?? '').trim();
    })()`;
    for (let step = 0; step < 150; step++) {
      await page.keyboard.press(key);
      if ((await page.evaluate<string>(named)).startsWith(name)) return;
    }
    throw new Error(`the Tab key doesn't lead to ${name}`);
  }

  it('goes by the keyboard alone, from signing in to signing out', async () => {
    const page = await stage.open({ anonymous: true });
    const { keyboard } = page;
    await page.getByLabel('Key ID').waitFor();
    await tabTo(page, 'API key');
    await keyboard.press('ArrowRight');
    await tabTo(page, 'Token');
    await keyboard.insertText(await stage.service.token());
    await tabTo(page, 'Sign in');
    await keyboard.press('Enter');
    await settledList(page);

    await keyboard.press('/');
    await keyboard.type('ada@exa');
    await page.getByRole('link', { name: 'Ada Lovelace', exact: true }).waitFor();
    await page.locator('.total', { hasText: '1 user' }).waitFor();
    await tabTo(page, 'User name');
    await keyboard.press('Enter');
    await page.locator('th[aria-sort="ascending"]').waitFor();
    await settledList(page);
    await tabTo(page, 'Ada Lovelace');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ada' }).waitFor();

    await tabTo(page, 'Nickname');
    await keyboard.type('The countess');
    await tabTo(page, 'Roles and entitlements');
    await keyboard.press('Enter');
    await tabTo(page, 'Add role');
    await keyboard.press('Enter');
    await page.locator('[id="field/roles/1"]:focus').waitFor();
    await keyboard.type('countess');
    await keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    const { nickName, roles } = await stage.read(scene.id());
    expect({ nickName, roles }).to.deep.equal({ nickName: 'The countess', roles: ['engineer', 'countess'] });

    await tabTo(page, 'Delete…', 'Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete…' }).and(page.locator(':focus')).waitFor();
    await tabTo(page, await page.locator('.account-name').innerText(), 'Shift+Tab');
    await keyboard.press('Enter');
    await tabTo(page, 'Sign out');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  it('shows times in the language and the time zone of the reader', async () => {
    const page = await stage.open({ browser: { locale: 'de-DE', timezoneId: 'America/New_York' } });
    await settledList(page);
    const time = page.locator('time').first();
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const expected = new Intl.DateTimeFormat('de-DE', {
      dateStyle: 'medium',
      timeStyle: 'short',
      timeZone: 'America/New_York',
    });
    expect(await time.innerText()).to.equal(expected.format(at));
  });
});
