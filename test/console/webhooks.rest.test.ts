import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sqliteDeliveries } from '../../src/adapters/stores/sqlite/deliveries.ts';
import { type Failure, failureKey } from '../../src/adapters/webhooks/progress.ts';
import { scopes } from '../../src/domain/scopes.ts';
import { type Receiving, startReceiving } from '../adapters/webhooks/receiving.ts';
import { secretOf } from '../adapters/webhooks/some.ts';
import { until } from '../support/deadlines.ts';
import { checkLooks } from './accessible-screens.ts';
import { bothCredentials, setStage } from './stage.ts';

const env = {
  ...bothCredentials,
  USERS_API_KEYS_FILE: '',
  USERS_WEBHOOKS_FILE: 'webhooks.json5',
  USERS_SQLITE_FILE: 'users.db',
  USERS_ACCESS_FILE: 'access.json5',
};
const limited = [...scopes, 'as:sales'];

describe('The page of webhooks in the console', () => {
  let receiving: Receiving;
  after(() => receiving.close());

  const stage = setStage(env, async (folder) => {
    receiving = await startReceiving(({ type }) => (type === 'group.created' ? 204 : 410));
    const to = (id: string, more: object) => ({ id, url: receiving.url, secrets: [secretOf(1)], ...more });
    const receivers = [
      to('payroll', { types: ['group.created'] }),
      to('intranet', { types: ['user.created'] }),
      to('badges', { url: 'http://127.0.0.1:9/', start: 'start' }),
    ];
    writeFileSync(join(folder, env.USERS_WEBHOOKS_FILE), JSON.stringify({ receivers }), { mode: 0o600 });
    const profiles = { sales: { users: { read: '*' } } };
    writeFileSync(join(folder, env.USERS_ACCESS_FILE), JSON.stringify({ profiles }));
    // Ten attempts take three days.
    const rows = sqliteDeliveries(join(folder, env.USERS_SQLITE_FILE));
    const failures = Array.from({ length: 22 }, (_, index): Failure => {
      const place = { line: 'mDk3Zs0Q', number: index + 1, mark: 'Vw8tq1Cz' };
      const id = `019b7c5a-3f6e-7c3a-8a52-${String(index).padStart(12, '0')}`;
      return { ...place, type: 'user.updated', id, at: Date.now() - 7_200_000, outcome: 'timeout' };
    });
    await rows.write(
      failures.map((value) => ({ of: 'failure', receiver: 'badges', key: failureKey(value), value })),
    );
    await rows.close();
  });
  before(async () => {
    await stage.createGroup({ displayName: 'Night shift' });
    await stage.create({ userName: 'ada' });
    await until('receivers have answered', async () => {
      const text = await (await stage.ask('/webhooks')).text();
      return ['"outcome":"204"', '"disabled":true', '"outcome":"ECONNREFUSED"'].every((words) =>
        text.includes(words),
      );
    });
  });

  it('says how far each receiver is, and what an operator can do', async () => {
    const page = await stage.open({ query: './' });
    await page.locator('.account summary').click();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    const payroll = page.getByRole('region', { name: 'payroll' });
    await payroll.getByText('Up to date').waitFor();
    await payroll.getByText(/^Last attempt: (now|\d+ minutes? ago), answered 204$/).waitFor();
    await payroll.getByText('No change set aside').waitFor();
    const intranet = page.getByRole('region', { name: 'intranet' });
    await intranet.getByText('Disabled: the receiver answered 410').waitFor();
    await intranet.getByText('1 entry behind').waitFor();
    await intranet.getByText('user-management webhook enable intranet', { exact: true }).waitFor();
    const badges = page.getByRole('region', { name: 'badges' });
    await badges.locator('.pill.bad').getByText('2 entries behind').waitFor();
    await badges.getByText(/, no answer \(ECONNREFUSED\)$/).waitFor();
    await badges.getByText('22 changes set aside').click();
    const failures = badges.getByRole('listitem');
    await failures.first().waitFor();
    expect(await failures.count()).to.equal(20);
    expect(await failures.first().innerText()).to.match(
      /^User changed: 019b7c5a-\S+-0{10}21 2 hours ago, no answer in time$/,
    );
    await badges.getByText('and 2 more').waitFor();
    await badges.getByText('user-management webhook replay badges', { exact: true }).waitFor();
    await checkLooks(page, 'webhooks of receivers');
  });

  it('is in German, whose words are longer, too', async () => {
    const page = await stage.open({ query: 'webhooks', browser: { locale: 'de-DE' } });
    await page.getByText('Abgeschaltet: Der Empfänger hat mit 410 geantwortet').waitFor();
    await page.getByText('22 Änderungen zurückgestellt').click();
    await checkLooks(page, 'webhooks de');
  });

  it('shows less to credentials with an access profile, and says so', async () => {
    const page = await stage.open({ anonymous: true, query: 'webhooks' });
    await page.getByLabel('Token').fill(await stage.service.token(limited));
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Your access profile hides how far the receivers are.').waitFor();
    expect((await page.getByRole('region', { name: 'payroll' }).innerText()).trim()).to.equal('payroll');
    expect(await page.getByRole('region', { name: 'intranet' }).innerText()).to.include('410');
  });

  it('is offered only to credentials with the scope changes:read, and names it', async () => {
    const page = await stage.open({ query: 'webhooks', scopes: ['users:read'] });
    await page.getByText('To see webhooks and follow changes, you need the scope changes:read.').waitFor();
    await page.locator('.account summary').click();
    await page.getByRole('link', { name: 'What you may do' }).waitFor();
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).to.equal(0);
  });
});

describe('The page of webhooks without receivers', () => {
  const stage = setStage();

  it('says how an operator adds receivers', async () => {
    const page = await stage.open({ query: 'webhooks' });
    await page.getByText('There are no receivers').waitFor();
    await page.getByText('setting USERS_WEBHOOKS_FILE').waitFor();
  });
});
