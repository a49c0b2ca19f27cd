/** The contract of the port of the stores (src/domain/store.ts) for filters whose keys are unique. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { matchAll, matching } from '../../src/domain/find/conditions.ts';
import type { Kinds } from '../../src/domain/kinds.ts';
import type { Store, StoredResource, Write } from '../../src/domain/store.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { kindsWith } from '../support/cards.ts';
import { runs } from '../support/runs.ts';
import { tester } from '../support/store-verbs.ts';
import { sampleOf } from './any-kind.ts';

interface Place {
  /** Another store on the same data; closed by `discard`. */
  open(kinds: Kinds): Promise<Store>;
  discard(): Promise<void>;
}

const both = kindsWith('badge', 'door');
const kind = both.of('card');
const racers = 64;

type Keys = { readonly badge?: string; readonly doors?: readonly string[] };

export const aCard = (keys: Keys, id?: string, holder = `card-${randomUUID()}`): StoredResource =>
  sampleOf(kind, holder, keys, id);
export const creating = (next: StoredResource): Write => ({ kind: 'card', id: next.id, op: 'create', next });
export const replacing = (before: StoredResource, next: StoredResource): Write => ({
  ...{ kind: 'card', id: next.id, op: 'replace' },
  ...{ before, next },
});
export const removing = (before: StoredResource): Write => ({
  kind: 'card',
  id: before.id,
  op: 'remove',
  before,
});

export async function commit(store: Store, ...writes: Write[]): Promise<string[]> {
  const outcomes = await store.commit(writes, tester);
  return outcomes.map((one) => (one instanceof DomainError ? one.code : one));
}

export const cardsIn = async (store: Store): Promise<readonly StoredResource[]> =>
  (await store.page('card', { where: matchAll, limit: 10_000 })).items;

/** Every badge and door of the cards. */
export const keysOf = (cards: readonly StoredResource[]): string[] =>
  cards.flatMap(({ value }) => {
    const { badge, doors = [] } = value as Keys;
    return [...(badge === undefined ? [] : [`badge ${badge}`]), ...doors.map((door) => `door ${door}`)];
  });

/** What the contract asks for, one write after the other. */
class Model {
  readonly cards = new Map<string, StoredResource>();

  apply(write: Write): string {
    const taken = 'next' in write ? this.#takenIn(write.next) : undefined;
    if (taken) return taken;
    if (write.op === 'remove') this.cards.delete(write.id);
    else if ('next' in write) this.cards.set(write.id, write.next);
    return 'done';
  }

  #takenIn(next: StoredResource): string | undefined {
    const others = new Set(keysOf([...this.cards.values()].filter(({ id }) => id !== next.id)));
    const [first] = keysOf([next]).filter((key) => others.has(key));
    return first && `${first.split(' ')[0]}-taken`;
  }
}

const someKeys: fc.Arbitrary<Keys> = fc.record(
  { badge: fc.constantFrom('1', '2', '3'), doors: fc.uniqueArray(fc.constantFrom('1', '2', '3', '4')) },
  { requiredKeys: [] },
);
/** For each of six cards: left alone, removed, or with these keys from now on. */
const steps = fc.array(
  fc.array(fc.option(fc.oneof(fc.constant('gone' as const), someKeys)), { minLength: 6, maxLength: 6 }),
);

/** Stores may do a commit's removals first, and its creations last. */
const ranks = ['remove', 'replace', 'create'];

