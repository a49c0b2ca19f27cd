import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Receiving, type Reply, startReceiving } from '../adapters/webhooks/receiving.ts';
import { secretOf } from '../adapters/webhooks/some.ts';
import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, type Process, run, startProcess } from '../support/process.ts';
import { receiversFile } from '../support/receivers-file.ts';

describe('The service with a file of receivers', () => {
  let folder: string;
  let receiving: Receiving;
  let reply: Reply;
  beforeEach(async () => {
    folder = aDataFolder();
    reply = 204;
    receiving = await startReceiving(() => reply);
  });
  afterEach(async () => {
    await discardProcesses();
    await receiving.close();
  });

  const env = () => ({ USERS_WEBHOOKS_FILE: join(folder, 'webhooks.json5') });
  const webhook = (...words: readonly string[]) => run(['webhook', ...words], folder, env());
  const create = async (service: Process, userName: string) => {
    const headers = { authorization: `Bearer ${await service.token()}`, 'content-type': 'application/json' };
    const made = await fetch(`${service.url}/users`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ userName }),
    });
    expect(made.status).to.equal(201);
  };
  const arrived = (count: number) =>
    until(
      `${count} messages`,
      () => receiving.arrived.filter(({ type }) => type === 'user.created').length >= count,
    );
  const listed = (words: RegExp) =>
    until(`the list says ${words}`, async () => words.test((await webhook('list')).log.join('\n')));

  it('sends changes, which commands show and send again, and continues after a restart', async () => {
    receiversFile(folder, { url: receiving.url, headers: { 'X-Gateway': 'a word for the gateway' } });
    let service = await startProcess({ folder, env: env() });
    await listed(/^payroll\t0 entries behind\tno answer yet$/);
    await create(service, 'ada');
    await arrived(1);
    await listed(/^payroll\t0 entries behind\t204 at 20/);
    expect((await webhook('test', 'payroll')).log).to.deep.equal(['204']);
    await webhook(
      'replay',
      'payroll',
      '--since',
      String(receiving.arrived[0]?.data.cursor).replace(/\.\d+\..*/, '.0.'),
    );
    await arrived(2);
    reply = 410;
    await create(service, 'grace');
    await service.logged(/"a webhook was not delivered"/);
    await listed(/^payroll\t1 entry behind\t410 at .*\tdisabled by 410$/);
    expect((await webhook('test', 'payroll')).told).to.deep.equal(['Not done: payroll answered 410']);
    const first = await service.stop();
    service = await startProcess({ folder, env: env() });
    reply = 204;
    await webhook('enable', 'payroll');
    await listed(/^payroll\t0 entries behind\t204 at /);
    expect(
      receiving.arrived
        .filter(({ type }) => type === 'user.created')
        .map(({ message }) => Number.parseInt(message, 10)),
    ).to.deep.equal([1, 1, 2, 2]);
    const second = await service.stop();
    for (const told of ['a word for the gateway', secretOf(1).slice(6)])
      expect([...first.log, ...second.log].join('\n')).not.to.contain(told);
  });

  it('shows over HTTP how far each receiver is, also with the store in memory', async () => {
    receiversFile(folder, { url: receiving.url });
    for (const store of ['sqlite', 'memory']) {
      const service = await startProcess({ folder, env: { ...env(), USERS_STORE: store } });
      await create(service, store);
      const headers = { authorization: `Bearer ${await service.token(['changes:read'])}` };
      await until('the change has arrived', async () =>
        /^{"receivers":\[{"id":"payroll","behind":0,"lastAttempt":{"at":"20[^"]*","outcome":"204"},"disabled":false,"gapPending":false,"setAside":0,"failures":\[]}]}$/.test(
          await (await fetch(`${service.url}/webhooks`, { headers })).text(),
        ),
      );
      await service.stop();
    }
  });

  it('sends to a receiver that is added while it runs', async () => {
    writeFileSync(env().USERS_WEBHOOKS_FILE, '{receivers: []}', { mode: 0o600 });
    const service = await startProcess({ folder, env: env() });
    expect((await webhook('list')).log).to.deep.equal([]);
    receiversFile(folder, { url: receiving.url });
    await listed(/0 entries behind/);
    await create(service, 'ada');
    await arrived(1);
    expect((await webhook('failures', 'payroll')).log).to.deep.equal([]);
  });

  it('refuses a file of receivers with mistakes, and names all of them, as check does', async () => {
    receiversFile(folder, { url: 'http://8.8.8.8/', timeout: 60, secret: '', profile: 'sales' });
    const faults = [
      'receivers.payroll.secret: must not stand here (perhaps secrets)',
      'receivers.payroll.profile: set USERS_ACCESS_FILE to the file with the access profiles',
      'receivers.payroll.timeout: must be at most 30',
      'receivers.payroll.url: 8.8.8.8 is neither loopback nor private: use https',
    ];
    const { code, told } = await run([], folder, env());
    expect(code).to.equal(1);
    expect(told).to.have.lengthOf(1);
    const { log } = await run(['check'], folder, env());
    const line = log.find((one) => one.startsWith('fault  webhooks')) ?? '';
    for (const fault of faults) {
      expect(told[0]).to.contain(fault);
      expect(line).to.contain(fault);
    }
  });

  it('is not asked for anything where there is no database, and nothing is created there', async () => {
    receiversFile(folder);
    for (const words of [['enable', 'payroll'], ['replay', 'payroll'], ['failures', 'payroll'], ['list']])
      expect((await webhook(...words)).told).to.deep.equal([
        `Not done: ${join(folder, 'data/users.db')} is not there`,
      ]);
    expect(readdirSync(folder)).to.deep.equal(['webhooks.json5']);
  });

  it('lists the receivers when a command names an unknown one', async () => {
    receiversFile(folder);
    expect((await webhook('enable', 'payrol')).told).to.deep.equal([
      'Not done: there is no receiver payrol (perhaps payroll)',
    ]);
    expect((await run(['webhook', 'list'], folder)).told).to.deep.equal([
      'Not done: set USERS_WEBHOOKS_FILE to the file of receivers',
    ]);
  });
});
