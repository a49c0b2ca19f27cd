import { expect } from 'chai';
import { discardProcesses, run, startProcess } from '../../support/process.ts';
import { startService, type TestService } from '../../support/service.ts';

describe('A file whose service refuses', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(async () => {
    await service.close();
    await discardProcesses();
  });

  it('passes before it', async () => {
    expect((await service.send('/users/forgotten')).status).to.equal(404);
  });
  it('tells the answer and the log of its request', async () => {
    expect((await service.send('/users', { method: 'POST', body: '{' })).status).to.equal(201);
  });
  it('tells what its processes wrote', async () => {
    const other = await startProcess();
    await run(['export', '--format', 'none'], other.folder);
    expect((await fetch(`${other.url}/users`)).status).to.equal(200);
  });
});
