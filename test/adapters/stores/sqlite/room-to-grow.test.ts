import Database from 'better-sqlite3';
import { expect } from 'chai';
import { createLayout } from '../../../../src/adapters/stores/sqlite/layout/layout.ts';
import { rebuildIfOutdated } from '../../../../src/adapters/stores/sqlite/layout/rebuild.ts';
import { GroupCommit } from '../../../../src/adapters/stores/sqlite/write/group-commit.ts';
import type { RowWrite } from '../../../../src/adapters/stores/sqlite/write/writer-messages.ts';
import { aUser, changed } from '../../../support/a-user.ts';
import { creating, giveFile, removing, replacing, tables } from './a-file.ts';

describe('Writes to a SQLite file that has no space to grow', () => {
  let file: string;
  giveFile((path) => {
    file = path;
  });

  it('are refused, but for those that need none: they are replaced and removed, which makes room for others', () => {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    createLayout(db, tables);
    const ignore = (): void => {};
    rebuildIfOutdated(db, tables, ignore, ignore);
    let space = 2 ** 30;
    const group = new GroupCommit(db, tables, ignore, () => space);
    const users = Array.from({ length: 40 }, () => aUser({ attributes: { large: 'x'.repeat(1000) } }));
    const inserting = users.map(creating);
    const run = (writes: readonly RowWrite[]) => new Set(group.run(writes).results);
    expect(run(inserting.slice(0, 20))).to.deep.equal(new Set(['done']));
    db.pragma('wal_checkpoint(TRUNCATE)');
    space = 0;
    const refused = group.run(inserting.slice(20));
    expect([new Set(refused.results), refused.isFull, refused.fatal]).to.deep.equal([
      new Set(['unavailable']),
      true,
      false,
    ]);
    const [first, ...others] = users.slice(0, 20);
    if (first === undefined) throw new Error('no user');
    const next = changed(first, { attributes: { large: 'y'.repeat(1000) } });
    expect(run([replacing(next, first.meta.version)])).to.deep.equal(new Set(['done']));
    expect(run(others.map(({ id, meta: { version } }) => removing(id, version)))).to.deep.equal(
      new Set(['done']),
    );
    expect(run(inserting.slice(20, 30))).to.deep.equal(new Set(['done']));
    db.close();
  });
});
