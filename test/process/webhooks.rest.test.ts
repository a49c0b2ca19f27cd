import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/deadlines.ts';
import { run, startProcess } from '../support/process.ts';
import { receiversFile } from '../support/receivers-file.ts';
import { runHere } from './called.ts';
import { setReceivers } from './receivers-stage.ts';

describe('The service with a file of receivers', () => {
  const { folder, url, env, webhook, create, arrived, listed } = setReceivers();

  it('shows over HTTP how far each receiver is, also with the store in memory', async () => {
    receiversFile(folder(), { url: url() });
    for (const store of ['sqlite', 'memory']) {
      const service = await startProcess({ folder: folder(), env: { ...env(), USERS_STORE: store } });
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
    const service = await startProcess({ folder: folder(), env: env() });
    expect((await webhook('list')).log).to.deep.equal([]);
    receiversFile(folder(), { url: url() });
    await listed(/0 entries behind/);
    await create(service, 'ada');
    await arrived(1);
    expect((await webhook('failures', 'payroll')).log).to.deep.equal([]);
  });

  it('refuses a file of receivers with mistakes, and names all of them, as check does', async () => {
    receiversFile(folder(), { url: 'http://8.8.8.8/', timeout: 60, secret: '', profile: 'sales' });
    const faults = [
      'receivers.payroll.secret: must not stand here (perhaps secrets)',
      'receivers.payroll.profile: set USERS_ACCESS_FILE to the file with the access profiles',
      'receivers.payroll.timeout: must be at most 30',
      'receivers.payroll.url: 8.8.8.8 is neither loopback nor private: use https',
    ];
    const { code, told } = await run([], folder(), env());
    expect(code).to.equal(1);
    expect(told).to.have.lengthOf(1);
    const { log } = await runHere(['check'], folder(), env());
    const line = log.find((one) => one.startsWith('fault  webhooks')) ?? '';
    for (const fault of faults) {
      expect(told[0]).to.contain(fault);
      expect(line).to.contain(fault);
    }
  });

  it('is not asked for anything where there is no database, and nothing is created there', async () => {
    receiversFile(folder());
    for (const words of [['enable', 'payroll'], ['replay', 'payroll'], ['failures', 'payroll'], ['list']])
      expect((await webhook(...words)).told).to.deep.equal([
        `Not done: ${join(folder(), 'data/users.db')} is not there`,
      ]);
    expect(readdirSync(folder())).to.deep.equal(['webhooks.json5']);
  });

  it('lists the receivers when a command names an unknown one', async () => {
    receiversFile(folder());
    expect((await webhook('enable', 'payrol')).told).to.deep.equal([
      'Not done: there is no receiver payrol (perhaps payroll)',
    ]);
    expect((await runHere(['webhook', 'list'], folder())).told).to.deep.equal([
      'Not done: set USERS_WEBHOOKS_FILE to the file of receivers',
    ]);
  });
});
