import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { scopes as allScopes } from '../../src/domain/scopes.ts';
import { makeKey, signInWithToken, signOut } from './sign-in.ts';
import { type Stage, setStage, settledList, settledPage } from './stage.ts';

describe('A visit to the console', () => {
  const stage = setStage();
  const unlogged = setStage({ USERS_CHANGES_RETENTION: '0' });

  /** A page where somebody has just signed in, the requests for /access, and all refusals and errors that the developer tools show. */
  async function visit({ open, service }: Stage, scopes: readonly string[] = allScopes) {
    const page = await open({ anonymous: true });
    const asked: string[] = [];
    const errors: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === '/access') asked.push(response.request().method());
      if (response.status() >= 400) errors.push(`${response.status()} ${pathname}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
    });
    await page.reload();
    await signInWithToken(page, await service.token(scopes));
    return { page, asked, errors };
  }

  async function openAll(page: Page, address: string, queries: readonly string[]): Promise<void> {
    for (const query of queries) {
      await page.goto(address + query);
      await settledPage(page);
    }
  }

  it('with every scope asks once what the credentials may do, and gets no refusal', async () => {
    const user = await stage.create({ userName: 'katherine' });
    const group = await stage.createGroup({ displayName: 'Computers' }, [user.id]);
    const { page, asked, errors } = await visit(stage);
    await settledList(page);
    await page.getByRole('link', { name: 'New user' }).click();
    await page.getByLabel('User name').fill('dorothy');
    await page.getByText('This name is free.').waitFor();
    await openAll(page, stage.address, [
      ...[`?user=${user.id}`, `?user=${user.id}&tab=history`],
      ...['groups', `groups?group=${group.id}`, `groups?group=${group.id}&tab=history`, 'activity'],
    ]);
    expect(errors).to.deep.equal([]);
    expect(asked).to.deep.equal(['GET']);
  });

  it('with users:read alone shows what this scope allows, and requests nothing else', async () => {
    const user = await stage.create({ userName: 'mary' });
    const { page, asked, errors } = await visit(stage, ['users:read']);
    await settledList(page);
    expect(await page.getByRole('link', { name: 'New user' }).count()).to.equal(0);
    await openAll(page, stage.address, [
      `?user=${user.id}`,
      `?user=${user.id}&tab=history`,
      'groups',
      'activity',
    ]);
    await page.getByText('To see who changed what, you need the scope history:read').waitFor();
    expect(errors).to.deep.equal([]);
    expect(asked).to.deep.equal(['GET']);
  });

  it('asks again after another token, and shows its scopes', async () => {
    const { page, asked, errors } = await visit(stage, ['users:read']);
    await settledList(page);
    await signOut(page);
    await signInWithToken(page, await stage.service.token(['users:write']));
    await page.getByRole('link', { name: 'Users', exact: true }).click();
    await page.getByRole('link', { name: 'New user' }).waitFor();
    expect(errors).to.deep.equal([]);
    expect(asked).to.deep.equal(['GET', 'GET']);
  });

  it('gets no refusal without a change log', async () => {
    const user = await unlogged.create({ userName: 'annie' });
    const { page, errors } = await visit(unlogged);
    await settledList(page);
    await openAll(page, unlogged.address, [`?user=${user.id}`, 'groups']);
    await page.getByRole('link', { name: 'Activity' }).waitFor();
    expect(errors).to.deep.equal([]);
  });
});

/** The settings of the service, and the field that the form shows. */
const offered = {
  'for an API key, where there are API keys only': [{ USERS_API_KEYS_FILE: 'keys.json' }, 'Key ID'],
  'for a token, where there are tokens only': [{}, 'Token'],
} as const;
for (const [title, [settings, label]] of Object.entries(offered))
  describe('The console opens on the credentials that are configured', () => {
    const stage = setStage(settings, (folder) => makeKey(folder, 'desk', 'users:read'));

    it(`asks ${title}`, async () => {
      const page = await stage.open({ anonymous: true });
      await page.getByLabel(label, { exact: true }).waitFor();
      expect(await page.getByRole('radio').count()).to.equal(0);
    });
  });
