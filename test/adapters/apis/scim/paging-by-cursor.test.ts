import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../support/runs.ts';
import { idsOf, inMemory, type Lists, onEachStore, type Query, type ScimList, startLists } from './lists.ts';
import { found, meanings, someone, sorts } from './people.ts';

type Members = Readonly<Record<string, string | number>>;

/** From the page of the query on. */
async function walk(lists: Lists, query: Members, to: 'nextCursor' | 'previousCursor'): Promise<ScimList[]> {
  const pages: ScimList[] = [];
  for (let at: Members | undefined = query; at !== undefined; ) {
    const page: ScimList = await lists.list(at);
    pages.push(page);
    const cursor = page[to];
    at = cursor === undefined ? undefined : { ...query, cursor };
  }
  return pages;
}

const people = someone(260);

const anyList = fc.record({
  filter: fc.constantFrom(...Object.keys(meanings)),
  sort: fc.constantFrom(undefined, ...sorts),
  sortOrder: fc.constantFrom('ascending', 'descending'),
  count: fc.integer({ min: 1, max: 300 }),
  countBack: fc.integer({ min: 1, max: 300 }),
});

async function walkBothWays(
  lists: Lists,
  { filter, sort, sortOrder, count, countBack }: typeof anyList extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  const query = {
    ...(filter === '' ? {} : { filter }),
    ...(sort === undefined ? {} : { sortBy: sort[0], sortOrder }),
  };
  const all = found(people, filter, sort?.[1], sort !== undefined && sortOrder === 'descending');
  // Of large lists fewer pages, or the test takes its time.
  const least = Math.ceil(all.length / 12);
  const most = Math.max(count, least);
  const forwards = await walk(lists, { ...query, count: most, cursor: '' }, 'nextCursor');
  expect(forwards.flatMap(idsOf)).to.deep.equal(all);
  expect(forwards[0]?.totalResults).to.equal(all.length);
  expect(forwards[0]).to.not.have.property('previousCursor');
  for (const page of forwards.slice(0, -1)) expect(page.itemsPerPage).to.equal(most);
  for (const page of forwards) expect(page).to.not.have.property('startIndex');
  const end = forwards.at(-1);
  expect(end?.previousCursor === undefined).to.equal(forwards.length === 1);
  if (end?.previousCursor === undefined) return;
  const from = { ...query, count: Math.max(countBack, least), cursor: end.previousCursor };
  const backwards = [...(await walk(lists, from, 'previousCursor')).reverse(), end];
  expect(backwards.flatMap(idsOf)).to.deep.equal(all);
  // Each leads on to where it was come from.
  for (const [at, { nextCursor: cursor }] of backwards.slice(0, -1).entries()) {
    const [next] = idsOf(await lists.list({ ...from, cursor: cursor ?? expect.fail('no way on') }));
    expect(next).to.equal(backwards[at + 1]?.Resources[0]?.id);
  }
}

onEachStore('Paging by cursor', (open) => {
  let lists: Lists;
  before(async () => {
    lists = await startLists(await open(), people);
  });
  after(() => lists.discard());

  it('gives each user once, in order, and the same users backwards', () =>
    fc.assert(
      fc.asyncProperty(anyList, (list) => walkBothWays(lists, list)),
      { numRuns: runs(40) },
    ));
});

describe('A cursor of a SCIM list', () => {
  let lists: Lists;
  let next = '';
  let previous = '';
  const query = { filter: 'active eq true', sortBy: 'displayName', count: 7 };
  before(async () => {
    lists = await startLists(await inMemory(), people);
    next = (await lists.list({ ...query, cursor: '' })).nextCursor ?? '';
    previous = (await lists.list({ ...query, cursor: next })).previousCursor ?? '';
  });
  after(() => lists.discard());

  it('works with another count; an empty one needs no equals sign', async () => {
    const all = found(people, 'active eq true', 'displayName');
    expect(idsOf(await lists.list({ ...query, count: 2, cursor: next }))).to.deep.equal(all.slice(7, 9));
    expect(idsOf(await lists.list({ ...query, count: 3, cursor: previous }))).to.deep.equal(all.slice(4, 7));
    expect((await lists.list('cursor')).nextCursor).to.match(/^[A-Za-z0-9_-]+$/);
    expect((await lists.list('count=2&cursor')).nextCursor).to.not.equal(undefined);
  });

  it('gives only the total when count is 0', async () => {
    const { schemas: _schemas, ...counted } = await lists.list({ ...query, count: 0, cursor: '' });
    const totalResults = found(people, 'active eq true').length;
    expect(counted).to.deep.equal({ totalResults, itemsPerPage: 0, Resources: [] });
  });

  it('from a GET works in a .search, and the other way round', async () => {
    const body = JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      ...{ ...query, cursor: next },
    });
    const headers = { 'content-type': 'application/scim+json' };
    const answer = await lists.service.send('/scim/v2/Users/.search', { method: 'POST', headers, body });
    expect(answer.text).to.equal(
      (
        await lists.service.send(
          `/scim/v2/Users?${new URLSearchParams({
            ...query,
            count: '7',
            cursor: next,
          })}`,
        )
      ).text,
    );
  });

  const changedOf = (text: string): string[] => [
    ...Array.from(
      text,
      (character, at) => text.slice(0, at) + (character === 'A' ? 'B' : 'A') + text.slice(at + 1),
    ),
    ...Array.from(text, (_, at) => text.slice(0, at)).slice(1),
    `${text}=`,
    `${text}A`,
    ` ${text}`,
    `${text}\n`,
    text.toLowerCase(),
    text + text,
  ];

  it('is refused if it was changed', async () => {
    for (const cursor of [...changedOf(next), ...changedOf(previous)].filter((one) => one !== '')) {
      const fault = await lists.refuse({ ...query, cursor });
      expect([fault.scimType, fault.detail], cursor).to.deep.equal([
        'invalidCursor',
        'cursor does not belong to this list: keep filter and order unchanged while paging.',
      ]);
    }
  });

  it('is refused for another list, and together with an index', async () => {
    const { filter, ...unfiltered } = query;
    const { sortBy, ...unsorted } = query;
    const others: Query[] = [
      { ...unfiltered },
      { ...unsorted },
      { ...query, filter: `${filter} ` },
      { ...query, filter: 'active eq false' },
      { ...query, sortBy: 'userName' },
      { ...query, sortOrder: 'descending' },
    ].map((other) => ({ ...other, cursor: next }));
    for (const other of [
      ...others,
      { ...query, cursor: next, startIndex: 1 },
      { ...query, cursor: '', startIndex: 1 },
    ])
      expect((await lists.refuse(other)).scimType, JSON.stringify(other)).to.equal('invalidCursor');
  });

  it('of /users is refused here', async () => {
    const link = (await lists.service.send('/users?limit=2')).headers.get('link') ?? '';
    const cursor = /after=([\w-]+)/.exec(link)?.[1] ?? expect.fail('no link');
    expect((await lists.refuse({ cursor })).scimType).to.equal('invalidCursor');
  });
});
