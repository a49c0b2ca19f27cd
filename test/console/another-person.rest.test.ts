import { expect } from 'chai';
import { SignJWT } from 'jose';
import type { Locator, Page } from 'playwright-core';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { scopes } from '../../src/domain/scopes.ts';
import { run } from '../support/process.ts';
import { bothCredentials, keepPicture, setStage, settledList } from './stage.ts';

const key = new TextEncoder().encode(bothCredentials.USERS_JWT_SECRET);
let issued = 0;

/** Each is another text, also for the same person. */
const tokenWith = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ scope: scopes.join(' '), jti: String(++issued), ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
    .setIssuer(bothCredentials.USERS_JWT_ISSUER)
    .setAudience(bothCredentials.USERS_JWT_AUDIENCE)
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key);
const tokenOf = (sub: string) => tokenWith({ sub, client_id: 'console' });

const press = (place: Page | Locator, name: string | RegExp) =>
  place.getByRole('button', { name, exact: true }).click();

async function signInWithToken(place: Page | Locator, token: string): Promise<void> {
  await place.getByText('Token', { exact: true }).click();
  await place.locator('textarea[name=token]').fill(token);
  await press(place, 'Sign in');
}

async function signInWithKey(place: Page | Locator, printed: string): Promise<void> {
  const [id = '', secret = ''] = printed.split(':');
  await place.getByLabel('Key ID').fill(id);
  await place.getByLabel('Secret').fill(secret);
  await press(place, 'Sign in');
}

function hold() {
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { until, release };
}

const signInAgain = (page: Page) => page.getByRole('dialog', { name: 'Sign in again' });
const accountName = (page: Page, name: string) =>
  page.locator('.account-name').filter({ hasText: name }).waitFor();
const dropped = (page: Page) => page.getByText('Changes were discarded', { exact: true }).waitFor();
const cutOff = (page: Page) => page.getByText('A change was interrupted', { exact: true }).waitFor();

async function askToDelete(page: Page, { userName }: User): Promise<void> {
  await press(page, 'Delete…');
  await page.getByLabel('Type the user name to confirm').fill(userName);
  await press(page, 'Delete');
}

async function save(page: Page): Promise<void> {
  await page.getByLabel('Job title').fill('By the first person');
  await press(page, 'Save');
}

const selectAnd = (button: string) => async (page: Page) => {
  await page.getByLabel('Select all on this page').check();
  await press(page, button);
  const confirm = page.getByLabel(/^Type \d+ to confirm$/);
  if (button === 'Delete…') await confirm.fill('6');
  await page.getByRole('dialog').getByRole('button').first().click();
};

