import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';

describe('The command probe', () => {
  afterEach(discardProcesses);

  for (const [host, path] of [
    ['127.0.0.1', ''],
    ['0.0.0.0', '/people/v1'],
    ['::1', '/v1'],
  ] as const)
    it(`finds a service on ${host} at its port and base path ${path}`, async () => {
      const env = {
        USERS_HOST: host,
        USERS_PORT: String(await aFreePort()),
        USERS_BASE_PATH: path,
        // Beyond loopback, authentication is needed.
        USERS_JWT_SECRET: 'a secret that is known to this test alone',
        USERS_JWT_ISSUER: 'https://issuer.example',
        USERS_JWT_AUDIENCE: 'https://directory.example',
      };
      const service = await startProcess({ env });
      const { folder } = service;
      const { code, log } = await run(['probe'], folder, env);
      expect([code, log]).to.deep.equal([0, ['ready']]);
      const elsewhere = await run(['probe'], folder, { ...env, USERS_BASE_PATH: '/elsewhere' });
      expect(elsewhere.told.join()).to.match(
        /the response is 40[14]: .*settings of the service.*USERS_BASE_PATH/,
      );
      await service.stop();
      const { told } = await run(['probe'], folder, env);
      expect(told.join()).to.match(/^Not ready: \S+: connect ECONNREFUSED/);
      expect(told.join()).to.contain(`:${env.USERS_PORT}${path}/health/ready: `);
    });

  it('waits for a service that starts meanwhile', async () => {
    const env = { USERS_PORT: String(await aFreePort()) };
    const folder = aDataFolder();
    const asked = run(['probe', '--wait', '60'], folder, env);
    await startProcess({ folder, env });
    expect((await asked).code).to.equal(0);
  });

  it('stops waiting when the process that systemd started has ended', async () => {
    const env = { USERS_PORT: String(await aFreePort()), MAINPID: String(spawnSync('true').pid) };
    const { code, told } = await run(['probe', '--wait', '9999'], aDataFolder(), env);
    expect(told.join()).to.match(/ECONNREFUSED/);
    expect(code).to.equal(1);
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
