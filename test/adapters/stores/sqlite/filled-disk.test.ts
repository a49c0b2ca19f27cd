import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { switchLog } from '../../../../src/adapters/stores/sqlite/changes/tables.ts';
import { type Connection, openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { assertIntegrity } from '../../../../src/adapters/stores/sqlite/file/integrity.ts';
import { createLayout } from '../../../../src/adapters/stores/sqlite/layout/layout.ts';
import { rebuildIfOutdated } from '../../../../src/adapters/stores/sqlite/layout/rebuild.ts';
import { Checkpoints } from '../../../../src/adapters/stores/sqlite/wal/checkpoints.ts';
import { GroupCommit } from '../../../../src/adapters/stores/sqlite/write/group-commit.ts';
import type { ResourceWrite } from '../../../../src/adapters/stores/sqlite/write/writer-messages.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { missing } from '../../../support/left-out.ts';
import { creating, removing, replacing, tables } from './a-file.ts';

/** Writes in one transaction, which take more of the WAL than the reserves have. */
const inBatch = 256;

describe('A disk that large transactions to a SQLite file fill', () => {
  let place: string;
  let db: Connection;
  before(function () {
    place = mkdtempSync(join(tmpdir(), 'users-filled-'));
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', place]).status !== 0) {
      rmSync(place, { recursive: true });
      missing(this, 'the right to mount a small disk');
    }
  });
  afterEach(() => db.close());
  after(() => {
    // A lazy unmount, because the thread still has the file open.
    execFileSync('umount', ['-l', place]);
    rmSync(place, { recursive: true });
  });

  function open() {
    const file = join(place, 'users.db');
    writeFileSync(file, '');
    db = openConnection(file, { readonly: false, busyTimeout: 1000 });
    db.pragma('synchronous = OFF');
    createLayout(db, tables);
    switchLog(db, true);
    const ignore = (): void => {};
    rebuildIfOutdated(db, tables, ignore, ignore);
    const checkpoints = new Checkpoints(db, ignore);
    checkpoints.start();
    const group = new GroupCommit(db, tables);
    return (writes: readonly ResourceWrite[]) => {
      const { results, fatal } = group.runInSpace(writes, () => checkpoints.makeRoom());
      expect(fatal).to.equal(false);
      checkpoints.afterCommit();
      return results;
    };
  }
  const someUsers = (): User[] =>
    Array.from({ length: inBatch }, () => aUser({ attributes: { large: 'x'.repeat(500) } }));

  it('keeps space to copy the WAL, so that removals succeed and make room for other writes', () => {
    const commit = open();
    const users: User[] = [];
    const isDone = (result: unknown): boolean => result === 'done';
    for (let isFull = false; !isFull; ) {
      const some = someUsers();
      const results = commit(some.map(creating));
      users.push(...some.filter((_, at) => isDone(results[at])));
      const spread = users.filter((_, at) => at % Math.ceil(users.length / inBatch) === 0);
      const next = spread.map((user) => changed(user, { title: String(users.length) }));
      const changes = commit(next.map((user, at) => replacing(user, spread[at]?.meta.version ?? '')));
      for (const [at, user] of next.entries())
        if (isDone(changes[at])) users[users.indexOf(spread[at] as User)] = user;
      isFull = !results.every(isDone);
    }
    while (isDone(commit([creating(aUser())])[0]));
    const removals = users.splice(0, 400).map(({ id, meta: { version } }) => removing(id, version));
    for (const removal of removals) expect(commit([removal])).to.deep.equal(['done']);
    expect(new Set(commit(someUsers().slice(0, 20).map(creating)))).to.deep.equal(new Set(['done']));
    assertIntegrity(db, 'integrity_check');
  });
});
