import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aDataFolder, discardProcesses, launch, run } from '../support/process.ts';
import { usersIn } from './directories.ts';

describe('The output of an import', () => {
  let folder = '';
  const put = (name: string, ...users: readonly object[]) =>
    writeFileSync(join(folder, name), users.map((user) => `${JSON.stringify(user)}\n`).join(''));
  beforeEach(() => {
    folder = aDataFolder();
  });
  afterEach(discardProcesses);

  for (const [how, json] of [
    ['in words', []],
    ['as JSON', ['--json']],
  ] as const)
    it(`goes to standard error, and the command exits with 1, when standard output is full, ${how}`, async () => {
      put('users.jsonl', { userName: 'ada' });
      const surroundings = { stdout: openSync('/dev/full', 'w') };
      const { code, told } = await run(['import', 'users.jsonl', ...json], folder, {}, surroundings);
      expect(code).to.equal(1);
      expect(told.at(-1))
        .to.match(/^Not finished: 1 created, 0 changed, 0 unchanged, 0 refused; /)
        .and.to.contain('standard output: ENOSPC');
      expect(usersIn(folder)).to.have.length(1);
    });

  it('begins with the reason why it did not finish, also when standard output is full', async () => {
    put('users.jsonl', { userName: '' });
    const wanted = ['import', 'users.jsonl', '--max-rejects', '1'];
    const { code, told } = await run(wanted, folder, {}, { stdout: openSync('/dev/full', 'w') });
    expect(code).to.equal(1);
    expect(told.at(-1)).to.match(/^Not finished: --max-rejects 1 is refused; /);
  });

  it('may stay unread: all users are imported', async () => {
    put('users.jsonl', { userName: 'ada' });
    const { child, ended } = launch(['import', 'users.jsonl'], folder);
    child.stdout?.destroy();
    expect((await ended).code).to.equal(0);
    expect(usersIn(folder)).to.have.length(1);
  });
});