describe('A session of the console, followed by another person,', () => {
  const keys = new Map<string, string>();
  const stage = setStage(bothCredentials, async (folder) => {
    const given = { USERS_API_KEYS_FILE: 'keys.json' };
    for (const id of ['first', 'second'])
      keys.set(
        id,
        (await run(['api-key', '--id', id, '--scope', scopes.join(' ')], folder, given)).log[0] ?? '',
      );
  });
  const keyOf = (id: string): string => keys.get(id) ?? '';
  let made = 0;
  const makeUser = () => stage.create({ userName: `person${++made}`, title: 'Before' });

  interface Stop {
    /** From here on the service takes the credentials again. */
    end(): void;
    /** Changes that were sent since then, by their credentials. */
    readonly sent: string[];
  }

  /** The service refuses every request, as it does when credentials have expired. */
  async function refuse(page: Page): Promise<Stop> {
    let isRefused = true;
    const sent: string[] = [];
    await page.route(/\/users(?:\/|\?|$)/, async (route) => {
      const headers = { 'WWW-Authenticate': 'Bearer' };
      if (isRefused) return route.fulfill({ status: 401, headers });
      const request = route.request();
      if (request.method() !== 'GET') sent.push((await request.headerValue('authorization')) ?? '');
      return route.continue();
    });
    return { end: () => (isRefused = false), sent };
  }

  async function openAs(signIn: (page: Page) => Promise<void>, query = ''): Promise<Page> {
    const page = await stage.open({ anonymous: true, query });
    await signIn(page);
    await page.locator('.account').waitFor();
    return page;
  }
  const asAda = async (page: Page) => signInWithToken(page, await tokenOf('ada'));
  const openAsAda = (query = '') => openAs(asAda, query);

  async function openUser(user: User, signIn = asAda): Promise<Page> {
    const page = await openAs(signIn, `?user=${user.id}&tab=edit`);
    await page.getByRole('heading', { name: user.userName }).waitFor();
    return page;
  }

  it('sends no pending request after signing out', async () => {
    const user = await makeUser();
    const page = await openUser(user);
    const stop = await refuse(page);
    await askToDelete(page, user);
    await press(signInAgain(page), 'Sign out instead');
    await dropped(page);
    await keepPicture(page, 'dropped-signed-out');
    stop.end();
    await signInWithKey(page, keyOf('second'));
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await settledList(page);
    await accountName(page, 'second');
    expect(stop.sent).to.deep.equal([]);
    expect(await stage.read(user.id)).to.deep.equal(user);
  });

  describe('drops pending actions when another person signs in, and says so:', () => {
    const ofOne: Readonly<Record<string, (page: Page, user: User) => Promise<void>>> = {
      'a change that is saved': save,
      'a user who is deleted': askToDelete,
      'a user who is deactivated': (page) => press(page, 'Deactivate'),
      'a merge': async (page, user) => {
        await page.unroute(/\/users(?:\/|\?|$)/);
        await page.getByLabel('Job title').fill('By the first person');
        await stage.patch(user.id, { title: 'Before', nickName: 'By somebody else' });
        await press(page, 'Save');
        await page.getByRole('button', { name: 'Save this' }).waitFor();
      },
    };
    for (const [what, begin] of Object.entries(ofOne))
      it(what, async () => {
        const user = await makeUser();
        const page = await openUser(user);
        const isMerge = what === 'a merge';
        if (isMerge) await begin(page, user);
        const stop = await refuse(page);
        await (isMerge ? press(page, 'Save this version') : begin(page, user));
        await signInAgain(page).waitFor();
        const before = await stage.read(user.id);
        stop.end();
        await signInWithKey(signInAgain(page), keyOf('second'));
        await dropped(page);
        await accountName(page, 'second');
        await page.getByRole('heading', { name: user.userName, exact: true }).waitFor();
        expect(await page.getByRole('dialog').count()).to.equal(0);
        expect(stop.sent).to.deep.equal([]);
        expect(await stage.read(user.id)).to.deep.equal(before);
        expect(await page.evaluate('Object.keys(sessionStorage)')).to.deep.equal(['console.session']);
      });

    it('a user who is being created', async () => {
      const page = await openAsAda('?new');
      await page.getByLabel('User name').fill('never-created');
      await page.getByText('This name is free.').waitFor();
      const stop = await refuse(page);
      await press(page, 'Create');
      await signInAgain(page).waitFor();
      stop.end();
      await signInWithKey(signInAgain(page), keyOf('second'));
      await dropped(page);
      expect(await page.getByLabel('User name').inputValue()).to.equal('');
      expect(stop.sent).to.deep.equal([]);
      const found = await (await stage.ask('/users?userName=never-created&total=true&limit=1')).json();
      expect(found).to.have.property('total', 0);
    });

    for (const button of ['Deactivate…', 'Delete…'])
      it(`the selected users: ${button}`, async () => {
        const word = `group${++made}`;
        const users = [];
        for (let index = 0; index < 6; index++)
          users.push(await stage.create({ userName: `${word}-${index}`, title: word }));
        const page = await openAsAda(`?search=${word}`);
        await page.getByRole('link', { name: `${word}-5` }).waitFor();
        const stop = await refuse(page);
        await selectAnd(button)(page);
        await signInAgain(page).waitFor();
        stop.end();
        await signInWithKey(signInAgain(page), keyOf('second'));
        await dropped(page);
        await settledList(page);
        expect(stop.sent).to.deep.equal([]);
        for (const user of users) expect(await stage.read(user.id)).to.deep.equal(user);
      });
  });

  it('sends no follow-up of a late response with the credentials of another person', async () => {
    const word = `late${++made}`;
    for (let index = 0; index < 6; index++) await stage.create({ userName: `${word}-${index}`, title: word });
    const page = await openAsAda(`?search=${word}`);
    await page.getByRole('link', { name: `${word}-5` }).waitFor();
    const held = hold();
    let reads = 0;
    await page.route(/\/users\/[^/]+$/, async (route) => {
      // The first is answered late, the others are refused.
      if (++reads === 1) await held.until;
      if (reads <= 4 && reads > 1)
        return route.fulfill({ status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
      return route.fallback();
    });
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') changes.push(request.url());
    });
    await selectAnd('Deactivate…')(page);
    await signInAgain(page).waitFor();
    await press(signInAgain(page), 'Sign out instead');
    await dropped(page);
    await signInWithKey(page, keyOf('second'));
    held.release();
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await settledList(page);
    await accountName(page, 'second');
    expect(changes).to.deep.equal([]);
  });

  it('continues pending actions when the same person signs in with another token', async () => {
    const user = await makeUser();
    const page = await openUser(user);
    const stop = await refuse(page);
    await save(page);
    await signInAgain(page).waitFor();
    stop.end();
    const token = await tokenOf('ada');
    await signInWithToken(signInAgain(page), token);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(stop.sent).to.deep.equal([`Bearer ${token}`]);
  });

  it('continues pending actions when the same API key is entered again', async () => {
    const user = await makeUser();
    const page = await openUser(user, (at) => signInWithKey(at, keyOf('first')));
    const stop = await refuse(page);
    await save(page);
    await signInAgain(page).waitFor();
    stop.end();
    expect(await signInAgain(page).getByLabel('Key ID').inputValue()).to.equal('first');
    await signInWithKey(signInAgain(page), keyOf('first'));
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(stop.sent).to.have.length(1);
  });

  describe('does not recognize the person by', () => {
    const claims = {
      'a token that names a client alone': { client_id: 'console' },
      "a token whose subject is the client's own": { client_id: 'console', sub: 'console' },
      'a token whose subject is empty': { azp: 'console', sub: '' },
    };
    for (const [what, given] of Object.entries(claims)) {
      it(`${what}: a second such token drops pending actions`, async () => {
        const user = await makeUser();
        const first = await tokenWith(given);
        const page = await openUser(user, (at) => signInWithToken(at, first));
        const stop = await refuse(page);
        await save(page);
        await signInAgain(page).waitFor();
        stop.end();
        await signInWithToken(signInAgain(page), await tokenWith(given));
        await dropped(page);
        expect(await stage.read(user.id)).to.deep.equal(user);
      });
    }

    it('but continues when exactly the same token is entered again', async () => {
      const user = await makeUser();
      const token = await tokenWith({ client_id: 'console' });
      const page = await openUser(user, (at) => signInWithToken(at, token));
      const stop = await refuse(page);
      await save(page);
      await signInAgain(page).waitFor();
      stop.end();
      await signInWithToken(signInAgain(page), token);
      await page.getByText('Saved', { exact: true }).waitFor();
    });
  });

  it('drops unsaved changes when their session ends', async () => {
    const user = await makeUser();
    const page = await openUser(user);
    await page.getByLabel('Job title').fill('Not for anybody else');
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await settledList(page);
    const stop = await refuse(page);
    await page.getByRole('searchbox').fill('person');
    await signInAgain(page).waitFor();
    stop.end();
    await signInWithKey(signInAgain(page), keyOf('second'));
    await dropped(page);
    await keepPicture(page, 'dropped-other-person');
    expect(await page.getByText('Unsaved').count()).to.equal(0);
    await page.getByRole('link', { name: user.userName, exact: true }).click();
    await page.getByRole('heading', { name: user.userName }).waitFor();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    expect(await page.getByLabel('Job title').inputValue()).to.equal('Before');
    expect(await page.getByText('Changes were discarded').count()).to.equal(0);
  });

  it('does not mention dropped changes when there were none', async () => {
    const page = await openAsAda();
    await settledList(page);
    const stop = await refuse(page);
    await page.getByRole('searchbox').fill('person');
    await signInAgain(page).waitFor();
    stop.end();
    await signInWithKey(signInAgain(page), keyOf('second'));
    await accountName(page, 'second');
    await settledList(page);
    expect(await page.getByText('discarded').count()).to.equal(0);
  });

  it('shows the next person nothing of what the first one did', async () => {
    const user = await makeUser();
    const page = await openUser(user);
    await askToDelete(page, user);
    await page.getByText(`${user.userName} was deleted.`).waitFor();
    await page.locator('.account summary').click();
    await press(page, 'Sign out');
    await signInWithKey(page, keyOf('second'));
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await settledList(page);
    expect(await page.getByText(user.userName).count()).to.equal(0);
  });

  it('removes the name of the viewed user from the title of the tab when signing out', async () => {
    const user = await makeUser();
    const page = await openUser(user);
    expect(await page.title()).to.equal(`${user.userName} · Users · User directory`);
    await page.locator('.account summary').click();
    await press(page, 'Sign out');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.title()).to.equal('User directory');
  });

  it('says after a reload that a pending change was interrupted, and keeps the input', async () => {
    const user = await makeUser();
    const page = await openUser(user);
    const stop = await refuse(page);
    await save(page);
    await signInAgain(page).waitFor();
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await cutOff(page);
    // What the page asks for by itself is to be refused first.
    await signInAgain(page).waitFor();
    stop.end();
    await signInWithToken(signInAgain(page), await tokenOf('ada'));
    await signInAgain(page).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Job title').inputValue()).to.equal('By the first person');
    expect(stop.sent).to.deep.equal([]);
    await press(page, 'Save');
    await page.getByText('Saved', { exact: true }).waitFor();
  });

  it('does not affect the session of a second tab', async () => {
    const user = await makeUser();
    const page = await openUser(user);
    const other = await page.context().newPage();
    await other.goto(`${stage.address}users`);
    const token = await tokenOf('grace');
    await signInWithToken(other, token);
    await settledList(other);
    // As a person does: a browser takes its time for a tab in the background.
    await page.bringToFront();
    const stop = await refuse(page);
    await askToDelete(page, user);
    await signInAgain(page).waitFor();
    stop.end();
    await other.bringToFront();
    await other.locator('.account summary').click();
    await press(other, 'Sign out');
    await signInWithKey(other, keyOf('second'));
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    expect((await stage.ask(`/users/${user.id}`)).status).to.equal(200);
    await page.bringToFront();
    const again = await tokenOf('ada');
    await signInWithToken(signInAgain(page), again);
    await page.getByText(`${user.userName} was deleted.`).waitFor();
    expect(stop.sent).to.deep.equal([`Bearer ${again}`]);
  });

  it('does not start when the credentials are accepted only after signing out', async () => {
    const page = await openAsAda();
    await settledList(page);
    const stop = await refuse(page);
    await page.getByRole('searchbox').fill('person');
    await signInAgain(page).waitFor();
    stop.end();
    const held = hold();
    await page.route('**/access', async (route) => {
      await held.until;
      await route.fallback();
    });
    const asked = page.waitForRequest('**/access');
    await signInWithKey(signInAgain(page), keyOf('second'));
    await asked;
    await press(signInAgain(page), 'Sign out instead');
    await page.getByRole('heading', { name: 'User directory', exact: true }).waitFor();
    const answered = page.waitForResponse('**/access');
    held.release();
    await answered;
    // Later requests are answered after earlier ones.
    await page.evaluate("fetch('./').then((response) => response.text())");
    expect(await page.locator('.account').count()).to.equal(0);
    expect(await page.evaluate('sessionStorage.length')).to.equal(0);
  });

  it('starts again when the browser restores a page from its cache', async () => {
    const user = await makeUser();
    const page = await openUser(user);
    const stop = await refuse(page);
    await askToDelete(page, user);
    await signInAgain(page).waitFor();
    stop.end();
    const reloaded = page.waitForEvent('load');
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
    await reloaded;
    await cutOff(page);
    expect(stop.sent).to.deep.equal([]);
  });
});
