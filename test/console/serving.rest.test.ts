import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { setups } from '../outside/setups.ts';
import { needed } from '../outside/tools.ts';
import { type RunningProxy, startProxy } from '../support/caches.ts';
import { discardProcesses, program, startProcess } from '../support/process.ts';
import { setStage, settledList } from './stage.ts';

const built = join(program, '..', 'console');
const files: string[] = JSON.parse(readFileSync(join(built, 'files.json'), 'utf8')).all;

describe('The served console', () => {
  const stage = setStage();
  const page = () => stage.ask('/console/', { headers: { authorization: '' } });
  const assetsOf = (html: string): string[] =>
    [...html.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, name = '']) => name);

  it('has a page that browsers request each time, and files that never change', async () => {
    const answer = await page();
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('cache-control')).to.equal('no-cache');
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const tag = answer.headers.get('etag') ?? '';
    expect((await stage.ask('/console/', { headers: { 'if-none-match': tag } })).status).to.equal(304);
    const assets = assetsOf(await answer.text());
    expect(assets).to.have.length(3);
    for (const name of assets) {
      expect(name).to.match(/-[A-Z0-9]{8}\.(?:js|css|svg)$/);
      const { headers, status } = await stage.ask(`/console/${name}`);
      expect(status).to.equal(200);
      expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    }
  });

  it('is compressed as the browser accepts it', async () => {
    // A small file fits into one packet anyway.
    const large = files.filter((name) => readFileSync(join(built, name)).length > 4096);
    expect(large).to.have.length.above(3);
    for (const name of large)
      for (const coding of ['gzip', 'br']) {
        const headers = { 'accept-encoding': coding };
        const answer = await stage.ask(`/console/assets/${name}`, { headers });
        expect(answer.headers.get('content-encoding'), name).to.equal(coding);
      }
  });

  it('has a policy without exceptions', async () => {
    const policy = (await page()).headers.get('content-security-policy') ?? '';
    expect(policy).to.match(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
    expect(policy).not.to.match(/unsafe|\*|data:|https?:(?!\/\/127)/);
  });

  it('loads nothing from other sites, and reports a violation of its content security policy', async () => {
    const opened = await stage.open();
    const fetched: string[] = [];
    opened.on('request', (request) => fetched.push(request.url()));
    await opened.reload();
    await settledList(opened);
    expect(fetched.filter((url) => !url.startsWith(`${stage.service.url}/`))).to.deep.equal([]);
    const reported = opened.waitForEvent('console', (message) =>
      /refused by the policy/.test(message.text()),
    );
    await opened.evaluate("fetch('https://elsewhere.example/').catch(() => undefined)");
    await reported;
    expect(await stage.nextReport()).to.include('connect-src');
    stage.complaints.length = 0;
  });

  it('asks on each visit if the schemas have changed, since another file of attributes or another release changes them', async () => {
    const opened = await stage.open();
    await settledList(opened);
    for (const path of ['/schemas/user.json', '/schemas/group.json']) {
      const asked = opened.waitForRequest(stage.service.url + path);
      await opened.reload();
      expect(await (await asked).headerValue('if-none-match'), path).to.match(/^"/);
      await settledList(opened);
    }
  });

  it('is found without a slash at the end, and linked from the documentation and back', async () => {
    const opened = await stage.open();
    await opened.goto(`${stage.service.url}/console`);
    await opened.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(opened.url()).to.equal(stage.address);
    await opened.locator('.account summary').click();
    await opened.getByRole('link', { name: 'API documentation' }).click();
    await opened.getByRole('link', { name: 'Open the console' }).click();
    await opened.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('answers an address that it does not have with a page that leads to the console', async () => {
    const opened = await stage.open();
    const answer = await opened.goto(`${stage.service.url}/console/nowhere?user=1`);
    expect(answer?.status()).to.equal(404);
    await opened.getByRole('link', { name: 'Open the console' }).click();
    await opened.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(opened.url()).to.equal(stage.address);
  });

  it('is 404 when the settings turn it off', async () => {
    const service = await startProcess({ env: { USERS_CONSOLE_ENABLED: 'false' } });
    for (const path of ['/console', '/console/', `/console/assets/${files[0]}`])
      expect((await fetch(service.url + path)).status, path).to.equal(404);
    expect(await (await fetch(`${service.url}/docs`)).text()).not.to.include('console');
    await service.stop();
  });
});

describe('The console with a name of its own', () => {
  const stage = setStage({ USERS_CONSOLE_NAME: 'People <of> Analytical Engines' });

  it('shows the name at sign-in, in the bar and in the titles of tabs', async () => {
    const name = 'People <of> Analytical Engines';
    const outside = await stage.open({ anonymous: true });
    await outside.getByRole('heading', { name }).waitFor();
    expect(await outside.title()).to.equal(name);
    const page = await stage.open({ query: 'groups' });
    await settledList(page);
    await page.getByRole('banner').getByRole('link', { name, exact: true }).waitFor();
    expect(await page.title()).to.equal(`Groups · ${name}`);
  });
});

describe('The console behind a gateway', () => {
  const stage = setStage({ USERS_BASE_PATH: '/v1', USERS_PUBLIC_URL: 'https://directory.example/people' });
  let proxy: RunningProxy | undefined;
  before(async function () {
    const nginx = needed(this, 'nginx');
    proxy = await startProxy(
      setups['nginx that has the service below a path'],
      nginx,
      new URL(stage.service.url).origin,
    );
  });
  after(async () => {
    await proxy?.stop();
    await discardProcesses();
  });

  it('shows pages and changes users with If-Match below a path of a gateway that compresses', async () => {
    for (let index = 0; index < 60; index++)
      await stage.create({ userName: `user${index}`, displayName: 'x'.repeat(200) });
    const page = await stage.open({ at: `${proxy?.url}/people/console/` });
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('row', { name: 'user59' }).getByRole('link').click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Job title').fill('Behind');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
    await page.getByLabel('Job title').fill('Mine');
    const id = new URL(page.url()).searchParams.get('user') ?? '';
    await stage.patch(id, { title: 'Theirs' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog', { name: /Somebody else has changed/ }).waitFor();
  });

  it('works without the gateway, below its base path', async () => {
    const page = await stage.open();
    expect(page.url()).to.match(/\/v1\/console\/users$/);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('row', { name: 'user59' }).getByRole('link').waitFor();
  });
});
