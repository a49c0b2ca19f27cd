import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { aUser } from '../support/a-user.ts';
import { onAllStores } from '../support/runs.ts';
import { runHere } from './called.ts';
import { fill } from './directories.ts';
import { lines, setFolder } from './imported-users.ts';

describe('The output of an import', () => {
  const scene = setFolder();
  const { put } = scene;

  it('never overwrites the store or the files beside it', async () => {
    await fill(scene.folder, [aUser({ userName: 'there' })]);
    put('users.jsonl', lines({ userName: '' }));
    const before = readdirSync(join(scene.folder, 'data'));
    const usual = [
      ['users.db'],
      ['users.db', '--dry-run'],
      ['users.db-wal'],
      ['users.db-shm', '--dry-run'],
      ['users.db-journal'],
    ] as const;
    const others = [
      ['users.db-wal', '--dry-run'],
      ['users.db-shm'],
      ['users.db-journal', '--dry-run'],
    ] as const;
    for (const [name, ...dry] of onAllStores ? [...usual, ...others] : usual) {
      const rejects = join('data', name);
      const { code, log, told } = await runHere(
        ['import', 'users.jsonl', '--rejects', rejects, ...dry],
        scene.folder,
      );
      expect([code, log, told]).to.deep.equal([1, [], [`Not finished: ${rejects}: it belongs to the store`]]);
      expect(readdirSync(join(scene.folder, 'data'))).to.deep.equal(before);
    }
  });

  it('leaves no file in a dry run, even without a store', async () => {
    put('users.jsonl', lines({ userName: 'ada' }, { userName: 'ADA' }));
    const wanted = ['import', 'users.jsonl', '--dry-run'];
    const { code, log } = await runHere(wanted, scene.folder);
    expect([code, log]).to.deep.equal([
      2,
      ['nothing was changed; would be: 1 created, 0 changed, 0 unchanged, 1 refused'],
    ]);
    expect(readdirSync(scene.folder)).to.deep.equal(['users.jsonl']);
    put('cut.json', lines({ users: [] }));
    expect(
      (await runHere(['import', 'cut.json', '--dry-run', '--format', 'csv'], scene.folder)).code,
    ).to.equal(1);
    expect(existsSync(join(scene.folder, 'data'))).to.equal(false);
  });

  it('says in a dry run, too, that no store can be created', async () => {
    put('users.jsonl', lines({ userName: 'ada' }));
    const env = { USERS_SQLITE_FILE: '/proc/users.db' };
    const { code, log, told } = await runHere(['import', 'users.jsonl', '--dry-run'], scene.folder, env);
    expect([code, log, told.length]).to.deep.equal([1, [], 1]);
    expect(told[0]).to.match(/^Not finished: .*proc/);
  });
});
