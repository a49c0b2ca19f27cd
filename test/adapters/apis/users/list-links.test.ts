import { expect } from 'chai';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import { aUser } from '../../../support/a-user.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { type Directory, startDirectory, storeOf } from './a-directory.ts';

const idOf = (at: number): string =>
  `00000000-0000-7000-8000-${String(Math.round(at * 100)).padStart(12, '0')}`;
const total = 10;
/** With gaps between their ids. */
const places = Array.from({ length: total }, (_, at) => (at + 1) * 10);
const idsOf = (...at: number[]): string[] => at.map(idOf);

const large = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`a${at}`, '<'.repeat(1000)]));

for (const [name, more] of [
  ['small', {}],
  // A page of four is more than is held.
  ['large', { attributes: large }],
] as const) {
  const format = name === 'large' ? 'xml' : 'json';

  describe(`Links of pages of ${name} users`, () => {
    let directory: Directory;
    let store: UserStore;
    before(async () => {
      directory = await startDirectory();
    });
    after(() => directory.service.close());
    beforeEach(async () => {
      store = await storeOf(places.map((at) => aUser({ id: idOf(at), ...more })));
      directory.use(store);
    });
    const page = (query: string) => directory.page(query, format);
    const insert = (at: number) => store.insert(Stored.of(aUser({ id: idOf(at), ...more })));
    const remove = async (...from: number[]) => {
      for (const at of from) await store.remove(idOf(at), (await store.find(idOf(at)))?.version ?? '');
    };
    it('lead only to existing pages, and to both ends from every page', async () => {
      const relationsOf = async (query: string) => Object.keys((await page(query)).links);
      expect(await relationsOf('')).to.deep.equal([]);
      expect(await relationsOf('limit=10')).to.deep.equal(['first', 'last']);
      const first = await page('limit=4');
      expect(Object.keys(first.links)).to.deep.equal(['next', 'first', 'last']);
      const second = await page(first.links.next ?? '');
      expect(Object.keys(second.links)).to.deep.equal(['next', 'prev', 'first', 'last']);
      expect(second.links.first).to.equal('limit=4');
      const third = await page(second.links.next ?? '');
      expect(Object.keys(third.links)).to.deep.equal(['prev', 'first', 'last']);
      expect((await page(third.links.prev ?? '')).ids).to.deep.equal(second.ids);
      const last = await page(first.links.last ?? '');
      expect([last.ids, Object.keys(last.links)]).to.deep.equal([
        idsOf(70, 80, 90, 100),
        ['prev', 'first', 'last'],
      ]);
      const front = await page(second.links.prev ?? '');
      expect([front.ids, Object.keys(front.links)]).to.deep.equal([first.ids, ['next', 'first', 'last']]);
      expect((await page(front.links.next ?? '')).ids).to.deep.equal(second.ids);
      expect(await relationsOf('limit=4&role=none')).to.deep.equal(['first', 'last']);
    });

    it('lead back from a page whose users were all deleted', async () => {
      const second = (await page('limit=6')).links.next ?? '';
      const third = (await page('limit=4')).links.next ?? '';
      const toFirst = (await page(third)).links.prev ?? '';
      await remove(70, 80, 90, 100);
      const empty = await page(second);
      expect([empty.ids, Object.keys(empty.links)]).to.deep.equal([[], ['prev', 'first', 'last']]);
      expect((await page(empty.links.prev ?? '')).ids).to.deep.equal(idsOf(10, 20, 30, 40, 50, 60));
      await remove(10, 20, 30, 40);
      const front = await page(toFirst);
      expect([front.ids, Object.keys(front.links)]).to.deep.equal([[], ['next', 'first', 'last']]);
      expect((await page(front.links.next ?? '')).ids).to.deep.equal(idsOf(50, 60));
    });

    it('lead backwards past every user that exists throughout, whichever users come and go between two pages', async () => {
      const { links } = await page('limit=7');
      const start = (await page(links.next ?? '')).links.prev ?? '';
      const query = start.replace('limit=7', 'limit=4');
      await insert(55);
      await remove(50);
      const one = await page(query);
      expect(one.ids).to.deep.equal(idsOf(40, 55, 60, 70));
      await insert(25);
      const other = await page(one.links.prev ?? '');
      expect([other.ids, other.links.prev]).to.deep.equal([idsOf(10, 20, 25, 30), undefined]);
    });

    it('lead to the previous page when users were added to a full page', async () => {
      const start = (await page((await page('limit=8')).links.next ?? '')).links.prev ?? '';
      for (const at of [61, 62, 75]) await insert(at);
      const one = await page(start.replace('limit=8', 'limit=4'));
      expect(one.ids).to.deep.equal(idsOf(62, 70, 75, 80));
      expect((await page(one.links.prev ?? '')).ids).to.deep.equal(idsOf(40, 50, 60, 61));
    });
  });
}
