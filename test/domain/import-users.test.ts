import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { memoryStore } from '../../src/adapters/stores/memory/store.ts';
import type { Violation } from '../../src/domain/errors.ts';
import { type ImportOptions, type ImportRow, importUsers } from '../../src/domain/import-users.ts';
import type { UserStore } from '../../src/domain/ports.ts';
import { StoredUser } from '../../src/domain/stored-user.ts';
import { aUser } from '../support/a-user.ts';

interface Run extends Partial<Omit<ImportOptions<ImportRow>, 'onReject'>> {
  readonly store: UserStore;
}

async function* inBatches(values: readonly unknown[], size: number) {
  for (let from = 0; from < values.length; from += size)
    yield values.slice(from, from + size).map((value): ImportRow => ({ value, violations: [] }));
}

async function imported(values: readonly unknown[], { store, ...options }: Run) {
  const rejects: { readonly value: unknown; readonly violations: readonly Violation[] }[] = [];
  const counts = await importUsers(store, inBatches(values, 100), {
    clock: { now: () => new Date('2026-05-06T07:08:09.012Z') },
    ids: { userId: randomUUID, version: randomUUID },
    mode: 'create',
    match: 'id',
    keepMeta: false,
    onReject: ({ value }, violations) => {
      rejects.push({ value, violations });
    },
    ...options,
  });
  return { counts, rejects };
}

describe('An import of users', () => {
  it('takes in those who are not there, and finds them unchanged the second time', async () => {
    const store = memoryStore();
    const values = Array.from({ length: 1500 }, () => aUser());
    const first = await imported(values, { store });
    expect(first).to.deep.equal({
      counts: { created: 1500, changed: 0, unchanged: 0, rejected: 0 },
      rejects: [],
    });
    const second = await imported(values, { store });
    expect(second.counts).to.deep.equal({ created: 0, changed: 0, unchanged: 1500, rejected: 0 });
  });

  it('names what is wrong with each that it refuses, in their order', async () => {
    const store = memoryStore();
    const there = aUser({ userName: 'there' });
    await store.insert(StoredUser.of(there));
    const values = [
      { userName: 'one', title: 7 },
      { userName: 'THERE' },
      { userName: 'two' },
      { userName: 'TWO' },
      { ...there, title: 'new' },
    ];
    const { counts, rejects } = await imported(values, { store });
    expect(counts).to.deep.equal({ created: 1, changed: 0, unchanged: 0, rejected: 4 });
    expect(rejects.map(({ violations }) => violations)).to.deep.equal([
      [{ pointer: '/title', detail: 'must be a string' }],
      [{ pointer: '/userName', detail: 'a user with this userName is there, and differs' }],
      [{ pointer: '/userName', detail: 'a user with this userName is there, and differs' }],
      [{ pointer: '/id', detail: 'a user with this id is there, and differs' }],
    ]);
  });
});
