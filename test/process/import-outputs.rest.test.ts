import { openSync } from 'node:fs';
import { expect } from 'chai';
import { launch, run } from '../support/process.ts';
import { usersIn } from './directories.ts';
import { lines, setFolder } from './imported-users.ts';

describe('The output of an import', () => {
  const scene = setFolder();
  const { put } = scene;

  for (const [how, json] of [
    ['in words', []],
    ['as JSON', ['--json']],
  ] as const)
    it(`goes to standard error, and the command exits with 1, when standard output is full, ${how}`, async () => {
      put('users.jsonl', lines({ userName: 'ada' }));
      const surroundings = { stdout: openSync('/dev/full', 'w') };
      const { code, told } = await run(['import', 'users.jsonl', ...json], scene.folder, {}, surroundings);
      expect(code).to.equal(1);
      expect(told.at(-1))
        .to.match(/^Not finished: 1 created, 0 changed, 0 unchanged, 0 refused; /)
        .and.to.contain('standard output: ENOSPC');
      expect(usersIn(scene.folder)).to.have.length(1);
    });

  it('begins with the reason why it did not finish, also when standard output is full', async () => {
    put('users.jsonl', lines({ userName: '' }));
    const wanted = ['import', 'users.jsonl', '--max-rejects', '1'];
    const { code, told } = await run(wanted, scene.folder, {}, { stdout: openSync('/dev/full', 'w') });
    expect(code).to.equal(1);
    expect(told.at(-1)).to.match(/^Not finished: --max-rejects 1 is refused; /);
  });

  it('may stay unread: all users are imported', async () => {
    put('users.jsonl', lines({ userName: 'ada' }));
    const { child, ended } = launch(['import', 'users.jsonl'], scene.folder);
    child.stdout?.destroy();
    expect((await ended).code).to.equal(0);
    expect(usersIn(scene.folder)).to.have.length(1);
  });
});
