import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { memoryStore } from '../../../src/adapters/stores/memory/store.ts';
import { openSqliteStore } from '../../../src/adapters/stores/sqlite/open-store.ts';
import type { Kinds } from '../../../src/domain/kinds.ts';
import type { Store } from '../../../src/domain/store.ts';
import { aCard, commit, creating, uniqueKeysCases } from '../../contract/unique-keys.ts';
import { changedUniquenessCases } from '../../contract/unique-keys-changed.ts';
import { kindsWith } from '../../support/cards.ts';
import { deadline } from '../../support/deadlines.ts';
import { aFolder, neverFatal } from './sqlite/a-file.ts';

describe('Unique keys in memory', () =>
  uniqueKeysCases(async () => {
    let store: Store | undefined;
    return {
      open: async (kinds) => {
        store ??= memoryStore(kinds);
        return store;
      },
      discard: async () => store?.close(),
    };
  }));

async function aPlace() {
  const folder = aFolder();
  const file = join(folder.path, 'users.db');
  const opened: Store[] = [];
  return {
    options: { file },
    async open(kinds: Kinds) {
      const store = await openSqliteStore({ file, kinds, onFatal: neverFatal, busyTimeout: deadline });
      opened.push(store);
      return store;
    },
    openingFault: (kinds: Kinds) =>
      openSqliteStore({ file, kinds, onFatal: neverFatal }).then(
        () => expect.fail('it was opened'),
        ({ message }: Error) => message,
      ),
    async discard() {
      await Promise.all(opened.map((store) => store.close()));
      folder.remove();
    },
  };
}

describe('Unique keys in SQLite', () => {
  uniqueKeysCases(aPlace);

  it('are free again when another program has removed their resource, or damaged it', async () => {
    const { open, options, discard } = await aPlace();
    try {
      const [kinds, cards] = [kindsWith('badge'), [aCard({ badge: '1' }), aCard({ badge: '2' })]];
      const store = await open(kinds);
      await commit(store, ...cards.map(creating));
      const db = new Database(options.file);
      const [gone, damaged] = cards.map(({ id }) => id);
      db.prepare('DELETE FROM cards WHERE id = ?').run(gone);
      expect(await commit(store, creating(aCard({ badge: '1' })))).to.deep.equal(['done']);
      await store.close();
      const damage =
        "UPDATE cards SET document = json_set(document, '$.doors', 7), search = NULL WHERE id = ?";
      db.prepare(damage).run(damaged);
      db.close();
      expect(await commit(await open(kinds), creating(aCard({ badge: '2' })))).to.deep.equal(['done']);
    } finally {
      await discard();
    }
  });
});

describe('The uniqueness of keys in SQLite', () => changedUniquenessCases(aPlace));
