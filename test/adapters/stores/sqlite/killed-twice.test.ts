import { execFileSync } from 'node:child_process';
import { mkdirSync, truncateSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { Checkpoints } from '../../../../src/adapters/stores/sqlite/wal/checkpoints.ts';
import { assertWalFits } from '../../../../src/adapters/stores/sqlite/wal/wal-fit.ts';
import { aUser } from '../../../support/a-user.ts';
import { deadline } from '../../../support/deadlines.ts';
import { plain } from '../../../support/plain-store.ts';
import { giveFile, openAt } from './a-file.ts';

/** The files as a kill would leave them now. Another process copies them, because a process that closes a file releases all of its locks on it. */
function copyOf(file: string): string {
  const folder = join(dirname(file), 'killed');
  mkdirSync(folder);
  execFileSync('cp', [file, `${file}-wal`, folder]);
  return join(folder, basename(file));
}

/** In bytes: the header of a WAL and a part of its first page. */
const firstWriteBegun = 100;

/** The first kill comes in the write that begins the WAL anew, after a checkpoint. */
async function killedOnce(file: string): Promise<string> {
  const store = await openAt(file);
  const killed = copyOf(file);
  await store.close();
  truncateSync(`${killed}-wal`, firstWriteBegun);
  return killed;
}

describe('A SQLite file whose service was killed while a write began the WAL anew', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  it('opens again after another kill, with the users that were created in between', async () => {
    const second = await openAt(await killedOnce(file));
    const user = aUser();
    await plain(second).insert(user);
    const killed = copyOf(join(dirname(file), 'killed', basename(file)));
    await second.close();
    const third = await openAt(killed);
    expect(await plain(third).find(user.id)).to.deep.equal(user);
    await third.close();
  });
  it('fits its WAL after another kill, too, when a process that was running meanwhile has made the first write', async () => {
    const killed = await killedOnce(file);
    const reader = new Database(killed, { readonly: true });
    // This recovers the WAL, so that the connection that writes doesn't.
    reader.pragma('user_version');
    const writer = openConnection(killed, { readonly: false, busyTimeout: deadline });
    const checkpoints = new Checkpoints(writer, (message) => expect.fail(message));
    writer.exec("UPDATE change_log_state SET removed_mark = ''");
    checkpoints.afterCommit();
    await assertWalFits(copyOf(killed));
    writer.close();
    reader.close();
  });
});
