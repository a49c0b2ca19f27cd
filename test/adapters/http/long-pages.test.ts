import { expect } from 'chai';
import type { User } from '../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../src/domain/resource/stored.ts';
import type { Store } from '../../../src/domain/store.ts';
import { aUser } from '../../support/a-user.ts';
import { clientNames, clients } from '../../support/clients.ts';
import { startService, type TestService } from '../../support/service.ts';
import { memoryStore, overridden, portOf } from '../../support/stores.ts';
import type { UserStore } from '../../support/verbs.ts';

const total = 130;
const limit = 50;
const idOf = (at: number): string => `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`;
/** 15 KB: a page of 50 has more than is held at a time. */
const attributes = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`a${at}`, 'x'.repeat(1000)]));
/** Ids with a gap behind each. */
const large = (at: number): User => aUser({ id: idOf(at), attributes });

const idsIn = (text: string): string[] =>
  [...text.matchAll(/(?:"id":"|<id>)([^"<]*)/g)].map(([, id]) => String(id));

for (const name of clientNames) {
  const { read } = clients[name];

  describe(`A page of large users, for a client that speaks ${name},`, () => {
    let service: TestService;
    let store: UserStore;
    /** Called before each read of the store. */
    let onRead: () => Promise<void>;
    /** The lengths of what each read took. */
    let steps: number[];
    beforeEach(async () => {
      store = memoryStore();
      for (let at = 0; at < total; at += 1) await store.insert(Stored.of(large(at * 10)));
      onRead = async () => undefined;
      steps = [];
      const port = portOf(store);
      const note = (found: Iterable<{ readonly text: string }>) =>
        steps.push([...found].reduce((sum, { text }) => sum + text.length, 0));
      const watched: Store = overridden(port, {
        page: async (...asked: Parameters<Store['page']>) => {
          await onRead();
          const found = await port.page(...asked);
          note(found.items);
          return found;
        },
        findAll: async (...asked: Parameters<Store['findAll']>) => {
          await onRead();
          const found = await port.findAll(...asked);
          note(found.values());
          return found;
        },
      });
      service = await startService({}, watched);
    });
    afterEach(() => service.close());

    const page = async (query: string) => {
      const answer = await service.send(`/users?${query}`, { headers: read });
      expect([answer.status, answer.headers.get('etag')], answer.text.slice(0, 200)).to.deep.equal([
        200,
        null,
      ]);
      const next = /<\/users\?(.*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      return { ids: idsIn(answer.text), next };
    };

    it('links to the next page, until each user has appeared once', async () => {
      const seen: string[] = [];
      const lengths: number[] = [];
      let query: string | undefined = `limit=${limit}`;
      while (query !== undefined) {
        const { ids, next } = await page(query);
        seen.push(...ids);
        lengths.push(ids.length);
        query = next;
      }
      expect(lengths).to.deep.equal([50, 50, 30]);
      expect(seen).to.deep.equal(Array.from({ length: total }, (_, at) => idOf(at * 10)));
    });

    it('has no link when it ends with the last user', async () => {
      expect((await page(`limit=${total}`)).next).to.equal(undefined);
      expect((await page(`limit=${total - 1}`)).next).to.not.equal(undefined);
    });

    it('is read from the store in steps of at most 300 KB', async () => {
      await page(`limit=${limit}`);
      expect(Math.max(...steps)).to.be.within(1, 300_000);
      expect(steps).to.have.length.above(2);
    });

    it('is full and neither repeats nor misses a user while others are created and deleted', async () => {
      let disturbed = false;
      onRead = async () => {
        // The first read has found the page.
        if (steps.length === 0 || disturbed) return;
        disturbed = true;
        for (let at = 305; at < 480; at += 10) await store.insert(Stored.of(large(at)));
        const gone = await store.find(idOf(400));
        await store.remove(idOf(400), gone?.meta.version ?? '');
        await store.remove(idOf((limit - 1) * 10), (await store.find(idOf(490)))?.meta.version ?? '');
      };
      const first = await page(`limit=${limit}`);
      expect(disturbed).to.equal(true);
      const staying = Array.from({ length: limit }, (_, at) => at * 10).filter(
        (at) => at !== 400 && at !== 490,
      );
      expect(first.ids).to.deep.equal(staying.map(idOf));
      const second = await page(first.next ?? '');
      expect(second.ids[0]).to.equal(idOf(limit * 10));
    });
  });
}
