import { join } from 'node:path';
import { expect } from 'chai';
import { keepPruned } from '../../../../src/adapters/stores/pruning.ts';
import { openSqliteStore } from '../../../../src/adapters/stores/sqlite/open-store.ts';
import { deadline } from '../../../support/deadlines.ts';
import { aFolder, neverFatal } from '../../stores/sqlite/a-file.ts';
import { changesIn, openDirectory } from './directory.ts';

/** Of the log: some twenty of the users that are written. */
const maxBytes = 20_000;

describe('A slow follower of a small log that is pruned', () => {
  const folder = aFolder();
  after(() => folder.remove());

  it('receives every change after its cursor or an error, and never misses one silently', async () => {
    const file = join(folder.path, 'users.db');
    const store = await openSqliteStore({ file, onFatal: neverFatal, busyTimeout: deadline });
    const directory = await openDirectory(store);
    const log = store.changes ?? expect.fail('no log');
    const problems: string[] = [];
    const limits = { retention: 30, historyRetention: 0, maxBytes };
    const stop = keepPruned(log, limits, (problem) => problems.push(problem), 1);
    const written: string[] = [];
    const title = 'x'.repeat(250);
    const write = async () =>
      written.push(await directory.write('POST', '/users', { userName: `user${written.length}`, title }));
    let [since, last, refused] = ['start', -1, 0];
    const read = async (limit: number) => {
      const answer = await directory.send(`/changes?since=${since}&limit=${limit}`);
      if (answer.status === 410) {
        expect(answer.json()).to.include({ type: '/problems/cursor-expired' });
        refused += 1;
        [since, last] = ['start', -1];
        return true;
      }
      const { changes, next, more } = changesIn(answer);
      for (const { id } of changes) {
        const place = written.indexOf(id);
        if (last >= 0) expect(place, 'its place among the writes').to.equal(last + 1);
        last = place;
      }
      since = next;
      return more;
    };
    // It reads a tenth of what is written.
    while (refused < 3) {
      for (let count = 0; count < 10; count += 1) await write();
      await read(1);
    }
    await stop();
    while (await read(100));
    expect(last).to.equal(written.length - 1);
    expect(problems).to.deep.equal([]);
    await directory.close();
  });
});
