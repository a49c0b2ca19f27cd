/**
 * `npm run bench -- console`: what a person waits for in the console, in Chromium, with a million users on SQLite. `--users 10000` takes
 * fewer, `--check` fails where a bound is missed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { UserInput } from '../src/domain/kinds/user/user.ts';
import { type Headers, makeCredentials } from './credentials.ts';
import { fill } from './directory.ts';
import { formatTable } from './report.ts';
import { median } from './result.ts';
import { type Server, startServer } from './server.ts';
import { serviceScript } from './stage.ts';

const { values } = parseArgs({
  options: { users: { type: 'string', default: '1000000' }, check: { type: 'boolean', default: false } },
});

const rounds = 7;
/** In milliseconds, as the console has it. */
const debounce = 250;

/** Runs in the page before anything of its own: notes when the overview, the list, a list after a key, and a form stand, as they are drawn. */
const notes = `
globalThis.noted = {};
let typedAt;
let hasAsked = false;
// Behind the frame: laid out and painted.
const note = (name, since) => requestAnimationFrame(() => setTimeout(() => { noted[name] ??= performance.now() - since; }));
addEventListener('input', () => { typedAt = performance.now(); hasAsked = false; delete noted.found; });
new MutationObserver(() => {
  if (document.querySelector('table.rows[aria-busy=true]')) hasAsked = true;
  if (document.querySelector('table.rows[aria-busy=false] tbody tr')) {
    note('list', 0);
    if (typedAt !== undefined && hasAsked) note('found', typedAt + ${debounce});
  }
  if (document.querySelector('.figure') && !document.querySelector('.figure [aria-busy=true]')) note('overview', 0);
  if (document.querySelector('.resource-form')) {
    const asked = performance.getEntriesByType('resource').findLast(({ name }) => /users\\/[0-9a-f-]+$/.test(name));
    if (asked) note('form', asked.responseEnd);
    if (asked && document.getElementById('field/attributes/#63/value')) note('whole', asked.responseEnd);
  }
}).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['aria-busy'] });
`;

interface Noted {
  readonly overview?: number;
  readonly list?: number;
  readonly found?: number;
  readonly form?: number;
  readonly whole?: number;
}

const sessionOf = ({ authorization = '' }: Headers): string =>
  JSON.stringify({
    credentials: { kind: 'token', token: authorization.replace('Bearer ', '') },
    name: 'bench',
    scopes: ['users:read', 'users:write', 'users:delete'],
  });

async function openPage(browser: Browser, session: string, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.addInitScript(`sessionStorage.setItem('console.session', ${JSON.stringify(session)});${notes}`);
  await page.goto(url);
  return page;
}

/** As soon as it was noted. The page's policy refuses what Playwright's own way to wait would evaluate. */
const notedOf = (page: Page, name: keyof Noted): Promise<number> =>
  page.evaluate<number>(`new Promise((resolve) => {
    const look = () => (noted.${name} === undefined ? requestAnimationFrame(look) : resolve(noted.${name}));
    look();
  })`);

const text = (length: number): string =>
  'Lovelace '
    .repeat(Math.ceil(length / 9))
    .slice(0, length)
    .trim();

