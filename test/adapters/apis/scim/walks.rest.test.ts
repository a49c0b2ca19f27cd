import { expect } from 'chai';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { idOf } from '../../../support/sortable-users.ts';
import { idsOf, type Lists, onEachStore, startLists } from './lists.ts';
import { found, someone } from './people.ts';

const rounds = 5;
/** Of users who go, and of those who come, in each round. */
const others = 10;

/** With room between their ids. */
const there = someone(300).map((user, at) => ({ ...user, id: idOf(10 * (at + 1)) }));
const gone: readonly User[] = there
  .filter((_, at) => at % 6 === 3 || at % 97 === 0)
  .slice(0, rounds * others);
const staying = there.filter((user) => !gone.includes(user));
/** By their ids a third each in front of the others, among them and behind. */
const come: readonly User[] = someone(rounds * others, 1000).map((user, at) => ({
  ...user,
  id: idOf([at, 10 * 6 * at + 5, 10_000 + at][at % 3] ?? 0).replace('-7', at % 3 === 0 ? '-6' : '-7'),
}));

interface Walk {
  readonly filter: string;
  readonly sortBy: string | undefined;
  readonly to: 'nextCursor' | 'previousCursor';
  readonly count: number;
  cursor: string | undefined;
  readonly pages: string[][];
}

const queryOf = ({ filter, sortBy, count }: Walk) => ({
  ...(filter === '' ? {} : { filter }),
  ...(sortBy === undefined ? {} : { sortBy }),
  count,
});

/** So that each takes more pages than there are rounds; those backwards stand at their end. */
async function startWalks(lists: Lists): Promise<Walk[]> {
  const walks: Walk[] = [];
  for (const filter of [
    '',
    'active eq true',
    'not (active eq true) and displayName pr',
    'active eq false and title co "BOSS"',
  ])
    for (const sortBy of [undefined, 'userName', 'displayName', 'meta.created'])
      for (const to of ['nextCursor', 'previousCursor'] as const) {
        const count = Math.max(1, Math.floor(found(there, filter).length / (rounds + 3)));
        const walk: Walk = { filter, sortBy, to, count, cursor: '', pages: [] };
        walks.push(walk);
        if (to === 'nextCursor') continue;
        const end = await lists.list({ ...queryOf(walk), count: 1000, cursor: '' });
        const last = await lists.list({ ...queryOf(walk), count: end.itemsPerPage - 1, cursor: '' });
        const { nextCursor: cursor = '' } = last;
        const page = await lists.list({ ...queryOf(walk), cursor });
        walk.pages.push(idsOf(page));
        walk.cursor = page.previousCursor;
      }
  return walks;
}

async function step(lists: Lists, walk: Walk): Promise<void> {
  if (walk.cursor === undefined) return;
  const page = await lists.list({ ...queryOf(walk), cursor: walk.cursor });
  walk.pages.push(idsOf(page));
  walk.cursor = page[walk.to];
}

/** As other clients do. */
async function disturb({ service }: Lists, round: number): Promise<void> {
  const these = (users: readonly User[]) => users.slice(round * others, (round + 1) * others);
  await Promise.all([
    ...these(gone).map(async ({ id }) => {
      const { status } = await service.send(`/scim/v2/Users/${id}`, { method: 'DELETE' });
      expect(status).to.equal(204);
    }),
    ...these(come).map(async ({ meta: _meta, ...body }) => {
      const headers = { 'content-type': 'application/json' };
      const made = await service.send('/users', { method: 'POST', headers, body: JSON.stringify(body) });
      expect(made.status, made.text).to.equal(201);
    }),
  ]);
}

/** Whoever is there after so many rounds, as far as the order of ids goes. */
const after = (round: number): User[] => [
  ...there.filter((user) => !gone.slice(0, round * others).includes(user)),
  ...come.slice(0, round * others),
];

onEachStore('While fifty users are deleted and fifty are made', (open) => {
  let lists: Lists;
  beforeEach(async () => {
    lists = await startLists(await open(), there);
  });
  afterEach(() => lists.discard());

  it('a walk by cursor returns all other users exactly once, forwards and backwards', async () => {
    const walks = await startWalks(lists);
    for (let round = 0; round < rounds; round += 1)
      await Promise.all([disturb(lists, round), ...walks.map((walk) => step(lists, walk))]);
    while (walks.some(({ cursor }) => cursor !== undefined))
      await Promise.all(walks.map((walk) => step(lists, walk)));
    for (const { pages, to, filter, sortBy } of walks) {
      const met = (to === 'nextCursor' ? pages : pages.toReversed()).flat();
      const what = `${filter} by ${sortBy}, ${to}`;
      expect(new Set(met).size, what).to.equal(met.length);
      const by = sortBy?.replace('meta.', '');
      const wanted = found(staying, filter, by);
      const ids = new Set(wanted);
      expect(
        met.filter((id) => ids.has(id)),
        what,
      ).to.deep.equal(wanted);
    }
  });

  it('each page by index is a part of the current list, with its total', async () => {
    const count = 40;
    for (let round = 0, startIndex = 1; round <= rounds; round += 1, startIndex += count) {
      const now = after(round);
      for (const filter of ['', 'active eq true', 'not (active eq true) and displayName pr']) {
        const all = found(now, filter, 'userName');
        const page = await lists.list({
          ...(filter === '' ? {} : { filter }),
          sortBy: 'userName',
          startIndex,
          count,
        });
        expect(page.totalResults).to.equal(all.length);
        expect(idsOf(page)).to.deep.equal(all.slice(startIndex - 1, startIndex - 1 + count));
      }
      if (round < rounds) await disturb(lists, round);
    }
  });
});
