import { openSync } from 'node:fs';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, launch, run, type Surroundings } from '../support/process.ts';

const readKey = ['--id', 'legacy', '--scope', 'users:read'];

describe('The program user-management', () => {
  afterEach(discardProcesses);

  for (const command of [['--help'], ['check'], ['api-key', 'add', ...readKey]]) {
    /** In a separate folder, with a key to list and to revoke. */
    const startIn = async (surroundings: Surroundings = {}) => {
      const folder = aDataFolder();
      const env = { USERS_API_KEYS_FILE: 'keys.json' };
      await run(['api-key', ...readKey], folder, env);
      const { child, ended } = launch(command, folder, env, surroundings);
      // Each key has a different fingerprint.
      const plain = (line: string) => line.replace(folder, '').replace(/--key \w{8}$/, '--key');
      const outcome = ended.then(({ code, told }) => [code, told.map(plain)]);
      return { child, outcome };
    };

    it(`prints no error when the reader of its output goes away: ${command.join(' ')}`, async () => {
      const usual = await (await startIn()).outcome;
      const { child, outcome } = await startIn();
      child.stdout?.destroy();
      expect(await outcome).to.deep.equal(usual);
      expect(usual[0]).to.equal(0);
    });

    it(`fails with one line when its output is full: ${command.join(' ')}`, async () => {
      const [code, told = []] = await (await startIn({ stdout: openSync('/dev/full', 'w') })).outcome;
      expect(code).to.equal(1);
      expect(told).to.include('standard output: ENOSPC: no space left on device, write');
    });
  }
});
