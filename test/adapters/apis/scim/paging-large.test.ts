import { expect } from 'chai';
import { aUser } from '../../../support/a-user.ts';
import { idOf } from '../../../support/sortable-users.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { idsOf, inMemory, insertAll, type Lists, type ScimList, startLists } from './lists.ts';

/** Together more than a page may have. */
const large = Array.from({ length: 700 }, (_, at) =>
  aUser({
    id: idOf(at),
    attributes: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`a${n}`, 'x'.repeat(1024)])),
  }),
);
const ids = large.map(({ id }) => id);
const count = 1000;

describe('A SCIM page that would be too long', () => {
  let lists: Lists;
  before(async () => {
    lists = await startLists(await inMemory(), large);
  });
  after(() => lists.discard());

  it('ends early, and the next one continues there', async () => {
    const seen: string[] = [];
    for (let startIndex = 1; startIndex <= large.length; ) {
      const page = await lists.list({ startIndex, count });
      expect(page.totalResults).to.equal(large.length);
      expect(page.itemsPerPage).to.be.within(50, 600);
      seen.push(...idsOf(page));
      startIndex += page.itemsPerPage;
    }
    expect(seen).to.deep.equal(ids);
  });

  it('by cursor omits no user, forwards or backwards', async () => {
    const forwards: ScimList[] = [await lists.list({ cursor: '', count })];
    for (let cursor = forwards[0]?.nextCursor; cursor !== undefined; cursor = forwards.at(-1)?.nextCursor)
      forwards.push(await lists.list({ cursor, count }));
    expect(forwards.flatMap(idsOf)).to.deep.equal(ids);
    const backwards = [await lists.list({ cursor: forwards.at(-2)?.nextCursor ?? '', count: 1 })];
    for (
      let cursor = backwards[0]?.previousCursor;
      cursor !== undefined;
      cursor = backwards.at(-1)?.previousCursor
    )
      backwards.push(await lists.list({ cursor, count }));
    const met = backwards.reverse().flatMap(idsOf);
    expect(met).to.deep.equal(ids.slice(0, met.length));
    expect(met).to.have.length.above(300);
  });

  for (const filter of ['', 'not (active eq false)', 'not (nickName eq "nobody")'])
    it(`is complete if the response shows little of each user${filter && `: ${filter}`}`, async () => {
      const query = { count, attributes: 'userName', ...(filter === '' ? {} : { filter }) };
      expect(idsOf(await lists.list({ ...query, startIndex: 1 }))).to.deep.equal(ids);
      const { nextCursor = '' } = await lists.list({ ...query, count: 699, cursor: '' });
      const last = await lists.list({ ...query, cursor: nextCursor });
      const { Resources } = await lists.list({ ...query, cursor: last.previousCursor ?? '' });
      expect(Resources.map(({ id }) => id)).to.deep.equal(ids.slice(0, 699));
    });
});

/** Whenever it is read from the end to the beginning, somebody is made near the place where that began. */
function disturbed(store: UserStore): UserStore {
  const list = store.list.bind(store);
  const made = new Set<number>();
  store.list = async (query) => {
    const { after, backward, sort } = query;
    const isBackward = backward === true || sort?.descending === true;
    const number = after && isBackward ? Number.parseInt(after.id.slice(-12), 16) - 17 : 0;
    if (number > 0 && !made.has(number)) await insertAll(store, [aUser({ id: idOf(number) })]);
    made.add(number);
    return await list(query);
  };
  return store;
}

describe('A page of SCIM by previousCursor', () => {
  for (const filter of ['', 'active eq true', 'not (active eq false)', 'not (nickName eq "nobody")']) {
    it(`omits no user when others are created while it is read${filter && `: ${filter}`}`, async () => {
      const users = Array.from({ length: 30 }, (_, at) => aUser({ id: idOf(16 * (at + 1)) }));
      const { store, discard } = await inMemory();
      const lists = await startLists({ store: disturbed(store), discard }, users);
      const query = { count: 7, ...(filter === '' ? {} : { filter }) };
      const { nextCursor = '' } = await lists.list({ ...query, count: 29, cursor: '' });
      let page = await lists.list({ ...query, cursor: nextCursor });
      const met = idsOf(page);
      while (page.previousCursor !== undefined) {
        page = await lists.list({ ...query, cursor: page.previousCursor });
        expect(page.itemsPerPage).to.be.at.most(7);
        met.unshift(...idsOf(page));
      }
      const there = users.map(({ id }) => id);
      expect(met.filter((id) => there.includes(id))).to.deep.equal(there);
      expect(met).to.have.length.above(there.length);
      await lists.discard();
    });
  }
});
