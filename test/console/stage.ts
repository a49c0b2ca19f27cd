/** The built service on SQLite and a browser, for tests that act like a person in the console. */
import { EventEmitter, once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { Group, GroupInput } from '../../src/domain/kinds/group/kind.ts';
import type { User, UserInput } from '../../src/domain/kinds/user/user.ts';
import { scopes as allScopes } from '../../src/domain/scopes.ts';
import { needed } from '../outside/tools.ts';
import { deadline } from '../support/deadlines.ts';
import {
  aDataFolder,
  discardProcesses,
  type Environment,
  type Process,
  startProcess,
} from '../support/process.ts';
import { type BrowserProgram, sharedBrowser } from './browsers.ts';

/** Where pictures of the page are kept. */
const screenshots = join('build', 'screenshots');

interface Visit {
  /** Below the console's address: `?user=…`, `./` for the overview; omitted or empty: the list of users. */
  readonly query?: string;
  readonly scopes?: readonly string[];
  /** Omitted: a person is already signed in with a token. */
  readonly anonymous?: boolean;
  /** In the place of the service's own address: a gateway's. */
  readonly at?: string;
  readonly browser?: BrowserContextOptions;
}

export interface Stage {
  readonly service: Process;
  /** The console's address at the service itself. */
  readonly address: string;
  open(visit?: Visit): Promise<Page>;
  /** Asks the API, with every scope unless told otherwise. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  create(user: UserInput): Promise<User>;
  createGroup(group: GroupInput, members?: readonly string[]): Promise<Group>;
  read(id: string): Promise<User>;
  /** As another person would. */
  patch(id: string, patch: Readonly<Record<string, unknown>>): Promise<User>;
  /** Violations of the page's policy that the browser reports, now or later. A test that does not read them fails. */
  nextReport(): Promise<string>;
  /** What the pages have complained of; a test that provokes something takes it out. */
  readonly complaints: string[];
}

/** Runs in the page before its own scripts. Everything that its policy refuses is an error of the page. */
const watchPolicy = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  console.error('refused by the policy: ' + violatedDirective + ' ' + blockedURI);
});`;

/** A request that was refused isn't an error of the page; most of these tests provoke some. */
const isExpected = (text: string): boolean => text.startsWith('Failed to load resource');

const sessionKey = 'console.session';

/** A service with both kinds of credentials; the file of keys is to be made before it starts. */
export const bothCredentials = {
  USERS_JWT_SECRET: 'a secret of at least thirty-two bytes',
  USERS_JWT_ISSUER: 'https://issuer.example',
  USERS_JWT_AUDIENCE: 'users',
  USERS_API_KEYS_FILE: 'keys.json',
};

async function collectReports(reports: string[], arrivals: EventEmitter): Promise<Server> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    reports.push(text);
    arrivals.emit('report');
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/**
 * To be called in `describe`.
 * @param env settings of the service, in addition or in the place of the usual ones
 * @param prepare done in the service's folder before it starts
 * @param program replaces the program of the tests' build
 */
export function setStage(
  env: Environment | (() => Promise<Environment>) = {},
  prepare: (folder: string) => Promise<unknown> = async () => undefined,
  program?: () => string,
  browserProgram: BrowserProgram = 'chromium-headless-shell',
): Stage {
  const reports: string[] = [];
  const arrivals = new EventEmitter();
  const complaints: string[] = [];
  let collector: Server;
  let service: Process;
  let browser: Browser | undefined;
  let token = '';

  before('a service and a browser are started', async function () {
    const browserPath = needed(this, browserProgram);
    collector = await collectReports(reports, arrivals);
    const { port } = collector.address() as AddressInfo;
    const folder = aDataFolder();
    await prepare(folder);
    service = await startProcess({
      folder,
      surroundings: program === undefined ? {} : { program: program() },
      env: {
        USERS_CONSOLE_REPORT_URL: `http://127.0.0.1:${port}/reports`,
        ...(typeof env === 'function' ? await env() : env),
      },
    });
    token = await service.token();
    browser = await sharedBrowser(browserProgram, browserPath);
  });
  afterEach('nothing went wrong behind the page', async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    expect(complaints.splice(0)).to.deep.equal([]);
    expect(reports.splice(0)).to.deep.equal([]);
  });
  after(async () => {
    collector?.close();
    await discardProcesses();
  });

  const ask: Stage['ask'] = (path, init = {}) =>
    fetch(service.url + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const send = async <T>(path: string, method: string, body: unknown, type: string): Promise<T> => {
    const headers = { 'content-type': type };
    const response = await ask(path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (response.status === 204 ? undefined : await response.json()) as T;
  };

  return {
    get service() {
      return service;
    },
    get address() {
      return `${service.url}/console/`;
    },
    async nextReport() {
      if (reports.length === 0) await once(arrivals, 'report');
      return reports.shift() ?? '';
    },
    complaints,
    ask,
    create: (user) => send('/users', 'POST', user, 'application/json'),
    async createGroup(input, members = []) {
      const group = await send<Group>('/groups', 'POST', input, 'application/json');
      await send(`/groups/${group.id}/members`, 'POST', { add: members }, 'application/json');
      return group;
    },
    read: async (id) => (await (await ask(`/users/${id}`)).json()) as User,
    patch: (id, patch) => send(`/users/${id}`, 'PATCH', patch, 'application/merge-patch+json'),
    async open({ query = '', scopes = allScopes, anonymous = false, at, browser: options = {} } = {}) {
      if (browser === undefined) throw new Error('no browser was started');
      const context = await browser.newContext({
        viewport: { width: 1280, height: 860 },
        locale: 'en-GB',
        timezoneId: 'Europe/Amsterdam',
        ...options,
      });
      context.setDefaultTimeout(deadline);
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(error.stack ?? error.message));
      page.on('console', (message) => {
        if (/error|warning/.test(message.type()) && !isExpected(message.text()))
          complaints.push(message.text());
      });
      await page.addInitScript(watchPolicy);
      if (!anonymous) {
        const credentials = { kind: 'token', token: await service.token(scopes) };
        const session = JSON.stringify({ credentials, name: 'ada@example.com', scopes });
        // Firefox runs it in the empty page before, too, which has no storage.
        await page.addInitScript(
          `if (origin !== 'null' && sessionStorage.getItem('${sessionKey}') === null) sessionStorage.setItem('${sessionKey}', ${JSON.stringify(session)})`,
        );
      }
      await page.goto((at ?? `${service.url}/console/`) + (query || 'users'));
      return page;
    },
  };
}

