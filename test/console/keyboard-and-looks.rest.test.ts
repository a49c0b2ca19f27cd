import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { checkLooks, setUsersOnStage } from './accessible-screens.ts';
import { keepPicture, settledList, unfold } from './stage.ts';

describe('The console, for all users', () => {
  const scene = setUsersOnStage();
  const { stage } = scene;

  it('passes axe in light and dark, and fits any screen: signing in', async () => {
    const page = await stage.open({ anonymous: true });
    await page.getByLabel('Key ID').fill('nobody');
    await page.getByLabel('Secret').fill('x');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await checkLooks(page, 'refused');
  });

  it('does not break an email address on a card that has room for it on a separate line', async () => {
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

  it('shows the current page and the selection when the browser forces its colours', async () => {
    const { id } = await stage.create({ userName: 'forced', timezone: 'Etc/UTC' });
    const page = await stage.open({ query: `?user=${id}&tab=edit`, browser: { forcedColors: 'active' } });
    /** What is left of the looks of two elements: no shadows, and no backgrounds. */
    const differ = async (one: Locator, other: Locator) => {
      const looks = [one, other].map((element) =>
        element.evaluate((node) => {
          const { outlineStyle, borderTopWidth, textDecorationLine } = getComputedStyle(node as never);
          return [outlineStyle, borderTopWidth, textDecorationLine].join();
        }),
      );
      const [own, others] = await Promise.all(looks);
      expect(own, String(one)).to.not.equal(others);
    };
    const link = (name: string, bar = 'Directory') =>
      page.getByRole('navigation', { name: bar }).getByRole('link', { name, exact: true });
    await unfold(page);
    await differ(link('Users'), link('Groups'));
    await differ(link('Overview', 'Views'), link('History', 'Views'));
    await differ(
      page.locator('.segments span', { hasText: 'JSON' }),
      page.locator('.segments span', { hasText: 'XML' }),
    );
    await keepPicture(page, 'forced-colors');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/');
    await page.getByRole('combobox', { name: 'Time zone' }).press('ArrowDown');
    await differ(
      page.getByRole('listbox').getByRole('option', { selected: true }),
      page.getByRole('listbox').getByRole('option', { selected: false }).first(),
    );
    await page.goto(`${stage.address}activity`);
    await differ(link('All changes', 'Views'), link('Deleted', 'Views'));
    await page.goto(`${stage.address}import`);
    await differ(
      page.getByRole('navigation').getByText('Users').last(),
      page.getByRole('navigation').getByText('Groups').last(),
    );
  });

  it('can be used with the keyboard only, from signing in to signing out', async () => {
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
    await tabTo(page, 'Name');
    await keyboard.press('Enter');
    await page.locator('th[aria-sort="descending"]').waitFor();
    await settledList(page);
    await tabTo(page, 'Ada Lovelace');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ada' }).waitFor();

    await keyboard.press('e');
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
    const page = await stage.open({
      query: '?columns=displayName,meta.created',
      browser: { locale: 'de-DE', timezoneId: 'America/New_York' },
    });
    await settledList(page);
    const time = page.locator('time').first();
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const expected = new Intl.DateTimeFormat('de-DE', {
      dateStyle: 'full',
      timeStyle: 'medium',
      timeZone: 'America/New_York',
    });
    expect(await time.getAttribute('title')).to.equal(expected.format(at));
    expect(await time.innerText()).to.match(/^(?:jetzt|vor \d+ (?:Minuten?|Stunden?))$/);
    await page.clock.setFixedTime(at.getTime() + 30 * 86_400_000);
    await page.reload();
    await settledList(page);
    const { day, month, year } = Object.fromEntries(
      new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeZone: 'America/New_York' })
        .formatToParts(at)
        .map(({ type, value }) => [type, value]),
    );
    expect(await time.innerText()).to.match(new RegExp(`^${day}\\.${month}\\.${year}, `));
  });
});
