import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import { inSight, keepPicture, setStage, settledList, unfold } from './stage.ts';

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click();
const saved = (page: Page) => page.getByRole('status').filter({ hasText: 'Saved' }).waitFor();
const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

/** Answers the next change like this; `before` decides whether the service gets it. */
async function answerChange(
  page: Page,
  answer: Parameters<Route['fulfill']>[0],
  before?: (route: Route) => unknown,
) {
  let isOver = false;
  await page.route(/\/users(\/[^/]+)?$/, async (route) => {
    if (isOver || route.request().method() === 'GET') return route.continue();
    isOver = true;
    await before?.(route);
    return route.fulfill(answer);
  });
}

const outcomeUnknown = { status: 504, json: { title: 'The outcome is not known', status: 504 } };

describe('When something goes wrong in the console', () => {
  const stage = setStage();
  let made = 0;

  /** A user whose title was changed in the form and not saved. */
  async function openChanged() {
    const user = await stage.create({ userName: `user${++made}`, title: 'Before' });
    const page = await stage.open({ query: `?user=${user.id}&tab=edit` });
    await page.getByLabel('Job title').fill('After');
    return { page, ...user };
  }
  const titleOf = async (id: string) => (await stage.read(id)).title;

  it('says that the browser is offline, keeps the input, and saves when the connection is back', async () => {
    const { page, id } = await openChanged();
    await page.context().setOffline(true);
    await save(page);
    await alert(page, 'You are offline');
    await keepPicture(page, 'offline');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await saved(page);
    expect(await titleOf(id)).to.equal('After');
  });

  for (const [what, answer] of [
    ['was refused', { status: 503, json: { title: 'busy', status: 503 } }],
    ['had no effect', outcomeUnknown],
  ] as const)
    it(`scrolls to the notice at the top of a long form that a change ${what}`, async () => {
      const { page } = await openChanged();
      await unfold(page);
      await page.getByText('For developers').scrollIntoViewIfNeeded();
      await answerChange(page, answer);
      await save(page);
      await inSight(page, page.locator('.notice'));
      await page.getByRole('button', { name: 'Save', exact: true }).and(page.locator(':focus')).waitFor();
    });

  it('scrolls to the notice that the next page of the members of a group has failed', async () => {
    const members: string[] = [];
    for (let index = 0; index < 30; index++) members.push((await stage.create({ userName: `m${index}` })).id);
    const { id } = await stage.createGroup({ displayName: 'Many' }, members);
    const page = await stage.open({ query: `groups?group=${id}&size=25` });
    await settledList(page);
    const next = page.getByRole('link', { name: 'Next page' });
    await next.scrollIntoViewIfNeeded();
    await page.route(/\/users\?.*after=/, (route) => route.fulfill({ status: 500, json: { status: 500 } }));
    await next.click();
    await inSight(page, page.getByRole('alert'));
  });

  it('loads the list by itself when the connection is back', async () => {
    const page = await stage.open();
    await settledList(page);
    await page.context().setOffline(true);
    await page.getByRole('searchbox').fill('user1');
    await alert(page, 'You are offline');
    await page.context().setOffline(false);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'user1', exact: true }).waitFor();
  });

  it('says how long to wait after a 503, and then saves', async () => {
    const { page, id } = await openChanged();
    await answerChange(page, { status: 503, headers: { 'Retry-After': '2' }, json: { title: 'busy' } });
    await save(page);
    await alert(page, 'Nothing was changed. Try again in 2 s.');
    const again = page.getByRole('button', { name: /Try again/ });
    expect(await again.isDisabled()).to.equal(true);
    await keepPicture(page, 'busy');
    await page.getByRole('button', { name: 'Try again', exact: true }).click();
    await saved(page);
    expect(await titleOf(id)).to.equal('After');
  });

  it('deactivates on a retry after a 503', async () => {
    const { id, userName } = await stage.create({ userName: `leaver${++made}` });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.getByRole('heading', { name: userName }).waitFor();
    await answerChange(page, { status: 503, headers: { 'Retry-After': '0' }, json: { status: 503 } });
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await saved(page);
    expect((await stage.read(id)).active).to.equal(false);
    await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  });

  it('reloads the list by itself after a 503', async () => {
    const page = await stage.open();
    await settledList(page);
    let refusals = 0;
    await page.route(/\/users\?.*limit=50/, (route) =>
      ++refusals === 1
        ? route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: { title: 'busy' } })
        : route.continue(),
    );
    await page.getByRole('searchbox').fill('user1');
    await alert(page, 'Try again in 1 s.');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'user1', exact: true }).waitFor();
  });

  it('reads again after a 504, and finds the change made', async () => {
    const { page, id } = await openChanged();
    await answerChange(page, outcomeUnknown, (route) => route.fetch());
    await save(page);
    await page.getByText('Saved, although the service did not confirm it in time').waitFor();
    expect(await titleOf(id)).to.equal('After');
  });

  it('reads again after a 504, and finds the user deactivated', async () => {
    const { id, userName } = await stage.create({ userName: `leaver${++made}` });
    const page = await stage.open({ query: `?user=${id}&tab=edit` });
    await page.getByRole('heading', { name: userName }).waitFor();
    await answerChange(page, outcomeUnknown, (route) => route.fetch());
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByText('Deactivated, although the service did not confirm it in time').waitFor();
  });

  it('reads again after a 504, and finds nothing changed', async () => {
    const { page, id } = await openChanged();
    await answerChange(page, outcomeUnknown);
    await save(page);
    await page.getByText('your change is not there').waitFor();
    await keepPicture(page, 'not-done');
    expect(await titleOf(id)).to.equal('Before');
    await save(page);
    await saved(page);
    expect(await titleOf(id)).to.equal('After');
  });

  it('reads again after a 504, and shows the change of another person', async () => {
    const { page, id } = await openChanged();
    await answerChange(page, outcomeUnknown, () => stage.patch(id, { title: 'Theirs' }));
    await save(page);
    await page
      .getByRole('dialog', { name: /Somebody else has changed/ })
      .getByText('Theirs')
      .first()
      .waitFor();
  });

  it('says that the outcome is unknown, and checks again', async () => {
    const { page, id } = await openChanged();
    let isAway = true;
    await page.route(/\/users\/[^/]+$/, async (route) => {
      if (!isAway) return route.continue();
      if (route.request().method() === 'PUT') await route.fetch();
      return route.abort('connectionreset');
    });
    await save(page);
    await alert(page, 'It is not known whether your change was saved');
    await keepPicture(page, 'unknown');
    isAway = false;
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Saved, although the service did not confirm it in time').waitFor();
    expect(await titleOf(id)).to.equal('After');
  });

  /** Fails as a connection does that breaks after the service has written; nothing can be read, either. */
  async function breakConnection(page: Page) {
    let isAway = true;
    await page.route(/\/users(\/[^/]+)?$/, async (route) => {
      if (!isAway) return route.continue();
      if (route.request().method() !== 'GET') await route.fetch();
      return route.abort('connectionreset');
    });
    return { mend: () => (isAway = false) };
  }

  it('keeps the input after a change with an unknown outcome', async () => {
    const { page, id } = await openChanged();
    const connection = await breakConnection(page);
    await save(page);
    await alert(page, 'It is not known whether your change was saved');
    await page.getByLabel('Nickname').fill('Typed since');
    connection.mend();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.getByText('Saved, although the service did not confirm it in time').waitFor();
    expect(await page.getByLabel('Nickname').inputValue()).to.equal('Typed since');
    await save(page);
    await page.getByText('Saved', { exact: true }).waitFor();
    const { title, nickName } = await stage.read(id);
    expect({ title, nickName }).to.deep.equal({ title: 'After', nickName: 'Typed since' });
  });

  it('keeps the input when a retry finds that the first request had created the user', async () => {
    const page = await stage.open({ query: '?new' });
    await page.getByLabel('User name').fill('made-before');
    await page.getByLabel('Job title').fill('First');
    const connection = await breakConnection(page);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await alert(page, 'It is not known whether your change was saved');
    await page.getByLabel('Job title').fill('Second');
    connection.mend();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('What you have changed since is not saved yet.').waitFor();
    expect(await page.getByLabel('Job title').inputValue()).to.equal('Second');
    await save(page);
    await page.getByText('Saved', { exact: true }).waitFor();
    const found = await (await stage.ask('/users?userName=made-before&total=true&limit=1')).json();
    expect(found).to.have.property('total', 1);
    expect(found).to.have.nested.property('users[0].title', 'Second');
  });

  it('does not create a user twice when the outcome of the first request is unknown', async () => {
    const page = await stage.open({ query: '?new' });
    await page.getByLabel('User name').fill('once');
    await answerChange(page, outcomeUnknown, (route) => route.fetch());
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'once' }).waitFor();
    const found = await (await stage.ask('/users?userName=once&total=true&limit=1')).json();
    expect(found).to.have.property('total', 1);
  });

  it('creates the user on a retry when the first request had no effect', async () => {
    const page = await stage.open({ query: '?new' });
    await page.getByLabel('User name').fill('second-try');
    await answerChange(page, outcomeUnknown);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('your change is not there').waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'second-try' }).waitFor();
  });

  for (const [status, words] of [
    [413, 'Shorten long texts'],
    [428, 'Something between here and the service removes If-Match'],
    [500, 'The service failed'],
    [403, 'This takes the scope users:write'],
  ] as const)
    it(`says what to do after ${status}, and loses nothing`, async () => {
      const { page } = await openChanged();
      const json = { status, title: 'The service failed', detail: 'This takes the scope users:write.' };
      await answerChange(page, { status, json });
      await save(page);
      await alert(page, words);
      expect(await page.getByLabel('Job title').inputValue()).to.equal('After');
    });

  it("handles a gateway's own page in place of a response", async () => {
    const { page } = await openChanged();
    await answerChange(page, { status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    await save(page);
    await alert(page, 'The service answered 502');
  });

  it('asks to sign in again in the middle of a change, and then continues', async () => {
    const { page, id } = await openChanged();
    let isRefused = true;
    await page.route(/\/users/, (route) =>
      isRefused
        ? route.fulfill({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } })
        : route.continue(),
    );
    await save(page);
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await keepPicture(page, 'sign-in-again');
    await page.keyboard.press('Escape');
    isRefused = false;
    await dialog.getByText('Token', { exact: true }).click();
    await dialog.getByRole('textbox').fill(await stage.service.token());
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await saved(page);
    expect(await titleOf(id)).to.equal('After');
  });

  it('says at the start that the service does not answer', async () => {
    const page = await stage.open({ anonymous: true });
    await page.route(/\/schemas\//, (route) => route.abort());
    await page.getByText('Token', { exact: true }).click();
    await page.getByRole('textbox').fill(await stage.service.token());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await alert(page, 'The service does not respond');
    await page.unroute(/\/schemas\//);
    await page.getByRole('button', { name: 'Try again' }).click();
    await settledList(page);
  });
});
