import Database from 'better-sqlite3';
import { expect } from 'chai';
import { createLayout } from '../../../../src/adapters/stores/sqlite/layout/layout.ts';
import { rebuildIfOutdated } from '../../../../src/adapters/stores/sqlite/layout/rebuild.ts';
import { GroupCommit } from '../../../../src/adapters/stores/sqlite/write/group-commit.ts';
import type { ResourceWrite } from '../../../../src/adapters/stores/sqlite/write/writer-messages.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { creating, giveFile, removing, replacing, tables } from './a-file.ts';

describe('Writes to a SQLite file that has no space to grow', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  const kib = 1024;
  /** 24 users in the file, 20 others, and a group commit with `space.free` bytes of free space. */
  function aFullFile() {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    createLayout(db, tables);
    const ignore = (): void => {};
    rebuildIfOutdated(db, tables, ignore, ignore);
    const space = { free: 2 ** 30 };
    const group = new GroupCommit(db, tables, ignore, { freeSpace: () => space.free });
    const users = Array.from({ length: 44 }, () => aUser({ attributes: { large: 'x'.repeat(1000) } }));
    const stored = users.slice(0, 24);
    expect(new Set(group.run(stored.map(creating)).results)).to.deep.equal(new Set(['done']));
    db.pragma('wal_checkpoint(TRUNCATE)');
    space.free = 0;
    return { db, space, group, stored, creations: users.slice(24).map(creating) };
  }
  const enlarging = (user: User, length: number): ResourceWrite =>
    replacing(changed(user, { attributes: { large: 'y'.repeat(length) } }), user.meta.version);

  it('are refused if they create something; changes and removals have reserves, and removals make room for other writes', () => {
    const { db, space, group, stored, creations } = aFullFile();
    const run = (...writes: ResourceWrite[]) => [...new Set(group.run(writes).results)];
    const [first, second, ...others] = stored;
    if (first === undefined || second === undefined) throw new Error('no users');
    for (space.free of [0, 1000 * kib]) {
      const refused = group.run(creations);
      expect([new Set(refused.results), refused.isFull, refused.fatal]).to.deep.equal([
        new Set(['unavailable']),
        true,
        false,
      ]);
    }
    space.free = 1000 * kib;
    expect(run(enlarging(first, 30 * kib))).to.deep.equal(['done']);
    space.free = 500 * kib;
    expect(run(enlarging(second, 60 * kib))).to.deep.equal(['unavailable']);
    space.free = 0;
    db.pragma('wal_checkpoint(TRUNCATE)');
    expect(run(enlarging(second, 1000))).to.deep.equal(['done']);
    expect(run(...others.map(({ id, meta: { version } }) => removing(id, version)))).to.deep.equal(['done']);
    expect(run(...creations.slice(0, 10))).to.deep.equal(['done']);
    db.close();
  });

  it('are refused alone when they are committed together with writes that need no space', () => {
    const { db, group, stored, creations } = aFullFile();
    const changes = stored.slice(0, 5).map((user) => enlarging(user, 1000));
    const committed = group.runInSpace([...creations, ...changes], () => false);
    expect(committed.results).to.deep.equal([
      ...creations.map(() => 'unavailable'),
      ...changes.map(() => 'done'),
    ]);
    expect([committed.reason, committed.isFull, committed.fatal]).to.deep.equal([
      'SQLITE_FULL: database or disk is full',
      false,
      false,
    ]);
    db.close();
  });

  it('never overwrite pages that another process copies beyond the end of the file meanwhile', () => {
    const { db, stored } = aFullFile();
    const other = new Database(file);
    other.pragma('wal_autocheckpoint = 0');
    other.exec('CREATE TABLE others (bytes)');
    const add = other.prepare('INSERT INTO others VALUES (randomblob(1000))');
    other.transaction(() => {
      for (let row = 0; row < 200; row += 1) add.run();
    })();
    const freeSpace = (): number => {
      other.pragma('wal_checkpoint(PASSIVE)');
      return 2 ** 30;
    };
    const [first] = stored;
    if (first === undefined) throw new Error('no users');
    const group = new GroupCommit(db, tables, () => {}, { freeSpace });
    expect(group.run([enlarging(first, 30 * kib)]).results).to.deep.equal(['done']);
    other.close();
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const later = new Database(file);
    expect(later.pragma('integrity_check', { simple: true })).to.equal('ok');
    later.close();
  });
});