export function uniqueKeysCases(make: () => Promise<Place>): void {
  let place: Place;
  let store: Store;
  beforeEach(async () => {
    place = await make();
    store = await place.open(both);
  });
  afterEach(() => place.discard());

  it('refuses a key that another resource has, for each write of a commit by itself', async () => {
    const [one, two] = [aCard({ badge: '1', doors: ['a', 'b'] }), aCard({ badge: '2' })];
    const outcomes = await commit(store, creating(one), creating(two), creating(aCard({ badge: '1' })));
    expect(outcomes).to.deep.equal(['done', 'done', 'badge-taken']);
    expect(await commit(store, creating(aCard({ badge: '3', doors: ['c', 'b'] })))).to.deep.equal([
      'door-taken',
    ]);
    const [refusal] = await store.commit([replacing(two, aCard({ badge: '1' }, two.id))], tester);
    expect(refusal).to.include({ code: 'badge-taken', message: 'The badge is taken.' });
    expect(refusal).to.deep.include({
      violations: [{ pointer: '/badge', detail: 'another card has this badge' }],
    });
    expect(keysOf(await cardsIn(store))).to.have.members(['badge 1', 'door a', 'door b', 'badge 2']);
    const found = await store.page('card', { where: matching({ 'card.badge': '1' }), limit: 2 });
    expect(found.items.map(({ id }) => id)).to.deep.equal([one.id]);
  });

  it('reports a taken id before a taken name, and that before a taken key', async () => {
    const one = aCard({ badge: '1' }, undefined, 'one');
    await commit(store, creating(one), creating(aCard({ badge: '2' }, undefined, 'two')));
    expect(await commit(store, creating(aCard({ badge: '2' }, one.id, 'two')))).to.deep.equal(['id-taken']);
    expect(await commit(store, creating(aCard({ badge: '2' }, undefined, 'two')))).to.deep.equal([
      'holder-taken',
    ]);
    const renamed = replacing(one, aCard({ badge: '2' }, one.id, 'two'));
    expect(await commit(store, renamed)).to.deep.equal(['holder-taken']);
  });

  it('gives a key to the next resource once it is free, also within a commit', async () => {
    const [one, two] = [aCard({ badge: '1' }), aCard({ badge: '2' })];
    await commit(store, creating(one), creating(two));
    const without = aCard({ doors: ['1'] }, one.id);
    const writes = [removing(two), replacing(one, without), creating(aCard({ badge: '1' }))];
    expect(await commit(store, ...writes)).to.deep.equal(['done', 'done', 'done']);
    expect(await commit(store, creating(aCard({ badge: '2' })))).to.deep.equal(['done']);
    expect(await commit(store, replacing(without, aCard({ doors: ['1', '2'] }, one.id)))).to.deep.equal([
      'done',
    ]);
  });

  it('lets any number of resources have no key', async () => {
    const cards = Array.from({ length: 3 }, () => aCard({}));
    expect(await commit(store, ...cards.map(creating))).to.deep.equal(['done', 'done', 'done']);
    const next = cards.map((card) => replacing(card, aCard({ doors: [] }, card.id)));
    expect(await commit(store, ...next)).to.deep.equal(['done', 'done', 'done']);
  });

  it('has the outcomes of a plain model', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const [model, ids] = [new Model(), Array.from({ length: 6 }, () => randomUUID())];
        for (const step of all) {
          const writes = step.flatMap((keys, at): Write[] => {
            const [id = '', old] = [ids[at], model.cards.get(ids[at] ?? '')];
            if (keys === null || (keys === 'gone' && old === undefined)) return [];
            if (keys === 'gone') return old ? [removing(old)] : [];
            return [old ? replacing(old, aCard(keys, id)) : creating(aCard(keys, id))];
          });
          writes.sort((one, other) => ranks.indexOf(one.op) - ranks.indexOf(other.op));
          const expected = writes.map((write) => model.apply(write));
          expect(await commit(store, ...writes)).to.deep.equal(expected);
        }
        const left = await cardsIn(store);
        expect(keysOf(left)).to.have.members(keysOf([...model.cards.values()]));
        await commit(store, ...left.map(removing));
      }),
      { numRuns: runs(100) },
    );
  });

  it(`gives a key to one of ${racers} writers through two stores`, async () => {
    const stores = [store, await place.open(both)];
    const olds = Array.from({ length: racers / 2 }, () => aCard({}));
    await commit(store, ...olds.map(creating));
    const outcomes = await Promise.all(
      Array.from({ length: racers }, (_, at) => {
        const old = olds[at];
        const write = old
          ? replacing(old, aCard({ doors: ['x'] }, old.id))
          : creating(aCard({ doors: ['x'] }));
        return commit(stores[at % 2] ?? store, write);
      }),
    );
    expect(outcomes.flat().sort()).to.deep.equal(['done', ...Array(racers - 1).fill('door-taken')].sort());
    expect(keysOf(await cardsIn(store))).to.deep.equal(['door x']);
  });
}
