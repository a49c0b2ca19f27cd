import { expect } from 'chai';
import { formats } from '../../../../src/adapters/formats/index.ts';
import { aUser } from '../../../support/a-user.ts';
import { keysOf, termsOf } from '../../../support/asked.ts';
import type { Conditions, UserStore } from '../../../support/verbs.ts';
import { acceptOf, type Directory, startDirectory, storeOf } from './a-directory.ts';

/** More than are sent whole. */
const many = 2000;
const people = Array.from({ length: many }, (_, at) =>
  aUser({ userName: `u${at}`, displayName: `Person ${at % 100}`, active: at % 4 !== 0 }),
);

for (const { name, mediaTypes } of formats) {
  describe(`A list in ${name} with its total`, () => {
    let directory: Directory;
    let store: UserStore;
    before(async () => {
      directory = await startDirectory();
      store = await storeOf(people);
    });
    beforeEach(() => directory.use(store));
    after(() => directory.service.close());
    const page = (query: string) => directory.page(query, name);
    const send = (query: string, headers: Record<string, string> = {}, method = 'GET') =>
      directory.service.send(`/users?${query}`, { method, headers: { accept: acceptOf(name), ...headers } });

    it('has the number of all matches, on each page, only if requested', async () => {
      for (const [conditions, total] of [
        ['', many],
        ['active=false', many / 4],
        ['search=99', many / 100],
        ['search=person+1&active=true', 180],
        ['search=nobody', 0],
      ] as const) {
        const first = await page(`${conditions}&limit=7&total=true`);
        expect([conditions, first.total]).to.deep.equal([conditions, total]);
        for (const relation of ['next', 'last'] as const) {
          const query = first.links[relation];
          if (query !== undefined) expect((await page(query)).total, relation).to.equal(total);
        }
        expect((await page(`${conditions}&limit=7`)).total).to.equal(undefined);
      }
    });

    it('can be read to its end if it is long, in any order', async () => {
      for (const query of ['total=true', 'total=true&sort=-displayName', 'total=true&search=person']) {
        const { users, total, answer } = await page(query);
        expect([users.length, total, answer.headers.has('etag'), answer.headers.has('link')]).to.deep.equal([
          ...[many, many],
          ...[false, false],
        ]);
      }
      const { users } = await page('sort=-displayName');
      const names = users.map(({ displayName }) => displayName ?? '');
      expect(names).to.deep.equal([...names].sort().reverse());
    });

    it('has another tag when the total changes, and gets 304 while nothing changes', async () => {
      const own = await storeOf(people.slice(0, 5));
      directory.use(own);
      const query = 'limit=2&total=true&sort=userName';
      const first = await send(query);
      const etag = first.headers.get('etag') ?? '';
      const held = { 'if-none-match': etag };
      const again = await send(query, held);
      expect([again.status, again.text, again.headers.get('link')]).to.deep.equal([
        ...[304, ''],
        first.headers.get('link'),
      ]);
      expect((await send('limit=2&sort=userName', held)).status).to.equal(200);
      const last = people.slice(0, 5).sort((one, other) => (one.userName < other.userName ? -1 : 1))[4];
      await own.remove(last?.id ?? '', last?.meta.version ?? '');
      expect((await send(query, held)).status).to.equal(200);
      expect((await page(query)).total).to.equal(4);
      expect((await send(query, { 'if-match': etag })).status).to.equal(412);
    });

    it('has the same headers for HEAD as for GET, without the body', async () => {
      for (const query of ['total=true&limit=3', 'total=true&limit=3&sort=-created', 'total=true']) {
        const [get, head] = [await send(query), await send(query, {}, 'HEAD')];
        expect([head.status, head.text]).to.deep.equal([200, '']);
        for (const field of ['etag', 'link', 'content-type', 'content-length'])
          expect(head.headers.get(field), field).to.equal(get.headers.get(field));
      }
    });

    it('is counted once if requested, otherwise not at all', async () => {
      const own = await storeOf(people.slice(0, 5));
      const asked: Conditions[] = [];
      const count = own.count.bind(own);
      own.count = async (conditions) => {
        asked.push(conditions);
        return count(conditions);
      };
      directory.use(own);
      await page('limit=2&search=person&active=true');
      expect(asked).to.deep.equal([]);
      await page('limit=2&search=person&active=true&total=true');
      expect(asked.map(({ where }) => [keysOf(where), termsOf(where).length])).to.deep.equal([
        [[['active', 'true']], 1],
      ]);
    });

    it('is available in each media type of the format', async () => {
      for (const { type } of mediaTypes)
        expect((await send('total=true&limit=1', { accept: type })).text).to.match(/total"?[:=]"?2000/);
    });
  });
}
