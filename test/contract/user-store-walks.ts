import { expect } from 'chai';
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { Sort } from '../../src/domain/find/sorts.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { aUser, changed } from '../support/a-user.ts';
import { asked } from '../support/asked.ts';
import { positionOf } from '../support/kinds.ts';
import type { PlainStore } from '../support/plain-store.ts';
import { idOf, sortable } from '../support/sortable-users.ts';
import type { Bench } from './user-store.ts';

const writers = 32;
const by = 'displayName';
/** Two digits: texts are in the order of the numbers. */
const named = (number: number, word = 'stays'): User =>
  sortable(by, number, `${String(number).padStart(2, '0')} ${word}`);
const ids = (users: readonly User[]): string[] => users.map(({ id }) => id);
const inserted = async (store: PlainStore, users: readonly User[]): Promise<readonly User[]> => {
  await Promise.all(users.map((user) => store.insert(user)));
  return users;
};

interface Way {
  readonly sort: Sort;
  readonly backward: boolean;
  readonly search?: string;
}
const ways: readonly Way[] = [undefined, by].flatMap((key) =>
  [false, true].flatMap((descending) =>
    [false, true].map((backward) => ({
      sort: key === undefined ? { descending } : { by: key, descending },
      backward,
    })),
  ),
);
const isDown = ({ sort, backward }: Way): boolean => sort.descending !== backward;

/** The ids of a walk; `between` runs after each page with its number. */
async function walk(
  store: PlainStore,
  { sort, backward, search }: Way,
  limit: number,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<string[]> {
  const seen: string[] = [];
  const conditions = search === undefined ? { where: matchAll } : asked(search);
  let last: User | undefined;
  for (let page = 0; ; page += 1) {
    const after = last && positionOf(Stored.of(last), sort);
    const users = await store.list({ ...conditions, sort, backward, after, limit });
    if (users.length === 0) return seen;
    if (page > 1000) expect.fail('a walk without an end');
    seen.push(...ids(users));
    last = users.at(-1);
    await between(page);
  }
}

/** Expects each remaining user once, in order. */
function expectStaying(seen: readonly string[], staying: readonly User[], way: Way): void {
  const wanted = isDown(way) ? ids(staying).reverse() : ids(staying);
  const isStaying = new Set(wanted);
  expect(
    seen.filter((id) => isStaying.has(id)),
    JSON.stringify(way),
  ).to.deep.equal(wanted);
}

function movingCases({ ui, store }: Bench): void {
  ui.it(
    'neither misses nor repeats a user whose place stays, while others are created, deleted and changed between the pages',
    async () => {
      const staying = [
        ...(await inserted(
          store(),
          [10, 20, 30, 40, 50, 60, 70, 80].map((n) => named(n)),
        )),
      ];
      for (const [round, way] of ways.entries()) {
        let leaving = await inserted(
          store(),
          [5, 25, 45, 65].map((number) => named(number, 'leaves')),
        );
        const come: User[] = [];
        const seen = await walk(store(), way, 3, async (page) => {
          const [gone, ...rest] = leaving;
          leaving = rest;
          if (gone) await store().remove(gone.id, gone.meta.version);
          // In front of the walk, behind it and at its place.
          if (page < 8)
            come.push(
              ...(await inserted(
                store(),
                [page, 71 + page, 32 + page].map((n) => named(n, 'comes')),
              )),
            );
          const user = staying[page];
          if (!user) return;
          const next = changed(user, { title: `changed ${round}` });
          await store().replace(next, user.meta.version);
          staying[page] = next;
        });
        expect(seen, JSON.stringify(way)).to.deep.equal([...new Set(seen)]);
        expectStaying(seen, staying, way);
        for (const user of [...leaving, ...come]) await store().remove(user.id, user.meta.version);
      }
    },
  );
  ui.it(
    'repeats or misses only users whose key moved across the place in the order of this key',
    async () => {
      const meet = async (move: readonly [from: string, to: string], id: number, way: Way) => {
        const user = sortable(by, id, move[0]);
        await store().insert(user);
        const next = changed(user, { displayName: move[1] });
        const seen = await walk(store(), way, 2, async (page) => {
          // By then the walk has passed two of four.
          if (page === 0) await store().replace(next, user.meta.version);
        });
        await store().remove(next.id, next.meta.version);
        return seen.filter((one) => one === user.id).length;
      };
      await inserted(
        store(),
        [20, 40, 60, 80].map((number) => named(number)),
      );
      for (const backward of [false, true]) {
        const up: Way = { sort: { by, descending: backward }, backward };
        const down: Way = { sort: { by, descending: !backward }, backward };
        for (const id of [1, 99]) {
          expect(await meet(['10', '90'], id, up), 'from behind the walk to in front of it').to.equal(2);
          expect(await meet(['90', '10'], id, up), 'from in front of the walk to behind it').to.equal(0);
          expect(await meet(['90', '70'], id, up), 'within what is to come').to.equal(1);
          expect(await meet(['10', '11'], id, up), 'within what was seen').to.equal(1);
          expect(await meet(['10', '90'], id, down)).to.equal(0);
          expect(await meet(['90', '10'], id, down)).to.equal(2);
          expect(await meet(['10', '90'], id, { ...up, sort: {} }), 'in the order of the ids').to.equal(1);
        }
      }
    },
  );
}

/** Each writer creates, moves and removes its own users until the walks are over. */
async function walksUnderWriters(stores: readonly PlainStore[]): Promise<void> {
  const [first = expect.fail('no store'), ...others] = stores;
  const staying = Array.from({ length: 24 }, (_, index) => named(4 * index));
  await inserted(first, staying);
  let areOver = false;
  const write = async (writer: number): Promise<void> => {
    const store = stores[writer % stores.length] ?? first;
    for (let round = 0; !areOver; round += 1) {
      const id = idOf(1000 * (round % 96) + 100 + writer);
      const user = aUser({ id, displayName: `${(7 * writer + round) % 96} moves` });
      await store.insert(user);
      const next = changed(user, { displayName: `${95 - ((5 * writer + round) % 90)} moved` });
      await store.replace(next, user.meta.version);
      const one = staying[writer];
      if (one) {
        // No other writer writes it.
        const same = changed(one, { title: `changed ${round}` });
        expect(await store.replace(same, one.meta.version)).to.equal(true);
        staying[writer] = same;
      }
      await store.remove(id, next.meta.version);
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const reader = others.at(-1) ?? first;
  const read = async (way: Way): Promise<void> => {
    const seen = await walk(reader, way, 5);
    expectStaying(seen, staying, way);
    // Ids never move.
    if (way.sort.by === undefined) expect(seen.length).to.equal(new Set(seen).size);
    expect(await reader.count(asked('stays')), 'count').to.equal(staying.length);
  };
  try {
    await Promise.all(ways.flatMap((way) => [read(way), read({ ...way, search: 'stays' })]));
  } finally {
    areOver = true;
    await writing;
  }
}

export function walkCases(bench: Bench, persists: boolean): void {
  const { ui, store, reopen } = bench;
  ui.describe('read page by page', () => {
    movingCases(bench);
    ui.it(`neither misses nor repeats a user whose place stays, while ${writers} write at once`, async () =>
      walksUnderWriters([store()]),
    );
    if (!persists) return;
    ui.it(
      `neither misses nor repeats a user whose place stays, while ${writers} write at once through two stores`,
      async () => walksUnderWriters([store(), await reopen()]),
    );
  });
}
