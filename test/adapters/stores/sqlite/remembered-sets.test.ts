import { expect } from 'chai';
import { type Connection, openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import type { Tables } from '../../../../src/adapters/stores/sqlite/layout/tables.ts';
import { Bitmap, RememberedSets } from '../../../../src/adapters/stores/sqlite/search/found-sets.ts';
import { Searcher } from '../../../../src/adapters/stores/sqlite/search/search-thread.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import { asked } from '../../../support/asked.ts';
import { deadline } from '../../../support/deadlines.ts';
import { giveStore, tables } from './a-file.ts';

const users = Array.from({ length: 400 }, (_, at) => aUser({ title: `x${at}` }));

/** The number of sets that are measured during the work. */
function measured(work: () => void): number {
  const own = Object.getOwnPropertyDescriptor(Bitmap.prototype, 'bytes') ?? {};
  let times = 0;
  Object.defineProperty(Bitmap.prototype, 'bytes', {
    ...own,
    get(this: Bitmap) {
      times += 1;
      return own.get?.call(this);
    },
  });
  work();
  Object.defineProperty(Bitmap.prototype, 'bytes', own);
  return times;
}

describe('A search in SQLite', () => {
  let db: Connection;
  let searcher: Searcher;
  giveStore(
    users.map((user) => Stored.of(user)),
    (_, file) => {
      db = openConnection(file, { readonly: true, busyTimeout: deadline });
      searcher = new Searcher(db, tables.get('user') as Tables);
    },
  );
  after(() => db.close());

  const count = (text: string) =>
    searcher.page({ where: asked(text).where, limit: 0, total: 'exact', owners: new Map() }).total;

  it('doesn’t look at the remembered sets of thousands of earlier searches', () => {
    for (let at = 0; at < 2000; at += 1) count(`x${at % 400} y${at}`);
    const times = measured(() => expect(count('x7 x77')).to.equal(1));
    expect(times).to.be.below(10);
  });
});

describe('The sets of resources that a search thread remembers', () => {
  const setOf = (state: number) => ({ resources: Bitmap.of(400, [[1, 2]]), state });

  it('stay within their memory limit, even if they are very small; the most recently used ones are kept', () => {
    const sets = new RememberedSets(1_000_000);
    const first = setOf(1);
    sets.enter(1);
    sets.keep('first', first);
    for (let at = 0; at < 10_000; at += 1) {
      sets.keep(`${at}`, setOf(1));
      expect(sets.find('first')).to.equal(first);
    }
    expect(sets.size).to.be.within(500, 1_500);
    expect(sets.find('9999')).not.to.equal(undefined);
    expect(sets.find('0')).to.equal(undefined);
  });

  it('are dropped by a write, except those of lists that are being read', () => {
    const sets = new RememberedSets(1_000_000);
    sets.enter(1);
    for (let at = 0; at < 100; at += 1) sets.keep(`${at}`, setOf(1));
    const ofList = setOf(1);
    sets.keep('plain', ofList);
    sets.keep('list', ofList, true);
    sets.enter(2);
    expect([sets.size, sets.find('list')]).to.deep.equal([1, ofList]);
  });

  it('take memory for the order in which they are sorted later', () => {
    const sets = new RememberedSets(100_000);
    const sorted = setOf(1);
    for (const name of ['a', 'b', 'c']) sets.keep(name, setOf(1));
    sets.keep('sorted', sorted);
    Object.assign(sorted, { order: { name: '', numbers: new Uint32Array(24_700) } });
    sets.keep('sorted', sorted);
    expect(['a', 'b', 'c'].map((name) => sets.find(name))).to.deep.equal([undefined, undefined, undefined]);
    expect(sets.find('sorted')).to.equal(sorted);
  });
});
