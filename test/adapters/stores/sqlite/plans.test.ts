import { join } from 'node:path';
import { expect } from 'chai';
import { type Connection, openConnection } from '../../../../src/adapters/stores/sqlite/connection.ts';
import * as sql from '../../../../src/adapters/stores/sqlite/query-sql.ts';
import { matchQuery } from '../../../../src/adapters/stores/sqlite/word-index.ts';
import { parseSearch } from '../../../../src/domain/search.ts';
import { StoredUser } from '../../../../src/domain/stored-user.ts';
import { aUser } from '../../../support/a-user.ts';
import { asked } from '../../../support/asked.ts';
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

  /** SQLite's query plan, one line a step. Fails when it sorts, or reads a whole table. */
  function planOf(statement: string): string[] {
    const steps = db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${statement}`)
      .all(...Array(statement.split('?').length - 1).fill('x'))
      .map(({ detail }) => detail);
    expect(steps).not.to.deep.equal([]);
    // Scanned are a list of candidates, what is bounded within a statement, and FTS5's index, which is entered by its query.
    const bounded = /^SCAN (?:c VIRTUAL TABLE|\(subquery|words VIRTUAL TABLE INDEX 0:.*M)/;
    expect(steps.filter((step) => /SCAN|TEMP B-TREE/.test(step) && !bounded.test(step))).to.deep.equal([]);
    return steps;
  }

  const { terms = [] } = asked('ada +31612345678');
  const residuesBy = (id?: string) => ({
    'no conditions': sql.residueOf([], [], id),
    'a search': sql.residueOf([], terms, id),
    'two filters': sql.residueOf([['role', 'a'] as const, ['active', 'true'] as const], [], id),
    'a search and a filter': sql.residueOf([['role', 'a'] as const], terms, id),
  });
  const walks = {
    'by id': [sql.allUsers, /USING (?:COVERING )?INDEX sqlite_autoindex_users_1 \(id[<>]\?/],
    'of a filter': [sql.usersOfFilter, /USING PRIMARY KEY \(filter=\? AND key=\? AND user_id[<>]\?/],
    'by a key': [sql.usersByKey, /USING PRIMARY KEY \(sort=\? AND \(key,id\)[<>]\(\?,\?\)/],
    'of those without a key': [sql.usersWithoutKey, /USING PRIMARY KEY \(sort=\? AND key=\? AND id[<>]\?/],
  } as const;
  for (const [which, [walk, index]] of Object.entries(walks))
    for (const descending of [false, true]) {
      const way = descending ? 'down' : 'up';
      const residues = residuesBy(walk(descending).id);
      for (const [what, residue] of Object.entries(residues))
        it(`are read along an index and never sorted, ${which}, ${way}, under ${what}`, () => {
          expect(planOf(sql.pageSql(walk(descending), residue))[0]).to.match(index);
        });
      for (const [what, residue] of Object.entries(residues))
        it(`count whom they pass over along an index, ${which}, ${way}, under ${what}`, () => {
          expect(planOf(sql.countWithinSql(walk(descending), residue))[0]).to.match(index);
        });
      it(`pass over users without a look at any, ${which}, ${way}, under no conditions`, () => {
        const statements = [
          sql.stepEndSql(walk(descending)),
          sql.countWithinSql(walk(descending), sql.noResidue),
        ];
        for (const statement of statements) {
          const plan = planOf(statement);
          expect(plan).to.have.length(1);
          expect(plan[0]).to.match(/^SEARCH u USING COVERING INDEX|^SEARCH k USING PRIMARY KEY/);
        }
      });
      it(`count whom they pass over by indexes alone, ${which}, ${way}, under two filters`, () => {
        const [first, ...others] = planOf(sql.countWithinSql(walk(descending), residues['two filters']));
        expect(first).to.match(/^SEARCH u USING COVERING INDEX|^SEARCH k USING PRIMARY KEY/);
        const looks = others.filter((step) => !/^CORRELATED SCALAR SUBQUERY/.test(step));
        expect(looks).to.have.length(2);
        for (const look of looks)
          expect(look).to.match(
            /^SEARCH o (?:EXISTS )?USING PRIMARY KEY \(filter=\? AND key=\? AND user_id=\?\)/,
          );
      });
      it(`know where a step ends from the index alone, ${which}, ${way}`, () => {
        expect(planOf(sql.stepEndSql(walk(descending)))[0]).to.match(index);
      });
    }
  for (const [what, residue] of Object.entries(residuesBy()))
    for (const by of ['n', 'id'] as const)
      it(`look candidates up one by one, by ${by}, under ${what}`, () => {
        for (const statement of [sql.matchingSql(by, residue), sql.countMatchingSql(by, residue)])
          expect(planOf(statement)[1]).to.match(new RegExp(`^SEARCH u USING .*\\(${by}=\\?\\)`));
        expect(planOf(sql.documentSql(residue)).join('\n')).to.match(/^SEARCH u USING .*\(id=\?\)/m);
      });
  for (const walk of [sql.usersByKey, sql.usersWithoutKey])
    for (const descending of [false, true])
      it(`pass users by in the order of a key from the index alone, ${descending ? 'down' : 'up'}, ${walk.name}`, () => {
        const plan = planOf(sql.nextNumbersSql(walk(descending)));
        expect(plan).to.have.length(1);
        expect(plan[0]).to.match(/^SEARCH k USING PRIMARY KEY \(sort=\? AND /);
      });
  it('know of a shared key, and of the changes in blocks, by few rows', () => {
    expect(planOf(sql.sharedKeySql).join()).to.match(
      /SEARCH shared_keys USING INDEX .*\(filter=\? AND key=\?\)/,
    );
    expect(planOf(sql.sortsSql).join()).to.match(/SEARCH users USING INDEX users_n/);
    expect(planOf(sql.hasSortKeySql).join()).to.match(/\(sort=\? AND key=\? AND id=\?\)/);
  });
  it('count and find by indexes', () => {
    for (const statement of [sql.idsOfFilterSql, sql.countFilterUpToSql])
      expect(planOf(statement).join()).to.match(/SEARCH user_keys USING PRIMARY KEY \(filter=\? AND key=\?/);
    for (const statement of [sql.matchedSql, sql.countMatchedSql, sql.countMatchedUpToSql])
      expect(planOf(statement).join()).to.include('words VIRTUAL TABLE INDEX 0:');
    expect(planOf(sql.lastNumberSql)).to.deep.equal(['SEARCH users USING COVERING INDEX users_n']);
  });
  it('ask the index of words for what stands in a search, and nothing that means more to it', () => {
    const hostile = parseSearch('a"b NEAR( o\'b *x');
    expect(hostile).not.to.be.a('string');
    const query = matchQuery(typeof hostile === 'string' ? [] : hostile, 0);
    expect(query).to.equal('("一a""b" *) AND ("一near(" *) AND ("一o\'b" *) AND ("一*x" *)');
    expect(db.prepare(sql.countMatchedSql).pluck().get(query)).to.equal(0);
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
