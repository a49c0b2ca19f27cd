import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import { DryRun } from '../../src/domain/import/dry-run.ts';
import type { ImportTarget } from '../../src/domain/import/import-options.ts';
import { importResources } from '../../src/domain/import/import-resources.ts';
import { aCard, cardsIn, commit, creating, keysOf } from '../contract/unique-keys.ts';
import { kindsWith } from '../support/cards.ts';
import { tester } from '../support/store-verbs.ts';

const kinds = kindsWith('badge', 'door');
const kind = kinds.of('card');

async function run(target: ImportTarget, values: readonly object[]) {
  const rejected: unknown[] = [];
  async function* rows() {
    yield values.map((value) => ({ value, violations: [] }));
  }
  const counts = await importResources(target, rows(), {
    ...{ kind, by: tester, mode: 'upsert', match: 'id', keepMeta: false },
    clock: { now: () => new Date() },
    ids: { id: randomUUID, version: randomUUID },
    onReject: (row, violations) => void rejected.push([values.indexOf(row.value as object), ...violations]),
  });
  return { counts, rejected };
}

describe('An import of resources with unique keys', () => {
  it('rejects rows whose key another resource or row has, and so does a dry run', async () => {
    const store = memoryStore(kinds);
    await commit(
      store,
      ...['1', '2', '3'].map((badge) => creating(aCard({ badge }, undefined, `of ${badge}`))),
    );
    const rows = [
      { holder: 'of 1', badge: '10', doors: ['x'] },
      { holder: 'taken by a resource', badge: '2' },
      { holder: 'first', badge: '4', doors: ['y'] },
      { holder: 'taken by a row', doors: ['z', 'y'] },
      { holder: 'of 3', badge: '3', doors: ['x'] },
      { holder: 'freed', badge: '1' },
    ];
    const tried = await run(new DryRun(store, memoryStore(kinds), kind), rows);
    expect(keysOf(await cardsIn(store))).to.have.members(['badge 1', 'badge 2', 'badge 3']);
    const done = await run(store, rows);
    expect(tried).to.deep.equal(done);
    expect(done.counts).to.deep.equal({ created: 2, changed: 1, unchanged: 0, rejected: 3 });
    expect(done.rejected).to.have.deep.members([
      [1, { pointer: '/badge', detail: 'another card has this badge' }],
      [3, { pointer: '/doors', detail: 'another card has this doors' }],
      [4, { pointer: '/doors', detail: 'another card has this doors' }],
    ]);
    expect(keysOf(await cardsIn(store)).sort()).to.deep.equal(
      ['badge 1', 'badge 10', 'badge 2', 'badge 3', 'badge 4', 'door x', 'door y'].sort(),
    );
  });
});
