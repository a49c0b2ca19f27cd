import { discardProcesses, startProcess } from '../support/process.ts';
import { createUntil, env, expectEndedOnce } from './short-validity.ts';

describe('A process that serves', () => {
  after(discardProcesses);

  it('deactivates a user once when validUntil passes, although several workers check', async () => {
    const service = await startProcess({ env });
    await expectEndedOnce(service, await createUntil(service, Date.now() + 1500));
  });
});
