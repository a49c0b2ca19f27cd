import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Browser, chromium, type Page } from 'playwright-core';
import { caseDeadline } from '../support/deadlines.ts';
import { aToken, startService, type TestService } from '../support/service.ts';
import { needed } from './tools.ts';

/** Where the picture of the page is kept. */
const pictures = join('build', 'pictures');

/** Events behind the page: its requests, and errors of its policy and its scripts. */
function observe(page: Page) {
  const fetched: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  page.on('console', (message) => {
    if (/error|warning/.test(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { fetched, complaints };
}

/** Runs in the page before its own scripts: records what its policy refuses. */
const keepViolations = `
globalThis.violations = [];
addEventListener('securitypolicyviolation', (event) => {
  violations.push(event.violatedDirective + ' ' + event.blockedURI);
});
`;

/** Also runs in the page: tries something that the policy forbids. */
const breakPolicy = `
new Promise((resolve) => {
  addEventListener('securitypolicyviolation', () => resolve(violations));
  fetch('https://elsewhere.example/').catch(() => undefined);
})
`;

describe('The documentation in a browser', () => {
  let service: TestService;
  let browser: Browser | undefined;
  before(async function () {
    const executablePath = needed(this, 'chromium-headless-shell');
    service = await startService({ basePath: '/v1' });
    // As root, as CI runs, Chromium's own sandbox can't be set up; the page is ours.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });

  async function open(): Promise<{ page: Page; seen: ReturnType<typeof observe> }> {
    if (browser === undefined) throw new Error('no browser was started');
    const page = await browser.newPage({ viewport: { width: 1200, height: 1600 } });
    const seen = observe(page);
    await page.addInitScript(keepViolations);
    await page.goto(`${service.url}/v1/docs`);
    return { page, seen };
  }

  async function authorize(page: Page): Promise<void> {
    await page.locator('.swagger-ui .btn.authorize').first().click();
    const bearer = page.locator('.auth-container').filter({ hasText: 'bearer' });
    await bearer.locator('input').fill(await aToken());
    await bearer.getByRole('button', { name: 'Apply credentials' }).click();
    await bearer.getByRole('button', { name: 'Close' }).click();
  }

  /** Sends the request of an operation as the page has it filled in. @param name of its tag and its own @returns the status */
  async function execute(page: Page, name: string): Promise<string> {
    const operation = page.locator(`#operations-${name}`);
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table .response .response-col_status');
    await answer.waitFor();
    const status = (await answer.innerText()).trim().slice(0, 3);
    await operation.locator('.opblock-summary-control').click();
    return status;
  }

  it('has examples for each operation on users that succeed one after the other', async function () {
    this.timeout(2 * caseDeadline);
    const { page } = await open();
    await authorize(page);
    const statuses: string[] = [];
    for (const name of ['createUser', 'listUsers', 'readUser', 'replaceUser', 'patchUser', 'removeUser'])
      statuses.push(`${name} ${await execute(page, `users-${name}`)}`);
    expect(statuses).to.deep.equal([
      ...['createUser 201', 'listUsers 200', 'readUser 200'],
      ...['replaceUser 200', 'patchUser 200', 'removeUser 204'],
    ]);
    await page.close();
  });

  it('sends a request with a token, from the page, and shows the 200', async () => {
    const { page, seen } = await open();
    await authorize(page);
    expect(await execute(page, 'users-listUsers')).to.equal('200');
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, 'docs.png') });

    expect(seen.fetched).to.include(`${service.url}/v1/users`);
    const elsewhere = seen.fetched.filter(
      (url) => !/^(?:data|blob):/.test(url) && !url.startsWith(`${service.url}/v1/`),
    );
    expect(elsewhere).to.deep.equal([]);
    expect(seen.complaints).to.deep.equal([]);
    expect(await page.evaluate('violations')).to.deep.equal([]);
    await page.close();
  });

  it('reports a violation of its content security policy', async () => {
    const { page } = await open();
    const violations = await page.evaluate<string[]>(breakPolicy);
    expect(violations.join()).to.include('connect-src');
    await page.close();
  });
});