/** Keeps a picture of the page as a file. @param whole also what would have to be scrolled to */
export async function takePicture(page: Page, name: string, whole = false): Promise<void> {
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: whole, animations: 'disabled' });
}

/** The same for whoever runs the file by itself: nobody looks at the pictures of all files, which take a quarter of a second each. */
export const keepPicture: typeof takePicture = async (...given) => {
  if (process.env.RUN_FOLDER === undefined) await takePicture(...given);
};

/** The texts of a column of the list, from top to bottom. @param place counted from 0 */
export const columnOf = (page: Page, place = 0): Promise<string[]> =>
  page.locator(`table.rows tbody td${place === 0 ? '.lead a' : `:nth-child(${place + 2})`}`).allInnerTexts();

/** The user names in the list, which stand below names that differ from them. */
export const userNamesOf = (page: Page): Promise<string[]> =>
  page
    .locator('table.rows tbody td.lead')
    .evaluateAll((cells) =>
      cells.map(
        (cell) => cell.querySelector('.who .small, a')?.parentElement?.lastElementChild?.textContent ?? '',
      ),
    );

/** Any view, when all that it shows has come. */
export async function settledPage(page: Page): Promise<void> {
  await page.locator('main :is(h1, h2)').first().waitFor({ state: 'attached' });
  await page.locator('.skeleton, [aria-busy="true"]').first().waitFor({ state: 'detached' });
}

/** Opens all that a form folds away. */
export async function unfold(page: Page): Promise<void> {
  await page.locator('.resource-form').waitFor();
  await page.evaluate(
    "for (const summary of document.querySelectorAll('.fold:not([open]) > summary')) summary.click()",
  );
}

/** Waits until all of it is in the window, without scrolling there. */
export async function inSight(page: Page, what: Locator): Promise<void> {
  await page.waitForFunction(
    (element) => {
      const { top = -1, bottom = 0 } = element?.getBoundingClientRect() ?? {};
      return top >= 0 && bottom <= innerHeight;
    },
    await what.elementHandle(),
  );
}

/** The list once its rows belong to the current query. */
export const settledList = (page: Page) => page.locator('table.rows[aria-busy="false"]').waitFor();
