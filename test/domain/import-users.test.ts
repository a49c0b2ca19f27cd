import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { matchAll } from '../../src/domain/find/conditions.ts';
import {
  type ImportCounts,
  type ImportOptions,
  type ImportRow,
  type ImportRules,
  importModes,
} from '../../src/domain/import/import-options.ts';
import { importResources } from '../../src/domain/import/import-resources.ts';
import { rowsInBatch } from '../../src/domain/import/import-run.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { ambiguousUntil } from '../../src/domain/meta.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { Actor } from '../../src/domain/store.ts';
import type { Violation } from '../../src/domain/validation/errors.ts';
import { aUser } from '../support/a-user.ts';
import { userDefinition } from '../support/kinds.ts';
import { plain } from '../support/plain-store.ts';
import { tester } from '../support/store-verbs.ts';
import { memoryStore, targetOf, type VerbsTarget } from '../support/stores.ts';
import type { UserStore, UserWrite } from '../support/verbs.ts';

interface Run extends Partial<Omit<ImportOptions<ImportRow>, 'onReject'>> {
  readonly store: UserStore;
}

const rules: ImportRules & { by: Actor } = {
  clock: { now: () => new Date('2026-05-06T07:08:09.012Z') },
  ids: { id: randomUUID, version: randomUUID },
  mode: 'create',
  match: 'id',
  keepMeta: false,
  by: tester,
  kind: userDefinition.kind,
};

async function* inBatches(values: readonly unknown[], size: number) {
  for (let from = 0; from < values.length; from += size)
    yield values.slice(from, from + size).map((value): ImportRow => ({ value, violations: [] }));
}

async function* one(row: ImportRow) {
  yield [row];
}

async function imported(values: readonly unknown[], { store, ...options }: Run) {
  const rejects: { readonly value: unknown; readonly violations: readonly Violation[] }[] = [];
  const counts = await importResources(targetOf(store), inBatches(values, 100), {
    ...rules,
    onReject: ({ value }, violations) => {
      rejects.push({ value, violations });
    },
    ...options,
  });
  return { counts, rejects };
}

async function allOf(store: UserStore): Promise<User[]> {
  return plain(store).list({ where: matchAll, limit: 100_000 });
}

const withoutVersion = ({ meta: { version: _, ...meta }, ...user }: User) => ({ ...user, meta });
const withoutMeta = ({ meta: _, ...user }: User) => user;
const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1);

