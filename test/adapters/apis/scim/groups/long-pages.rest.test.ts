import { expect } from 'chai';
import { type Ask, aUser, bulk, type Json } from '../scim-client.ts';
import { aGroup, giveGroups, valuesOf } from './group-client.ts';

const own = 'urn:user-management:1:User';
const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
const value = 'x'.repeat(1024);

interface Page {
  readonly totalResults?: number;
  readonly nextCursor?: string;
  readonly previousCursor?: string;
  readonly Resources: readonly { readonly id: string }[];
}

/** @returns their ids, in the order of lists */
async function createAll(ask: Ask, path: string, bodies: readonly Json[], atOnce: number) {
  const ids: string[] = [];
  for (let from = 0; from < bodies.length; from += atOnce) {
    const some = bodies.slice(from, from + atOnce);
    const outcomes = await bulk(
      ask,
      some.map((data) => ({ method: 'POST', path, data })),
    );
    ids.push(...outcomes.map(({ location = '' }) => location.slice(-36)));
  }
  return ids.sort();
}

describe('A page of several resource types', () => {
  let ask: Ask;
  giveGroups('memory', (its) => {
    ask = its;
  });
  let all: readonly string[];
  before(async () => {
    const user = {
      [own]: { attributes: Array.from({ length: 12 }, (_, at) => ({ name: `a${at}`, value })) },
    };
    const [users, groups] = [
      Array.from({ length: 280 }, () => aUser(user)),
      Array.from({ length: 800 }, () => aGroup({ description: value })),
    ];
    all = [...(await createAll(ask, '/Users', users, 70)), ...(await createAll(ask, '/Groups', groups, 800))];
  });

  async function search(query: Json): Promise<Page & { readonly ids: readonly string[] }> {
    const { status, text } = await ask('/.search', {
      method: 'POST',
      body: { schemas, count: 1000, ...query },
    });
    expect(status, text.slice(0, 1000)).to.equal(200);
    // 4 MiB, and the resource that goes beyond.
    expect(text).to.have.length.below(4 * 1024 * 1024 + 16 * 1024);
    const page: Page = JSON.parse(text);
    return { ...page, ids: page.Resources.map(({ id }) => id) };
  }

  it('is no longer than a page of one type, and the next page continues there', async () => {
    const met: string[] = [];
    while (met.length < all.length) {
      const { ids, totalResults } = await search({ startIndex: met.length + 1 });
      expect(totalResults).to.equal(all.length);
      expect(ids).not.to.deep.equal([]);
      met.push(...ids);
    }
    expect(met).to.deep.equal(all);
  });

  it('has the same limit by cursor, forwards and backwards', async () => {
    const first = await search({ cursor: '' });
    expect(first.totalResults).to.equal(all.length);
    const second = await search({ cursor: first.nextCursor });
    const seen = first.ids.length + second.ids.length;
    expect([...first.ids, ...second.ids]).to.deep.equal(all.slice(0, seen));
    const end = await search({ cursor: second.nextCursor ?? first.nextCursor, count: 10 });
    const back = await search({ cursor: end.previousCursor });
    const at = all.indexOf(end.ids[0] ?? '');
    expect(back.ids).to.deep.equal(all.slice(at - back.ids.length, at));
  });
});

describe('A page of users with more groups than are shown', () => {
  let ask: Ask;
  giveGroups('memory', (its) => {
    ask = its;
  });

  it('ends early, since all their groups are read', async () => {
    const users = await createAll(
      ask,
      '/Users',
      Array.from({ length: 12 }, () => aUser()),
      12,
    );
    const groups = Array.from({ length: 10_001 }, () => aGroup({ members: valuesOf(users) }));
    await createAll(ask, '/Groups', groups, 1000);
    const page = async (startIndex: number) =>
      (await ask(`/Users?attributes=groups&startIndex=${startIndex}`)).json() as unknown as Page;
    const first = await page(1);
    expect(first.Resources).to.have.length.within(1, 10);
    expect(first.Resources[0]).not.to.have.property('groups');
    const { Resources } = await page(first.Resources.length + 1);
    expect([...first.Resources, ...Resources].map(({ id }) => id)).to.deep.equal(users);
  });
});
