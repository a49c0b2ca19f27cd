import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteStore } from '../../../../src/adapters/stores/sqlite/open-store.ts';
import { deadline, until } from '../../../support/deadlines.ts';
import { aToken } from '../../../support/service.ts';
import { aFolder, neverFatal } from '../../stores/sqlite/a-file.ts';
import { type Change, type Directory, openDirectory } from './directory.ts';
import { openStream } from './stream.ts';

describe('Followers of one process on a SQLite file, while other processes write,', () => {
  const folder = aFolder();
  let [reader, writer]: Directory[] = [];
  before(async () => {
    const open = () =>
      openSqliteStore({ file: join(folder.path, 'users.db'), onFatal: neverFatal, busyTimeout: deadline });
    [reader, writer] = [await openDirectory(await open()), await openDirectory(await open())];
  });
  after(async () => {
    await reader?.close();
    await writer?.close();
    folder.remove();
  });

  /** @param wait part of the query */
  async function followPages(by: Directory, wait: string, hasAll: (met: readonly Change[]) => boolean) {
    const met: Change[] = [];
    for (let since = 'start'; !hasAll(met); ) {
      const { changes, next } = await by.read(`/changes?since=${since}&limit=7${wait}`);
      met.push(...changes);
      since = next;
    }
    return met;
  }

  it('receive every change once, in the order of the writes, however they follow', async () => {
    const [following, writing] = [reader, writer] as [Directory, Directory];
    const [writers, rounds] = [8, 6];
    const hasAll = (met: readonly Change[]): boolean => met.length >= writers * rounds;
    const authorization = `Bearer ${await aToken()}`;
    const stream = await openStream(`${following.url}/changes?since=start`, { authorization });
    const followers = [followPages(following, '', hasAll), followPages(following, '&wait=50', hasAll)];
    const written = await Promise.all(
      Array.from({ length: writers }, async (_, at) => {
        const id = await writing.write('POST', '/users', { userName: `writer${at}` });
        for (let count = 1; count < rounds; count += 1)
          await writing.write('PATCH', `/users/${id}`, { title: `Title ${count}` });
        return id;
      }),
    );
    const [first = [], ...others] = await Promise.all(followers);
    await stream.changes(writers * rounds);
    const { changes } = await writing.read('/changes?since=start');
    expect(changes).to.have.length(writers * rounds);
    for (const met of [first, ...others]) expect(met).to.deep.equal(changes);
    expect(stream.ids()).to.deep.equal(changes.map(({ id }) => id));
    for (const id of written) {
      const { version } = (await writing.send(`/users/${id}`)).json().meta;
      expect(changes.findLast((change) => change.id === id)?.version).to.equal(version);
    }
    stream.close();
  });

  it('receive a change of another process while they wait', async () => {
    const [following, writing] = [reader, writer] as [Directory, Directory];
    let isAnswered = false;
    const waiting = following.read('/changes?since=now&wait=50&by=late').finally(() => {
      isAnswered = true;
    });
    let id = '';
    // Until the follower has begun to wait, what is written is no news to it.
    await until('it is told', async () => {
      id = id === '' ? await writing.write('POST', '/users', { userName: 'late' }, 'late') : id;
      if (!isAnswered) await writing.write('PATCH', `/users/${id}`, { title: `${Math.random()}` }, 'late');
      return isAnswered;
    });
    expect((await waiting).changes[0]?.id).to.equal(id);
  });
});