describe('An import of users', () => {
  it('creates missing users, and finds them unchanged the second time', async () => {
    const store = memoryStore();
    const values = Array.from({ length: 1500 }, () =>
      aUser({ roles: ['a'], attributes: { b: '1', a: '2' } }),
    );
    const first = await imported(values, { store });
    expect(first.counts).to.deep.equal({ created: 1500, changed: 0, unchanged: 0, rejected: 0 });
    expect((await allOf(store)).map(withoutMeta)).to.deep.equal(values.sort(byId).map(withoutMeta));
    const turned = values.map(({ attributes: _, ...user }) => ({ attributes: { a: '2', b: '1' }, ...user }));
    for (const again of [values, turned]) {
      const { counts } = await imported(again, { store });
      expect(counts).to.deep.equal({ created: 0, changed: 0, unchanged: 1500, rejected: 0 });
    }
  });

  it('finds users that got their ids from it again by their names', async () => {
    const store = memoryStore();
    const values = Array.from({ length: 600 }, (_, at) => ({ userName: `user-${at}` }));
    await imported(values, { store });
    const { counts } = await imported(values, { store });
    expect(counts).to.deep.equal({ created: 0, changed: 0, unchanged: 600, rejected: 0 });
  });

  it('names what is wrong with each refused row, in their order', async () => {
    const store = memoryStore();
    const there = aUser({ userName: 'there', externalId: 'same' });
    const other = aUser({ userName: 'other', externalId: 'same' });
    for (const user of [there, other]) await store.insert(Stored.of(user));
    const values = [
      { userName: 'one', title: 7, name: { givenName: 'A', x: 1 } },
      { userName: 'THERE' },
      aUser({ userName: 'Other' }),
      { userName: 'two' },
      { userName: 'TWO', title: 'x' },
      { ...there, title: 'new' },
      'nobody',
      { id: 'x'.repeat(1e6), userName: 'y'.repeat(1e6) },
    ];
    const { counts, rejects } = await imported(values, { store });
    expect(counts).to.deep.equal({ created: 1, changed: 0, unchanged: 0, rejected: 7 });
    const isThere = (member: string) =>
      `a user with this ${member} exists; if it is the same one, use --mode upsert to change it`;
    expect(rejects.map(({ violations }) => violations)).to.deep.equal([
      [
        { pointer: '/name/x', detail: 'is not known here' },
        { pointer: '/title', detail: 'must be a string' },
      ],
      [{ pointer: '/userName', detail: isThere('userName') }],
      [{ pointer: '/userName', detail: `user ${other.id} has this userName` }],
      [{ pointer: '/userName', detail: isThere('userName') }],
      [{ pointer: '/id', detail: isThere('id') }],
      [{ pointer: '', detail: 'must be an object' }],
      [
        { pointer: '/id', detail: 'must be a UUID (RFC 9562)' },
        { pointer: '/userName', detail: 'must have at most 128 characters' },
      ],
    ]);
    const byExternalId = await imported(
      [{ userName: 'x', externalId: 'same' }, { userName: 'x' }, { userName: 'x', externalId: 'no' }],
      { store, match: 'externalId', mode: 'update' },
    );
    expect(byExternalId.rejects.map(({ violations }) => violations)).to.deep.equal([
      [{ pointer: '/externalId', detail: 'several users have this externalId' }],
      [{ pointer: '/externalId', detail: 'is required: users are matched by it' }],
      [{ pointer: '/externalId', detail: 'no user has this externalId' }],
    ]);
    const nameless = await imported([{ title: 'x' }], { store, mode: 'update' });
    expect(nameless.rejects[0]?.violations).to.deep.equal([
      { pointer: '/userName', detail: 'is required: users are matched by it' },
    ]);
    const byName = await imported([aUser({ userName: 'there' })], {
      store,
      match: 'userName',
      mode: 'upsert',
    });
    expect(byName.rejects[0]?.violations).to.deep.equal([
      { pointer: '/id', detail: 'is not the id of the user with this userName' },
    ]);
  });

  it('refuses a second row about the same user in every mode, for every matching member', async () => {
    for (const mode of importModes)
      for (const match of ['id', 'userName', 'externalId']) {
        const store = memoryStore();
        const [one, other] = [aUser({ userName: 'one', externalId: 'x' }), aUser({ externalId: 'y' })];
        if (mode === 'update') for (const user of [one, other]) await store.insert(Stored.of(user));
        const values = [one, other, one, { ...one, title: 'second' }];
        const { counts, rejects } = await imported(values, {
          ...{ store, mode, match },
          nameRow: ({ value }) => `row ${1 + values.indexOf(value as User)}`,
        });
        expect(counts.rejected, `${mode} by ${match}`).to.equal(1);
        expect(rejects[0]?.violations).to.deep.equal([
          { pointer: `/${match}`, detail: `same ${match} as row 1` },
        ]);
        expect((await allOf(store)).map(({ title }) => title)).not.to.include('second');
      }
  });

  it('refuses an invalid id even for an existing user, and ignores meta', async () => {
    const store = memoryStore();
    const { id, meta: _, ...there } = aUser();
    await imported([{ ...there, id }], { store });
    const values = [
      { ...there, id: 5 },
      { ...there, id: ['x'] },
      { ...there, id: id.toUpperCase(), meta: 7 },
      { ...there, id: '' },
      { ...there, id: null, meta: {} },
      { ...there, __proto__: null, constructor: 'x' },
      JSON.parse(`{"__proto__":{"x":1},"userName":"${there.userName}"}`),
    ];
    const { counts, rejects } = await imported(values, { store });
    expect(counts).to.deep.equal({ created: 0, changed: 0, unchanged: 3, rejected: 4 });
    expect(rejects.flatMap(({ violations }) => violations.map(({ pointer }) => pointer))).to.deep.equal([
      '/id',
      '/id',
      '/constructor',
      '/__proto__',
    ]);
  });

  it('reports what a reader found wrong, without asking the store', async () => {
    const store = memoryStore();
    const violations = [{ pointer: '/emails/0', detail: 'is cut off' }];
    const rejected: unknown[] = [];
    const counts = await importResources(
      targetOf(store),
      (async function* () {
        yield [{ value: aUser(), violations }];
      })(),
      { ...rules, onReject: (_, found) => void rejected.push(found) },
    );
    expect([counts.rejected, rejected]).to.deep.equal([1, [violations]]);
    expect(await allOf(store)).to.deep.equal([]);
  });

  it('changes a user as a PUT would: members that the row lacks are removed, except active', async () => {
    const store = memoryStore();
    const user = aUser({ title: 'old', nickName: 'n', active: false });
    await store.insert(Stored.of(user));
    const { counts } = await imported([{ userName: user.userName, title: 'new' }], { store, mode: 'upsert' });
    expect(counts).to.deep.equal({ created: 0, changed: 1, unchanged: 0, rejected: 0 });
    const [after] = await allOf(store);
    expect(after).to.deep.include({ id: user.id, title: 'new', active: false });
    expect(after).not.to.have.property('nickName');
    expect(after?.meta.created).to.equal(user.meta.created);
    expect(after?.meta.version).not.to.equal(user.meta.version);
  });

  it('keeps created and lastModified when asked to, and gives a new version', async () => {
    const store = memoryStore();
    const values = Array.from({ length: 5 }, (_, at) =>
      aUser({
        meta: {
          created: `200${at}-01-01T00:00:00.000Z`,
          lastModified: `201${at}-01-01T00:00:00.000Z`,
          version: 'v',
        },
      }),
    );
    await imported(values, { store, keepMeta: true });
    const first = await allOf(store);
    expect(first.map(withoutVersion)).to.deep.equal(values.sort(byId).map(withoutVersion));
    const again = await imported(values, { store, keepMeta: true });
    expect(again.counts.unchanged).to.equal(5);
    const moved = values.map((user) => ({ ...user, meta: { lastModified: '2009-01-01T00:00:00+01:00' } }));
    expect((await imported(moved, { store })).counts.unchanged).to.equal(5);
    const third = await imported(moved, { store, keepMeta: true, mode: 'upsert' });
    expect(third.counts.changed).to.equal(5);
    const after = await allOf(store);
    for (const [at, { meta }] of after.entries()) {
      expect([meta.created, meta.lastModified]).to.deep.equal([
        first[at]?.meta.created,
        '2008-12-31T23:00:00.000Z',
      ]);
      expect(meta.version).not.to.equal(first[at]?.meta.version);
      expect(ambiguousUntil(meta)).to.be.greaterThan(Date.parse('2008-12-31T23:00:59.000Z'));
    }
  });

  it('refuses a row whose dates are invalid, or have no four-digit year in UTC', async () => {
    for (const created of ['soon', '2026-02-30T00:00:00Z', '2026-11-01', '0000-01-01T00:00:00+01:00']) {
      const user = aUser({ meta: { created, lastModified: '', version: '' } });
      const { rejects } = await imported([user], { store: memoryStore(), keepMeta: true });
      expect(rejects[0]?.violations, created).to.deep.equal([
        { pointer: '/meta/created', detail: 'must be a date and time (RFC 3339)' },
      ]);
    }
  });

  it('ends at the limit of rejects, and creates no user after the last of them', async () => {
    const values = Array.from({ length: 2000 }, (_, at) => ({
      userName: at % 100 === 99 ? 'two words' : `u${at}`,
    }));
    for (const maxRejects of [1, 7, 20, 21]) {
      const store = memoryStore();
      const { counts, rejects } = await imported(values, { store, maxRejects });
      const last = Math.min(20, maxRejects);
      expect(counts).to.deep.include({ created: last * 99, rejected: last });
      expect(rejects).to.have.length(last);
      expect(await store.count({ where: matchAll })).to.equal(last * 99);
    }
  });

  it('has counted the stored users when the handler of rejects fails', async () => {
    const store = memoryStore();
    const told: ImportCounts[] = [];
    const end = await importResources(
      targetOf(store),
      inBatches([{}, { userName: 'a' }, { userName: 'b' }], 9),
      {
        ...rules,
        onReject: () => {
          throw new Error('the disk is full');
        },
        onProgress: (counts) => told.push(counts),
      },
    ).catch(String);
    expect(end).to.include('the disk is full');
    expect(told).to.deep.equal([{ created: 2, changed: 0, unchanged: 0, rejected: 1 }]);
  });

  it('never holds more than a few batches, however quick its reader and slow its store', async () => {
    const store = memoryStore();
    let read = 0;
    let most = 0;
    let written = 0;
    async function* endlessly() {
      for (; read < 6000; read += 1) yield [{ value: { userName: `u${read}` }, violations: [] }];
    }
    const slow: VerbsTarget = {
      findAll: (asked) => store.findAll(asked),
      findAllBy: (...asked) => store.findAllBy(...asked),
      writeAll: async (writes) => {
        for (let turns = 0; turns < 200; turns += 1) await turn();
        most = Math.max(most, read - written);
        written += writes.length;
        return store.writeAll(writes);
      },
    };
    await importResources(targetOf(slow), endlessly(), { ...rules, onReject: () => {} });
    expect(written).to.equal(6000);
    expect(most)
      .to.be.at.most(2 * rowsInBatch)
      .and.at.least(rowsInBatch);
  });

  it('reports its first rows long before it has planned a whole batch', async () => {
    const users = Array.from({ length: 2000 }, (_, at) => ({ userName: `u${at}` }));
    const told: number[] = [];
    await imported(users, { store: memoryStore(), onProgress: ({ created }) => told.push(created) });
    expect(told.slice(0, 3)).to.deep.equal([16, 48, 112]);
    expect(told.at(-1)).to.equal(2000);
    expect(told).to.have.length.below(12);
  });

  it('reads no further once it has ended, and closes its reader', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield [{ value: {}, violations: [] }];
      } finally {
        isClosed = true;
      }
    }
    const counts = await importResources(targetOf(memoryStore()), endless(), {
      ...rules,
      maxRejects: 3,
      onReject: () => {},
    });
    expect([counts.rejected, isClosed]).to.deep.equal([3, true]);
  });

  it('replaces a user that another program has changed, or rejects the row if the user cannot be read', async () => {
    const { id, meta } = aUser();
    let there = new Stored<User>(JSON.stringify({ id, userName: 'x', active: 'yes', emails: 7, meta }));
    const store = memoryStore();
    const written: UserWrite[] = [];
    const target: VerbsTarget = {
      findAll: async (ids) => new Map(ids.map((one) => [one, there])),
      findAllBy: (...asked) => store.findAllBy(...asked),
      writeAll: async (writes) => {
        written.push(...writes);
        return writes.map(() => 'done' as const);
      },
    };
    const row: ImportRow = { value: { id, userName: 'x' }, violations: [] };
    const why: string[] = [];
    const run = () =>
      importResources(targetOf(target), one(row), {
        ...rules,
        mode: 'upsert',
        onReject: (_, violations) => void why.push(...violations.map(({ detail }) => detail)),
      });
    expect(await run()).to.deep.include({ changed: 1 });
    expect(written.map(({ version }) => version)).to.deep.equal([meta.version]);
    expect(written[0]?.user.value).to.deep.include({ userName: 'x', active: false });
    there = new Stored<User>(`{"id":"${id}","title":"secret"`);
    expect(await run()).to.deep.include({ rejected: 1 });
    expect(why.join()).to.include(`What is stored of ${id} can't be read`).and.not.include('secret');
  });
});
