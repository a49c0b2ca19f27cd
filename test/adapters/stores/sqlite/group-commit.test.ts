import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Connection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { createLayout } from '../../../../src/adapters/stores/sqlite/layout/layout.ts';
import { rebuildIfOutdated } from '../../../../src/adapters/stores/sqlite/layout/rebuild.ts';
import { GroupCommit } from '../../../../src/adapters/stores/sqlite/write/group-commit.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { aFolder, creating, removing, replacing, tables } from './a-file.ts';

const large = (): User => aUser({ attributes: { large: 'x'.repeat(1000) } });

describe('Writes that share a commit', () => {
  let folder: ReturnType<typeof aFolder>;
  let db: Connection;
  let statements: string[];
  let group: GroupCommit;

  beforeEach(() => {
    folder = aFolder();
    statements = [];
    db = new Database(join(folder.path, 'users.db'), { verbose: (sql) => statements.push(String(sql)) });
    createLayout(db, tables);
    rebuildIfOutdated(
      db,
      tables,
      () => {},
      () => {},
    );
    group = new GroupCommit(db, tables);
    statements.length = 0;
  });
  afterEach(() => {
    db.close();
    folder.remove();
  });

  const stored = (): unknown => db.prepare('SELECT count(*) FROM users').pluck().get();
  const keys = (): unknown => db.prepare('SELECT count(*) FROM user_keys').pluck().get();

  it('are on disk after one commit, in any number', () => {
    const { results } = group.run(Array.from({ length: 100 }, () => creating(aUser())));
    expect(results).to.deep.equal(Array(100).fill('done'));
    expect(statements.filter((sql) => /^(?:BEGIN|COMMIT)/.test(sql))).to.deep.equal([
      'BEGIN IMMEDIATE',
      'COMMIT',
    ]);
    expect(stored()).to.equal(100);
  });
  it('tell whether another process has written since the last commit', () => {
    const other = new Database(join(folder.path, 'users.db'));
    const write = () => group.run([creating(aUser())]).othersWrote;
    expect([write(), write()]).to.deep.equal([false, false]);
    other.prepare("INSERT INTO key_rules VALUES ('a', 'b')").run();
    expect([write(), write()]).to.deep.equal([true, false]);
    other.close();
  });
  it('see the writes before them', () => {
    const user = aUser({ userName: 'a' });
    const next = changed(user, { userName: 'b' });
    const { results } = group.run([
      creating(user),
      replacing(next, user.meta.version),
      creating(aUser({ userName: 'B' })),
      creating(aUser({ userName: 'A' })),
      removing(user.id, user.meta.version),
      removing(user.id, next.meta.version),
    ]);
    expect(results).to.deep.equal(['done', 'done', 'name-taken', 'done', 'stale', 'done']);
    expect([stored(), keys()]).to.deep.equal([1, 2]);
  });
  it('succeed although one of them fails half-way', () => {
    db.exec(`CREATE TRIGGER fault BEFORE INSERT ON user_keys WHEN new.key = 'fault'
      BEGIN SELECT RAISE(ABORT, 'at fault'); END`);
    const writes = [aUser(), aUser({ roles: ['before', 'fault'] }), aUser()].map(creating);
    const { results, reason, fatal } = group.run(writes);
    expect(results).to.deep.equal(['done', 'fault', 'done']);
    expect(reason).to.include('at fault');
    expect(fatal).to.equal(false);
    expect([stored(), keys()]).to.deep.equal([2, 4]);
  });
  it('are undone and refused while the disk is full, and succeed when there is room', () => {
    const pages = db.pragma('page_count', { simple: true });
    db.pragma(`max_page_count = ${Number(pages) + 4}`);
    const writes = Array.from({ length: 50 }, () => creating(large()));
    const { results, reason, fatal } = group.run(writes);
    expect(results).to.deep.equal(Array(50).fill('unavailable'));
    expect(reason).to.include('SQLITE_FULL');
    expect(fatal).to.equal(false);
    expect([stored(), keys()]).to.deep.equal([0, 0]);
    db.pragma('max_page_count = 100000');
    expect(group.run(writes).results).to.deep.equal(Array(50).fill('done'));
  });
  it('are refused when another release has changed the file, and the writer ends', () => {
    db.exec("UPDATE key_rules SET rules = 'others'");
    expect(group.run([creating(aUser())])).to.deep.include({ results: ['unavailable'], fatal: true });
    expect(stored()).to.equal(0);
  });
});
