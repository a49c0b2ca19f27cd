import { expect } from 'chai';
import {
  type ResourceDocument,
  toContent,
} from '../../../../src/adapters/stores/mongodb/documents/document.ts';
import { openMongoStore } from '../../../../src/adapters/stores/mongodb/open-store.ts';
import type { Kinds } from '../../../../src/domain/kinds.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aCard, commit, creating, uniqueKeysCases } from '../../../contract/unique-keys.ts';
import { changedUniquenessCases } from '../../../contract/unique-keys-changed.ts';
import { kindsWith } from '../../../support/cards.ts';
import { deadline, until } from '../../../support/deadlines.ts';
import { aDatabase, describeMongo } from '../../../support/mongodb.ts';
import { untilReady } from './behind-a-proxy.ts';

async function aPlace() {
  const database = await aDatabase();
  const opened: Store[] = [];
  async function open(kinds: Kinds, problems: string[] = []): Promise<Store> {
    const onProblem = (line: string): unknown => problems.push(line);
    const store = await openMongoStore({ uri: database.uri, kinds, onProblem, operationTimeout: deadline });
    opened.push(store);
    return store;
  }
  return {
    cards: database.client.db().collection<ResourceDocument>('cards'),
    start: open,
    options: { uri: database.uri },
    async open(kinds: Kinds) {
      const store = await open(kinds);
      await untilReady(store);
      return store;
    },
    async openingFault(kinds: Kinds) {
      const problems: string[] = [];
      const store = await open(kinds, problems);
      const isFault = (line: string) => line.includes('unique');
      await until('the fault is told', () => problems.some(isFault));
      await store.close();
      return problems.find(isFault) ?? '';
    },
    async discard() {
      await Promise.all(opened.map((store) => store.close()));
      await database.drop();
    },
  };
}

describeMongo('Unique keys in MongoDB', () => uniqueKeysCases(aPlace));
describeMongo('The uniqueness of keys in MongoDB', () => changedUniquenessCases(aPlace));
describeMongo('The uniqueness of keys in MongoDB', () => {
  const kinds = kindsWith('badge');
  let place: Awaited<ReturnType<typeof aPlace>>;
  beforeEach(async () => {
    place = await aPlace();
  });
  afterEach(() => place.discard());

  it('makes the keys of another release anew, also if resources pass them on in a circle', async () => {
    const cards = ['1', '2', '3'].map((badge) => aCard({ badge }));
    const store = await place.open(kinds);
    await commit(store, ...cards.map(creating));
    await store.close();
    for (const { id } of cards) await place.cards.updateOne({ _id: id }, { $set: { unique: [] } });
    for (const [at, { id }] of cards.entries()) {
      const unique = [`card.badge:${((at + 1) % 3) + 1}`];
      await place.cards.updateOne({ _id: id }, { $set: { unique, keyedBy: '0 unique.card.badge' } });
    }
    const again = await place.open(kinds);
    for (const badge of ['1', '2', '3'])
      expect(await commit(again, creating(aCard({ badge })))).to.deep.equal(['badge-taken']);
    expect(await place.cards.distinct('unique')).to.have.length(3);
  });

  it('keeps the store from serving while two resources have one key, written by another release; the log names both', async () => {
    const problems: string[] = [];
    const [one, other] = [aCard({ badge: 'secret' }), aCard({ badge: 'secret' })];
    const store = await place.start(kinds, problems);
    await untilReady(store);
    await commit(store, creating(one));
    const foreign = { _id: other.id, ...toContent(kindsWith().of('card'), other) };
    await place.cards.insertOne(foreign);
    const isNamed = (line: string) => line.includes(one.id) && line.includes(other.id);
    await until('both are named', () => problems.some(isNamed));
    expect(await outcome(store.check())).to.equal('unavailable');
    expect(problems.join()).to.include('card.badge').and.not.include('secret');
    await place.cards.deleteOne({ _id: other.id });
    await untilReady(store);
    expect(await commit(store, creating(other))).to.deep.equal(['badge-taken']);
  });
});
