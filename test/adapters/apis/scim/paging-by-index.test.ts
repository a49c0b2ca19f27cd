import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../support/runs.ts';
import { idsOf, type Lists, onEachStore, startLists } from './lists.ts';
import { found, meanings, someone, sorts } from './people.ts';

const people = someone(1005);

onEachStore('Paging by index', (open) => {
  let lists: Lists;
  before(async () => {
    lists = await startLists(await open(), people);
  });
  after(() => lists.discard());

  it('returns any part of any list in order, and the exact total', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(meanings)),
        fc.constantFrom(undefined, ...sorts),
        fc.constantFrom(undefined, 'ascending', 'descending', 'DESCENDING'),
        fc.option(fc.oneof(fc.integer({ min: -3, max: 12 }), fc.integer({ min: 0, max: 1200 }))),
        fc.option(fc.oneof(fc.integer({ min: -3, max: 12 }), fc.integer({ min: 0, max: 1200 }))),
        async (filter, sort, sortOrder, startIndex, count) => {
          const list = await lists.list({
            ...(filter === '' ? {} : { filter }),
            ...(sort === undefined ? {} : { sortBy: sort[0] }),
            ...(sortOrder === undefined ? {} : { sortOrder }),
            ...(startIndex === null ? {} : { startIndex }),
            ...(count === null ? {} : { count }),
          });
          const descending = sort !== undefined && sortOrder?.toLowerCase() === 'descending';
          const all = found(people, filter, sort?.[1], descending);
          const first = Math.max(1, startIndex ?? 1);
          const most = Math.min(1000, Math.max(0, count ?? 100));
          expect(list.totalResults).to.equal(all.length);
          expect(list.startIndex).to.equal(first);
          expect(idsOf(list)).to.deep.equal(all.slice(first - 1, first - 1 + most));
          expect(list).to.not.have.any.keys('nextCursor', 'previousCursor');
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it('reaches all users, page by page, as an import does', async () => {
    const seen: string[] = [];
    for (let startIndex = 1, total = 1; startIndex <= total; ) {
      const list = await lists.list({ startIndex, count: 100 });
      total = list.totalResults ?? 0;
      seen.push(...idsOf(list));
      startIndex += list.itemsPerPage;
    }
    expect(seen).to.deep.equal(found(people, ''));
  });

  it('returns the total without users when count is 0 or less, or startIndex is beyond the end', async () => {
    for (const query of ['count=0', 'count=-1', 'startIndex=1006', 'startIndex=999999999999999']) {
      const list = await lists.list(query);
      expect([list.totalResults, list.Resources, list.itemsPerPage], query).to.deep.equal([1005, [], 0]);
    }
  });

  it('returns at most a thousand, and accepts whole numbers in any form', async () => {
    expect((await lists.list('count=5000')).itemsPerPage).to.equal(1000);
    for (const query of ['count=%2B2', 'count=002&startIndex=-7', 'COUNT=2', 'startindex=0&Count=2']) {
      const list = await lists.list(query);
      expect([list.totalResults, list.startIndex, list.itemsPerPage], query).to.deep.equal([1005, 1, 2]);
    }
  });
});
