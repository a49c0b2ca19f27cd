import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { UserInput } from '../../src/domain/kinds/user/user.ts';
import { keepPicture, setStage, settledList, unfold } from './stage.ts';

/** Markup, script, an override of the direction of writing, and no place to break a line. */
const hostile = (length: number): string =>
  `<img src=x onerror=alert(1)><script>alert(2)</script>\u202e{{7*7}}"'&amp;${'x'.repeat(length)}`.slice(
    0,
    length,
  );

const userName = 'hostile';
const user: UserInput = {
  userName,
  externalId: hostile(255),
  name: { formatted: hostile(128), familyName: hostile(128), givenName: hostile(128) },
  displayName: hostile(256),
  nickName: hostile(256),
  title: hostile(256),
  userType: hostile(256),
  emails: [{ value: `${'x'.repeat(240)}@example.com`, display: hostile(256), type: hostile(64) }],
  phoneNumbers: [{ value: hostile(64) }],
  ims: [{ value: hostile(256) }],
  addresses: [{ formatted: hostile(512), streetAddress: hostile(256) }],
  entitlements: [{ value: hostile(256) }],
  roles: [hostile(64), 'a'],
  enterprise: { department: hostile(256), manager: { displayName: hostile(256) } },
  attributes: { [`a${'x'.repeat(63)}`]: hostile(1024) },
};

describe('Users with unusual values in the console', () => {
  const stage = setStage();
  let id: string;
  before(async () => {
    ({ id } = await stage.create(user));
    await stage.create({ userName: 'اختبار', displayName: 'שלום ‏(עולם) abc', title: '経理部長' });
  });

  async function open(query: string, width: number): Promise<Page> {
    const page = await stage.open({ query, browser: { viewport: { width, height: 800 } } });
    page.on('dialog', (dialog) => stage.complaints.push(`a dialog: ${dialog.message()}`));
    return page;
  }
  const isSideways = (page: Page) =>
    page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');

  const everyColumn =
    '&columns=userName,displayName,externalId,nickName,title,emails,addresses,roles,enterprise.department,attributes';

  for (const width of [1280, 360]) {
    it(`are shown as text in the list, ${width} pixels wide`, async () => {
      const page = await open(`?userName=${userName}${everyColumn}`, width);
      await settledList(page);
      expect(await page.locator('td', { hasText: '<img src=x onerror=alert(1)>' }).count()).to.be.above(5);
      expect(await page.locator('td img, td script').count()).to.equal(0);
      expect(await isSideways(page)).to.equal(false);
      await keepPicture(page, `hostile-list-${width}`);
    });

    it(`are shown as text in the form and beside it, ${width} pixels wide`, async () => {
      const page = await open(`?user=${id}&tab=edit`, width);
      expect(await page.getByLabel('Nickname').inputValue()).to.equal(user.nickName);
      await unfold(page);
      await page.locator('.representation pre').getByText('"nickName":').waitFor();
      expect(await page.locator('main img, main script').count()).to.equal(0);
      expect(await isSideways(page)).to.equal(false);
      await keepPicture(page, `hostile-user-${width}`, true);
    });

    it(`are shown as text where versions are compared, ${width} pixels wide`, async () => {
      const page = await open(`?user=${id}&tab=edit`, width);
      await page.getByLabel('Nickname').fill('mine');
      await stage.patch(id, { nickName: hostile(250), attributes: { b: hostile(1000) } });
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: /Somebody else/ });
      await dialog.waitFor();
      expect(await dialog.locator('img, script').count()).to.equal(0);
      expect(await dialog.evaluate((element) => element.scrollWidth <= element.clientWidth)).to.equal(true);
      await keepPicture(page, `hostile-merge-${width}`);
      await stage.patch(id, { nickName: hostile(256), attributes: { b: null } });
    });
  }

  it('are shown in their own direction, each separately', async () => {
    const page = await open('', 1280);
    await settledList(page);
    const name = page.getByRole('row', { name: 'اختبار' }).getByRole('link');
    expect(await name.locator('bdi').count()).to.equal(1);
    await name.click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    expect(await page.getByLabel('User name').getAttribute('dir')).to.equal('auto');
    await keepPicture(page, 'any-script');
  });
});
