import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';

describe('The command probe', () => {
  afterEach(discardProcesses);

  it('waits for a service that starts meanwhile', async () => {
    const env = { USERS_PORT: String(await aFreePort()) };
    const folder = aDataFolder();
    const asked = run(['probe', '--wait', '60'], folder, env);
    await startProcess({ folder, env });
    expect((await asked).code).to.equal(0);
  });

  it('says how long it waited for a response', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { code, told } = await run(['probe'], aDataFolder(), { USERS_PORT: String(port) });
    silent.close();
    silent.closeAllConnections();
    expect(told.join()).to.match(/: no response within 5 s$/);
    expect(code).to.equal(1);
  });

  it('says why the service is not ready: nothing listens, or the store is unreachable', async () => {
    const port = String(await aFreePort());
    const absent = await run(['probe'], aDataFolder(), { USERS_PORT: port });
    expect(absent.code).to.equal(1);
    expect(absent.told.join()).to.match(
      new RegExp(`^Not ready: 127.0.0.1:${port}/health/ready: .*ECONNREFUSED`),
    );
    const env = {
      USERS_PORT: port,
      USERS_STORE: 'mongodb',
      USERS_MONGODB_URI: `mongodb://127.0.0.1:${await aFreePort()}/users?serverSelectionTimeoutMS=50`,
    };
    const { folder } = await startProcess({ env });
    const { code, told } = await run(['probe'], folder, env);
    expect(told.join()).to.match(/the response is 503$/);
    expect(code).to.equal(1);
  });
});
