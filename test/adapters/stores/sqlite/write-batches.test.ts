import { join } from 'node:path';
import { expect } from 'chai';
import { writeBatches } from '../../../../src/adapters/stores/sqlite/store.ts';
import { matchAll } from '../../../../src/domain/find/conditions.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import type { Write } from '../../../../src/domain/store.ts';
import { aUser } from '../../../support/a-user.ts';
import { tester } from '../../../support/store-verbs.ts';
import { aFolder, openAt } from './a-file.ts';

const writes = (count: number): Write[] =>
  Array.from({ length: count }, () => {
    const next = Stored.of(aUser());
    return { kind: 'user', id: next.id, op: 'create', next };
  });

/** The sizes of the batches. @param isSharedFrom the number of batches after which others write */
async function sizesOf(count: number, isSharedFrom: number): Promise<number[]> {
  const sizes: number[] = [];
  const writer = {
    get isShared() {
      return sizes.length >= isSharedFrom;
    },
    send: async (batch: readonly Write[]) => {
      sizes.push(batch.length);
      return batch.map(() => 'done' as const);
    },
  };
  expect(await writeBatches(writer, writes(count), tester)).to.have.length(count);
  return sizes;
}

describe('A load of users into SQLite', () => {
  it('is written in large transactions, and in small ones while others write to the file', async () => {
    expect(await sizesOf(1100, 99)).to.deep.equal([512, 512, 76]);
    expect(await sizesOf(1100, 1)).to.deep.equal([512, 128, 128, 128, 128, 76]);
    expect(await sizesOf(0, 0)).to.deep.equal([]);
  });
  it('lets another process write meanwhile, and no write is lost', async () => {
    const folder = aFolder();
    const file = join(folder.path, 'users.db');
    const [loader, other] = [await openAt(file), await openAt(file)];
    let isLoaded = false;
    let written = 0;
    const writeOn = async () => {
      for (; !isLoaded || written === 0; written += 1) await other.insert(Stored.of(aUser()));
    };
    const writing = writeOn();
    for (let batch = 0; batch < 3; batch += 1) {
      const outcomes = await loader.writeAll(
        Array.from({ length: 700 }, () => ({ user: Stored.of(aUser()) })),
      );
      expect(new Set(outcomes)).to.deep.equal(new Set(['done']));
    }
    isLoaded = true;
    await writing;
    expect(await loader.count({ where: matchAll })).to.equal(2100 + written);
    for (const store of [loader, other]) await store.close();
    folder.remove();
  });
});
