/** Uniqueness that is added or taken away between two openings of a store, and processes that are killed while they compete for keys. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Kinds } from '../../src/domain/kinds.ts';
import type { Store } from '../../src/domain/store.ts';
import { kindsWith } from '../support/cards.ts';
import { until } from '../support/deadlines.ts';
import { aCard, cardsIn, commit, creating, keysOf, removing, replacing } from './unique-keys.ts';

interface Place {
  /** Of the process in `card-writer.ts`. */
  readonly options: object;
  open(kinds: Kinds): Promise<Store>;
  /** @returns why it can't be opened: what an operator reads */
  openingFault(kinds: Kinds): Promise<string>;
  discard(): Promise<void>;
}

const [free, unique] = [kindsWith(), kindsWith('badge')];
const script = fileURLToPath(new URL('card-writer.ts', import.meta.url));

export function changedUniquenessCases(make: () => Promise<Place>): void {
  let place: Place;
  beforeEach(async () => {
    place = await make();
  });
  afterEach(() => place.discard());

  async function using<T>(kinds: Kinds, use: (store: Store) => Promise<T>): Promise<T> {
    const store = await place.open(kinds);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  }

  it('is refused while resources share a key: the error names some of them, and nothing is changed', async () => {
    const twins = Array.from({ length: 7 }, () => aCard({ badge: 'secret-1', doors: ['a'] }));
    const pair = Array.from({ length: 7 }, () => aCard({ badge: 'secret-2' }));
    const others = Array.from({ length: 600 }, (_, at) => aCard({ badge: `${at}` }));
    const all = [...twins, ...others, ...pair];
    await using(free, (store) => commit(store, ...all.map(creating)));
    const fault = await place.openingFault(unique);
    expect(fault).to.match(/card\.badge must be unique.*cards share.*nothing was changed/);
    expect(fault).not.to.include('secret');
    const sharing = [...twins, ...pair].map(({ id }) => id);
    const named = fault.slice(fault.indexOf('at most')).match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
    expect(named).to.have.length(10);
    expect(sharing).to.include.members(named);
    const left = await using(free, async (store) => {
      const taken = [
        creating(aCard({ badge: 'secret-1' })),
        ...[...twins, ...pair].slice(0, -1).map(removing),
      ];
      expect(new Set(await commit(store, ...taken))).to.deep.equal(new Set(['done']));
      return await cardsIn(store);
    });
    expect(left).to.have.length(602);
    await using(unique, async (store) => {
      const refused = ['secret-1', 'secret-2', '599'].map((badge) => creating(aCard({ badge })));
      expect(await commit(store, ...refused, creating(aCard({ badge: '600' })))).to.deep.equal([
        ...['badge-taken', 'badge-taken', 'badge-taken'],
        'done',
      ]);
    });
  });

  it('holds from the first write on, and ends when it is taken away', async () => {
    const [one, two] = [aCard({ badge: '1', doors: ['a'] }), aCard({ badge: '2', doors: ['a'] })];
    await using(free, (store) => commit(store, creating(one), creating(two)));
    const three = aCard({ badge: '3' }, one.id);
    await using(unique, async (store) => {
      expect(await commit(store, creating(aCard({ badge: '1' })))).to.deep.equal(['badge-taken']);
      expect(await commit(store, replacing(one, three))).to.deep.equal(['done']);
    });
    const twin = aCard({ badge: '2' });
    await using(free, async (store) => {
      expect(await commit(store, creating(twin))).to.deep.equal(['done']);
      expect(await commit(store, replacing(three, aCard({ badge: '2' }, one.id)))).to.deep.equal(['done']);
      expect(await commit(store, creating(aCard({ badge: '3' })))).to.deep.equal(['done']);
    });
    const fault = await place.openingFault(kindsWith('badge', 'door'));
    for (const { id } of [one, two, twin]) expect(fault).to.include(id);
    await using(kindsWith('door'), async (store) => {
      expect(await commit(store, creating(aCard({ badge: '2', doors: ['a'] })))).to.deep.equal([
        'door-taken',
      ]);
      expect(await commit(store, creating(aCard({ badge: '2' })))).to.deep.equal(['done']);
    });
  });

  it('holds among processes, one of which is killed', async () => {
    const store = await place.open(unique);
    const children: ChildProcess[] = [];
    const count = 60;
    try {
      const won = new Map<string, string>();
      const start = async (): Promise<ChildProcess> => {
        const child = fork(script, [JSON.stringify(place.options), `${count}`]);
        children.push(child);
        await once(child, 'message');
        child.on('message', (line: readonly [string, string]) => won.set(...line));
        return child;
      };
      const [killed, whole] = await Promise.all([start(), start()]);
      const ended = [once(killed, 'exit'), once(whole, 'exit')];
      for (const child of [killed, whole]) child.send('go');
      for (let badge = 0; badge < count; badge += 1) {
        const card = aCard({ badge: `${badge}` });
        const [outcome] = await commit(store, creating(card));
        expect(['done', 'badge-taken']).to.include(outcome);
        if (outcome === 'done') won.set(`${badge}`, card.id);
        if (badge === count / 2) killed.kill('SIGKILL');
      }
      await Promise.all(ended);
      await until('the other process has told what it wrote', () => !whole.connected);
      const cards = await cardsIn(store);
      expect(keysOf(cards)).to.have.members(Array.from({ length: count }, (_, at) => `badge ${at}`));
      const ids = new Set(cards.map(({ id }) => id));
      for (const [badge, id] of won) expect(ids.has(id), badge).to.equal(true);
    } finally {
      for (const child of children) child.kill('SIGKILL');
      await store.close();
    }
  });
}
