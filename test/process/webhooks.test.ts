import { expect } from 'chai';
import { secretOf } from '../adapters/webhooks/some.ts';
import { run, startProcess } from '../support/process.ts';
import { receiversFile } from '../support/receivers-file.ts';
import { setReceivers } from './receivers-stage.ts';

describe('The service with a file of receivers', () => {
  const { folder, url, answer, created, env, webhook, create, arrived, listed } = setReceivers();

  it('sends changes, which commands show and send again, and continues after a restart', async () => {
    receiversFile(folder(), { url: url(), headers: { 'X-Gateway': 'a word for the gateway' } });
    let service = await startProcess({ folder: folder(), env: env() });
    await listed(/^payroll\t0 entries behind\tno answer yet$/);
    await create(service, 'ada');
    await arrived(1);
    await listed(/^payroll\t0 entries behind\t204 at 20/);
    expect((await webhook('test', 'payroll')).log).to.deep.equal(['204']);
    await webhook(
      'replay',
      'payroll',
      '--since',
      String(created()[0]?.data.cursor).replace(/\.\d+\..*/, '.0.'),
    );
    await arrived(2);
    answer(410);
    await create(service, 'grace');
    await service.logged(/"a webhook was not delivered"/);
    await listed(/^payroll\t1 entry behind\t410 at .*\tdisabled by 410$/);
    expect((await webhook('test', 'payroll')).told).to.deep.equal(['Not done: payroll answered 410']);
    const first = await service.stop();
    service = await startProcess({ folder: folder(), env: env() });
    answer(204);
    expect((await run(['webhook', 'enable', 'payroll'], folder(), env())).code).to.equal(0);
    await listed(/^payroll\t0 entries behind\t204 at /);
    expect(created().map(({ message }) => Number.parseInt(message, 10))).to.deep.equal([1, 1, 2, 2]);
    const second = await service.stop();
    for (const told of ['a word for the gateway', secretOf(1).slice(6)])
      expect([...first.log, ...second.log].join('\n')).not.to.contain(told);
  });
});
