/** Screens of the console, each of which is held to what makes it usable for all: by axe, at any width, in light and in dark. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { bothCredentials, keepPicture, type Stage, setStage, settledPage, unfold } from './stage.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All of axe's rules, including those of WCAG 2.2 AA. `axe` is already in the page. */
async function violationsOf(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] })",
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`),
  );
}

/** Runs in the page: what can be worked with and lies over something else that can be, as far as both are in sight. */
const findOverlaps = `(() => {
  const all = [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter(
    (one) => one.checkVisibility({ opacityProperty: true }) && !one.closest('thead, .skip'),
  );
  const inDialog = document.querySelector('dialog[open]');
  const boxes = all
    .filter((one) => inDialog === null || inDialog.contains(one))
    .map((one) => [one, one.getBoundingClientRect()]);
  const overlaps = [];
  for (const [at, [one, a]] of boxes.entries())
    for (const [other, b] of boxes.slice(at + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      // All else scrolls away under a bar at the edge.
      const [bar, otherBar] = [one, other].map((each) => each.closest('.save-bar, .selection-bar, .pager, .toast'));
      if (bar !== otherBar) continue;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 1 && height > 1) overlaps.push(one.outerHTML.slice(0, 80) + ' over ' + other.outerHTML.slice(0, 80));
    }
  return overlaps;
})()`;

const looks = [
  { width: 1280, scheme: 'light', isChecked: true },
  { width: 768, scheme: 'dark', isChecked: false },
  { width: 360, scheme: 'dark', isChecked: true },
  { width: 320, scheme: 'light', isChecked: false },
] as const;

/** In each look: axe, nothing to scroll to sideways, nothing over anything else, and a picture. */
export async function checkLooks(page: Page, name: string): Promise<void> {
  await page.evaluate(`${axe}; undefined`);
  for (const { width, scheme, isChecked } of looks) {
    await page.setViewportSize({ width, height: width < 700 ? 760 : 860 });
    await page.emulateMedia({ colorScheme: scheme });
    if (isChecked) expect(await violationsOf(page), `${width}`).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), `${width}`).to.equal(0);
    if (!name.endsWith('menu')) expect(await page.evaluate(findOverlaps), `${width}`).to.deep.equal([]);
    await keepPicture(page, `${name.replaceAll(' ', '-')}-${width}-${scheme}`);
  }
}

/** A service with users, imported but for one, who is in a group; this user, `id()`, has a value in most fields. */
export function setUsersOnStage(): { readonly stage: Stage; id(): string; group(): string } {
  const stage = setStage(bothCredentials, async (folder) =>
    writeFileSync(join(folder, bothCredentials.USERS_API_KEYS_FILE), '{"keys":[]}', { mode: 0o600 }),
  );
  let id = '';
  let group = '';
  before(async () => {
    const headers = { 'content-type': 'application/json', 'x-request-id': randomUUID() };
    for (let index = 0; index < 20; index++) {
      const user = {
        userName: `user${index}`,
        displayName: `Ada Lovelace ${index}`,
        active: index % 5 !== 0,
        emails: [{ value: `user${index}@example.com` }],
      };
      await stage.ask('/users', { method: 'POST', headers, body: JSON.stringify(user) });
    }
    ({ id } = await stage.create({
      userName: 'ada',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: 'ada@example.com', primary: true }],
      roles: ['engineer'],
      attributes: { floor: '2' },
    }));
    const input = { displayName: 'Engineering', description: 'Builds and repairs engines of every kind' };
    ({ id: group } = await stage.createGroup(input, [id]));
    await stage.createGroup({ displayName: 'Night shift' });
  });
  return { stage, id: () => id, group: () => group };
}

type View = readonly [query: string, prepare?: (page: Page) => Promise<unknown>];

/** Opens a dialog, and picks the resource that a name finds. */
const pickOne = (button: string, label: string, name: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('combobox', { name: label }).fill(name);
  await page.locator('.inline[aria-busy=false] [role=option]', { hasText: name }).first().click();
  await page.locator('.names', { hasText: name }).waitFor();
};

/** A table with more columns than there is room for, and a mistake. */
async function importTable(page: Page): Promise<void> {
  const headings = 'Benutzername;Vorname;Nachname;Titel;Abteilung;Kürzel;Etage';
  const rows = ['imported;Ada;Lovelace;Countess;Analytical engines;AL;2', 'two words;Zoë;;;;;'];
  const buffer = Buffer.from([headings, ...rows, ''].join('\r\n'));
  await page.locator('input[type=file]').setInputFiles({ name: 'staff.csv', mimeType: '', buffer });
  await page.getByText('How the file is read').click();
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByRole('button', { name: 'Download the refused rows' }).waitFor();
}

/** By name: the address, and the steps that lead to the screen. */
function viewsOn({ stage, id, group }: ReturnType<typeof setUsersOnStage>): Readonly<Record<string, View>> {
  const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
  return {
    overview: ['./', (page) => page.getByText('20 users').waitFor()],
    list: [''],
    'list with a filter': ['?active=true&search=ada'],
    'filter menu': ['', (page) => page.getByText('Filter', { exact: true }).click()],
    'columns menu': ['', (page) => page.getByText('Columns', { exact: true }).first().click()],
    'account menu': ['', (page) => page.locator('.account summary').click()],
    webhooks: ['webhooks', (page) => page.locator('.notice').waitFor()],
    access: ['access', (page) => page.locator('.shown').waitFor()],
    selection: ['', (page) => page.getByLabel('Select all on this page').check()],
    'no match': ['?search=nobody'],
    'a search that makes no sense': ['?search=---'],
    user: ['?user='],
    'user groups': ['?tab=groups&user=', (page) => page.locator('.group-row').first().waitFor()],
    'user form': ['?tab=edit&user='],
    'user with all sections open': ['?tab=edit&user=', unfold],
    'new user': ['?new'],
    groups: ['groups'],
    group: ['groups?group='],
    'group details': ['groups?tab=details&group='],
    'group form': ['groups?tab=edit&group='],
    'new group': ['groups?new'],
    'no such group': ['groups?group=019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10'],
    'members to add': ['groups?group=', pickOne('Add members…', 'Find users', 'user1')],
    'group to join': [
      '?search=user1',
      async (page) => {
        await page.getByLabel('Select all on this page').check();
        await pickOne('Add to group…', 'Find a group', 'Night shift')(page);
      },
    ],
    'filter by group': [
      '',
      async (page) => {
        await page.goto(`${stage.address}?group=${group()}`);
        await page.locator('.chip', { hasText: 'Engineering' }).waitFor();
      },
    ],
    'user history': [
      '?tab=history&user=',
      (page) => page.locator('.changes .change-line button').last().click(),
    ],
    activity: ['activity', (page) => page.locator('.changes .change-line button').first().click()],
    'activity of an import': [
      './',
      async (page) => {
        await page.getByRole('link', { name: '20 users' }).click();
        await page.locator('.changes li li').first().waitFor();
      },
    ],
    comparison: [
      '',
      async (page) => {
        await page.getByLabel('Select user1', { exact: true }).check();
        await page.getByLabel('Select user2', { exact: true }).check();
        await page.getByRole('button', { name: 'Compare' }).click();
      },
    ],
    'changes to undo': [
      'activity',
      async (page) => {
        await page.locator('.changes .change-line button').first().click();
        await page.getByRole('button', { name: 'Undo…' }).click();
        await page.getByRole('button', { name: /^Undo \d/ }).waitFor();
      },
    ],
    'group history': [
      'groups?tab=history&group=',
      (page) => page.locator('.member-names a').first().waitFor(),
    ],
    'files menu': ['', (page) => page.getByText('Import and export').click()],
    'export dialog': [
      'users?dialog=export',
      (page) => page.getByRole('combobox', { name: /^Format/ }).waitFor(),
    ],
    import: ['import'],
    'import with mistakes': ['import', importTable],
    'no such user': ['?user=019b7c5a-3f6e-7c3a-8a52-0d6f4e1b9c10'],
    mistakes: [
      '?tab=edit&user=',
      async (page) => {
        await page.getByLabel('User name').fill('two words');
        await save(page);
        await page.getByRole('alert').waitFor();
      },
    ],
    delete: ['?user=', (page) => page.getByRole('button', { name: 'Delete…' }).click()],
    merge: [
      '?tab=edit&user=',
      async (page) => {
        await page.getByLabel('Job title').fill('Mine');
        await page.getByLabel('Nickname').fill('Mine');
        await stage.patch(id(), { title: 'Theirs', locale: 'nl-NL' });
        await save(page);
        await page.getByRole('dialog').waitFor();
      },
    ],
    'change of many': [
      '',
      async (page) => {
        await page.getByLabel('Select all on this page').check();
        await page.getByRole('button', { name: 'Change…' }).click();
        await page.getByRole('dialog').getByLabel('Field').selectOption({ label: 'Roles' });
        await page.getByRole('option', { name: 'engineer' }).waitFor();
      },
    ],
    'failures of many': [
      '',
      async (page) => {
        await page.route(/\/users\/[^/]+$/, (route) =>
          route.fulfill({ status: 409, json: { title: 'Refused', detail: 'Not today.' } }),
        );
        await page.getByLabel('Select user1', { exact: true }).check();
        await page.getByRole('button', { name: 'Deactivate…' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
        await page.getByRole('button', { name: 'Try the failed ones again' }).waitFor();
      },
    ],
    'suggestions menu': [
      '',
      async (page) => {
        await page.getByText('Filter', { exact: true }).click();
        await page.getByLabel('Field').selectOption('role');
        await page.getByRole('option', { name: 'engineer' }).waitFor();
      },
    ],
    'bulk confirmation': [
      '',
      async (page) => {
        await page.getByLabel('Select user1', { exact: true }).check();
        await page.getByLabel('Select user2', { exact: true }).check();
        await page.getByRole('button', { name: 'Delete…' }).click();
      },
    ],
    offline: [
      '?tab=edit&user=',
      async (page) => {
        await page.getByLabel('Nickname').fill('x');
        await page.context().setOffline(true);
        await save(page);
        await page.getByRole('alert').waitFor();
      },
    ],
  };
}

/** In the reduced run of `npm test`: a table, a form, both together, faults and a dialog. */
const usualViews = ['overview', 'list', 'user', 'user form', 'group', 'mistakes', 'delete'];

/** Defines a case for each of the usual views, or for each of the others. */
export function itIsAccessible(which: 'usual' | 'other', scene: ReturnType<typeof setUsersOnStage>): void {
  for (const [name, [query, prepare]] of Object.entries(viewsOn(scene)))
    if (usualViews.includes(name) === (which === 'usual'))
      it(`passes axe in light and dark, and fits any screen: ${name}`, async () => {
        const page = await scene.stage.open({
          query: query.replace(/user=$/, `user=${scene.id()}`).replace(/group=$/, `group=${scene.group()}`),
        });
        await settledPage(page);
        await prepare?.(page);
        await checkLooks(page, name);
      });
}
