import { join } from 'node:path';
import { expect } from 'chai';
import { type Connection, openConnection } from '../../../../src/adapters/stores/sqlite/connection.ts';
import { listSql, stepEndSql, stepSql } from '../../../../src/adapters/stores/sqlite/reads.ts';
import { filterNames } from '../../../../src/domain/filters.ts';
import { StoredUser } from '../../../../src/domain/stored-user.ts';
import { aUser } from '../../../support/a-user.ts';
import { plain } from '../../../support/plain-store.ts';
import { aFolder, openAt } from './a-file.ts';

describe('Lists from SQLite', () => {
  let folder: ReturnType<typeof aFolder>;
  let db: Connection;

  before(async () => {
    folder = aFolder();
    const file = join(folder.path, 'users.db');
    await (await openAt(file)).close();
    db = openConnection(file, { readonly: true, busyTimeout: 0 });
  });
  after(() => {
    db.close();
    folder.remove();
  });

  /** What SQLite would do; it never sorts nor reads a whole table. */
  function planOf(sql: string): string[] {
    const steps = db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array(sql.split('?').length - 1).fill('x'))
      .map(({ detail }) => detail);
    expect(steps).not.to.deep.equal([]);
    expect(steps.filter((step) => /SCAN|TEMP B-TREE/.test(step))).to.deep.equal([]);
    return steps;
  }

  for (const count of [0, ...filterNames.keys()].map((_, index) => index)) {
    it(`are read along an index and never sorted, with ${count} filters`, () => {
      const steps = planOf(listSql(count));
      if (count > 0) expect(steps[0]).to.include('SEARCH k').and.include('filter=? AND key=? AND user_id>?');
    });
  }
  for (const count of filterNames.slice(1).map((_, index) => index + 2)) {
    it(`are no less so step by step, with ${count} filters`, () => {
      expect(planOf(stepSql(count))[0])
        .to.include('SEARCH k')
        .and.include('filter=? AND key=? AND user_id>? AND user_id<?');
    });
  }
  it('know where a step ends from the index alone', () => {
    expect(planOf(stepEndSql)).to.deep.equal([
      'SEARCH user_keys USING PRIMARY KEY (filter=? AND key=? AND user_id>?)',
    ]);
  });

  it('are right also when the filters are given the most common first and are very common', async () => {
    const folder = aFolder();
    const store = await openAt(join(folder.path, 'users.db'));
    const users = Array.from({ length: 1200 }, (_, index) =>
      aUser({ roles: [index === 700 ? 'rare' : 'all'] }),
    );
    await Promise.all(users.map((user) => store.insert(StoredUser.of(user))));
    expect(await plain(store).list({ filters: { active: 'true', role: 'rare' }, limit: 9 })).to.deep.equal([
      users[700],
    ]);
    expect(await store.list({ filters: { active: 'true', role: 'all' }, limit: 2000 })).to.have.length(1199);
    await store.close();
    folder.remove();
  });
});
