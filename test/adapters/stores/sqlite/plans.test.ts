import { join } from 'node:path';
import { expect } from 'chai';
import { type Connection, openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import type { Tables } from '../../../../src/adapters/stores/sqlite/layout/tables.ts';
import { matchQuery } from '../../../../src/adapters/stores/sqlite/layout/words.ts';
import { rangesOfAll } from '../../../../src/adapters/stores/sqlite/search/index-scan.ts';
import {
  countSql,
  documentsSql,
  numbersSql,
  placeSql,
} from '../../../../src/adapters/stores/sqlite/search/sql.ts';
import { matching } from '../../../../src/domain/find/conditions.ts';
import { parseSearch } from '../../../../src/domain/find/search.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { plain } from '../../../support/plain-store.ts';
import { aFolder, openAt, tables } from './a-file.ts';

const users = tables.get('user') as Tables;

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

  /** SQLite's query plan, one line for each step. Fails if the query sorts, or reads a whole table. */
  function planOf(statement: string): string[] {
    const steps = db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${statement}`)
      .all(...Array(statement.split('?').length - 1).fill('x'))
      .map(({ detail }) => detail);
    expect(steps).not.to.deep.equal([]);
    // Only bounded subqueries and the index of all ids may be scanned.
    const bounded = /^SCAN (?:\(subquery|k USING COVERING INDEX)/;
    expect(steps.filter((step) => /SCAN|TEMP B-TREE/.test(step) && !bounded.test(step))).to.deep.equal([]);
    return steps;
  }

  const orders = [
    [undefined, undefined],
    ['familyName', undefined],
    ['familyName', { id: 'x', key: 'y' }],
    ['familyName', { id: 'x' }],
    [undefined, { id: 'x' }],
  ] as const;
  for (const [by, after] of orders)
    for (const descending of [false, true])
      for (const backward of [false, true])
        for (const filters of by === undefined ? [{}, { role: 'a' }] : [{}])
          it(`are read along an index, ${JSON.stringify({ by, after, descending, backward, filters })}`, () => {
            const query = { sort: { by, descending }, after, backward };
            const ranges = rangesOfAll(query, matching(filters), users) ?? [];
            expect(ranges).not.to.deep.equal([]);
            for (const range of ranges) {
              const bounds = range.after === undefined ? '' : '.*[<>]';
              const index = new RegExp(`^SEARCH k USING .*\\(.*${bounds}|^SCAN k USING COVERING INDEX`);
              expect(planOf(documentsSql(users, range))[0]).to.match(index);
              for (const sql of [placeSql(range), countSql(range)]) {
                const plan = planOf(sql);
                expect(plan).to.have.length(1);
                expect(plan[0]).to.match(index);
              }
              expect(planOf(numbersSql(range))[1]).to.match(index);
            }
          });
  for (const range of [{ from: 'a' }, { to: 'b' }, { from: 'a', to: 'b' }])
    for (const after of [undefined, { id: 'x', key: 'a' }])
      for (const descending of [false, true])
        it(`are read between two places of an index, ${JSON.stringify({ range, after, descending })}`, () => {
          const sort = { by: 'familyName', descending };
          const [found, ...others] = rangesOfAll({ sort, after }, { sort: sort.by, ...range }, users) ?? [];
          expect(others).to.deep.equal([]);
          const plan = planOf(documentsSql(users, found ?? expect.fail('no range')));
          const isBounded = after !== undefined || (descending ? range.to : range.from) !== undefined;
          const end = descending ? '>\\?' : range.to === undefined ? '' : 'key<\\?';
          expect(plan[0]).to.match(/^SEARCH k USING /);
          expect(plan[0]).to.match(new RegExp(end));
          if (isBounded) expect(plan[0]).to.match(new RegExp(`\\(key,id\\)${descending ? '<' : '>'}`));
        });
  it('take a search literally, whatever it means to the full-text index', () => {
    const hostile = parseSearch('a"b NEAR( o\'b *x');
    expect(hostile).not.to.be.a('string');
    const query = matchQuery(typeof hostile === 'string' ? [] : hostile);
    expect(query).to.equal('("a""b" *) AND ("near(" * OR "near" *) AND ("o\'b" *) AND ("*x" * OR "x" *)');
    expect(
      db.prepare('SELECT count(*) FROM user_words WHERE user_words MATCH ?').pluck().get(query),
    ).to.equal(0);
  });

  it('are complete when filters are very common, and the most common one comes first', async () => {
    const folder = aFolder();
    const store = await openAt(join(folder.path, 'users.db'));
    const users = Array.from({ length: 1200 }, (_, index) =>
      aUser({ roles: [index === 700 ? 'rare' : 'all'] }),
    );
    await Promise.all(users.map((user) => store.insert(Stored.of(user))));
    expect(
      await plain(store).list({ where: matching({ active: 'true', role: 'rare' }), limit: 9 }),
    ).to.deep.equal([users[700]]);
    expect(
      await store.list({ where: matching({ active: 'true', role: 'all' }), limit: 2000 }),
    ).to.have.length(1199);
    await store.close();
    folder.remove();
  });
});
