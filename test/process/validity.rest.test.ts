import { until } from '../support/deadlines.ts';
import { aDataFolder, discardProcesses, startProcess } from '../support/process.ts';
import { createUntil, env, expectEndedOnce } from './short-validity.ts';

describe('A process that serves', () => {
  after(discardProcesses);

  it('deactivates a user once if validUntil passed while no process ran', async () => {
    const folder = aDataFolder();
    const before = await startProcess({ env, folder });
    const instant = Date.now() + 2000;
    const id = await createUntil(before, instant);
    await before.stop();
    await until('the instant has come', () => Date.now() > instant);
    await expectEndedOnce(await startProcess({ env, folder }), id);
  });
});