/** Every field filled in, and about as much as a user may hold (16 KiB). */
const fullUser: UserInput = {
  userName: 'everything',
  externalId: 'x',
  name: {
    formatted: text(40),
    familyName: text(20),
    givenName: 'Ada',
    middleName: 'A.',
    honorificPrefix: 'Dr',
    honorificSuffix: 'III',
  },
  displayName: text(40),
  nickName: 'A',
  profileUrl: 'https://people.example.com/ada',
  title: text(20),
  userType: 'employee',
  preferredLanguage: 'en-GB',
  locale: 'en-GB',
  timezone: 'Europe/London',
  emails: Array.from({ length: 20 }, (_, at) => ({
    value: `ada${at}@example.com`,
    display: 'A',
    type: 'work',
  })),
  phoneNumbers: Array.from({ length: 20 }, (_, at) => ({ value: `+44 ${at}`, type: 'work' })),
  ims: Array.from({ length: 20 }, (_, at) => ({ value: `im${at}`, type: 'xmpp' })),
  photos: [{ value: 'https://people.example.com/ada.png', type: 'photo' }],
  addresses: Array.from({ length: 10 }, () => ({ streetAddress: 'St James’s Square', locality: 'London' })),
  entitlements: Array.from({ length: 50 }, (_, at) => ({ value: `right ${at}` })),
  roles: Array.from({ length: 100 }, (_, at) => `role ${at}`),
  x509Certificates: [{ value: 'AAAA' }],
  enterprise: {
    employeeNumber: '1',
    costCenter: '1',
    organization: 'O',
    division: 'D',
    department: 'D',
    manager: { value: '1', displayName: 'M' },
  },
  attributes: Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`attribute${at}`, text(20)])),
};

async function createFull(server: Server, headers: Headers): Promise<string> {
  const body = JSON.stringify(fullUser);
  const response = await fetch(`${server.url}/users`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  if (!response.ok) throw new Error(`the full user: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { readonly id: string }).id;
}

/** Keystroke by keystroke, since each is a search of its own. */
async function measureTyping(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (const typed of ['ada', 'ada-', 'ada-9', 'germain', 'ada germ', 'noether ada', 'hopper']) {
    await page.getByRole('searchbox').fill(typed);
    times.push(await notedOf(page, 'found'));
  }
  return times;
}

async function measure(server: Server, browser: Browser, headers: Headers): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>([
    ['overview', []],
    ['list', []],
    ['found', []],
    ['form', []],
    ['whole', []],
  ]);
  const session = sessionOf(headers);
  const id = await createFull(server, headers);
  for (let round = 0; round < rounds; round++) {
    const overview = await openPage(browser, session, `${server.url}/console/`);
    times.get('overview')?.push(await notedOf(overview, 'overview'));
    await overview.context().close();
    const list = await openPage(browser, session, `${server.url}/console/users`);
    times.get('list')?.push(await notedOf(list, 'list'));
    times.get('found')?.push(...(await measureTyping(list)));
    await list.context().close();
    const form = await openPage(browser, session, `${server.url}/console/users?user=${id}&tab=edit`);
    times.get('form')?.push(await notedOf(form, 'form'));
    times.get('whole')?.push(await notedOf(form, 'whole'));
    await form.context().close();
  }
  return times;
}

/** What each is called, and its bound in milliseconds. */
const bounds = {
  overview: ['all figures of the overview stand, from asking for the page', 1000],
  list: ['the list stands, from asking for the page', 1000],
  found: ['what a keystroke finds, after the debounce', 150],
  form: ['a form with every field, from the answer on', 100],
  whole: ['the last of its 760 inputs, from the answer on', 300],
} as const;

const folder = mkdtempSync(join(tmpdir(), 'users-console-'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox'],
});
try {
  const { settings, hs256 } = await makeCredentials(folder);
  const file = join(folder, 'users.db');
  process.stderr.write(`${values.users} users …\n`);
  fill(file, 0, Number(values.users));
  const server = await startServer(serviceScript, folder, { ...settings.secret, USERS_SQLITE_FILE: file });
  try {
    const times = await measure(server, browser, hs256.headers);
    const rows = Object.entries(bounds).map(([name, [what, bound]]) => {
      const found = times.get(name) ?? [];
      const middle = median(found);
      if (values.check && middle > bound) process.exitCode = 1;
      const range = `${middle.toFixed(0)} (${Math.min(...found).toFixed(0)}–${Math.max(...found).toFixed(0)})`;
      return [what, range, String(bound), middle <= bound ? 'met' : 'MISSED'];
    });
    console.log(formatTable([['what', 'ms', 'at most', ''], ...rows], false));
  } finally {
    await server.stop();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
