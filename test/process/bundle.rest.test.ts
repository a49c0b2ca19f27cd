import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { discardProcesses, program, run } from '../support/process.ts';

describe('The bundle', () => {
  afterEach(discardProcesses);

  it('has every command, the version and a first line that lets a shell start it', async () => {
    const told = async (...command: string[]) => run(command, '.');
    for (const command of ['serve', 'token', 'api-key', 'copy', 'backup', 'restore']) {
      const { code, log } = await told(command, '--help');
      expect([code, log[0]?.startsWith(`Usage: user-management ${command} `)]).to.deep.equal([0, true]);
      expect((await told(command, '--bogus')).code).to.equal(64);
    }
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect((await told('--version')).log).to.deep.equal([version]);
    expect(readFileSync(program, 'utf8')).to.match(/^#!\/usr\/bin\/env node\n/);
  });
});
