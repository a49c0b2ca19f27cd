import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { aFreePort } from '../support/free-port.ts';
import { aDataFolder, discardProcesses, run, startProcess } from '../support/process.ts';
import { some } from '../support/runs.ts';

describe('The command probe', () => {
  afterEach(discardProcesses);

  for (const [host, path] of some([
    ['127.0.0.1', ''],
    ['0.0.0.0', '/people/v1'],
    ['::1', '/v1'],
  ] as const))
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

  it('stops waiting when the process that systemd started has ended', async () => {
    const env = { USERS_PORT: String(await aFreePort()), MAINPID: String(spawnSync('true').pid) };
    const { code, told } = await run(['probe', '--wait', '9999'], aDataFolder(), env);
    expect(told.join()).to.match(/ECONNREFUSED/);
    expect(code).to.equal(1);
  });
});
