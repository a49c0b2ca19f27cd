/** The contract of the port of the stores (src/domain/store.ts) for resources of any kind, tested with one kind. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { matchAll, matching } from '../../src/domain/find/conditions.ts';
import { parseSearch } from '../../src/domain/find/search.ts';
import type { Kind } from '../../src/domain/kinds/kind.ts';
import type { Resource } from '../../src/domain/resource/resource.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { Outcome, PageQuery, Store, StoredResource, Write } from '../../src/domain/store.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { aUser } from '../support/a-user.ts';
import { tester } from '../support/store-verbs.ts';

const codesOf = (outcomes: readonly Outcome[]): string[] =>
  outcomes.map((one) => (one instanceof DomainError ? one.code : one));
const idsOf = (all: readonly StoredResource[]): string[] => all.map(({ id }) => id);

/** @param more members besides the id and the unique name */
export function sampleOf(
  kind: Kind,
  name: string,
  more: object = {},
  id: string = randomUUID(),
): StoredResource {
  const now = new Date().toISOString();
  const meta = { created: now, lastModified: now, version: randomUUID() };
  return Stored.of({ id, [kind.unique.member]: name, ...more, meta }, kind.membership);
}

/** @param needed members that each resource of the kind must have */
export function anyKindCases(
  kind: Kind,
  open: () => Promise<{ store: Store; discard: () => Promise<void> }>,
  needed: object = {},
): void {
  let store: Store;
  let discard: () => Promise<void>;
  beforeEach(async () => {
    ({ store, discard } = await open());
  });
  afterEach(() => discard());

  const { name, unique } = kind;
  const make = (title: string, id?: string) => sampleOf(kind, title, needed, id);
  const create = (next: StoredResource): Write => ({ kind: name, id: next.id, op: 'create', next });
  const replace = (before: StoredResource, next: StoredResource): Write => ({
    ...{ kind: name, id: next.id, op: 'replace' },
    ...{ before, next },
  });
  const remove = (before: StoredResource): Write => ({ kind: name, id: before.id, op: 'remove', before });
  const commit = async (...writes: Write[]) => codesOf(await store.commit(writes, tester));
  const page = (query: Partial<PageQuery> = {}) =>
    store.page(name, { where: matchAll, limit: 100, ...query });

  for (const map of kind.maps)
    it(`keeps the names in ${map} in its history until it is erased; then only ${map} remains`, async () => {
      const before = sampleOf(kind, 'one', { ...needed, [map.slice(1)]: { anxiety: 'x', kept: 'z' } });
      const notes = { [map.slice(1)]: { depression: 'y', kept: 'z' } };
      const next = sampleOf(kind, 'two', { ...needed, ...notes }, before.id);
      expect(await commit(create(before))).to.deep.equal(['done']);
      expect(await commit(replace(before, next))).to.deep.equal(['done']);
      const changedThen = async () =>
        (await store.changes?.history(10, undefined, { kind: name, id: before.id }))?.entries.map(
          ({ changed }) => changed,
        );
      const pointers = [`/${unique.member}`, `${map}/anxiety`, `${map}/depression`];
      expect(await changedThen()).to.deep.equal([pointers, undefined]);
      expect(await commit({ ...remove(next), erase: true } as Write)).to.deep.equal(['done']);
      expect(await changedThen()).to.deep.equal([undefined, [`/${unique.member}`, map], undefined]);
      expect(await store.changes?.erase({ kind: name, id: before.id })).to.equal(false);
    });

  it('creates, finds, replaces and removes resources, and compares versions', async () => {
    const one = make('one');
    expect(await commit(create(one))).to.deep.equal(['done']);
    expect((await store.find(name, one.id))?.text).to.equal(one.text);
    const next = make('two', one.id);
    expect(await commit(replace(make('x', one.id), next))).to.deep.equal(['stale']);
    expect(await commit(replace(one, next))).to.deep.equal(['done']);
    expect(await commit(remove(one))).to.deep.equal(['stale']);
    expect((await store.findAll(name, [one.id, randomUUID()])).size).to.equal(1);
    expect(await commit(remove(next))).to.deep.equal(['done']);
    expect(await store.find(name, one.id)).to.equal(undefined);
  });

  it('refuses a taken id and a taken name for each write of a commit separately', async () => {
    const [one, two] = [make('one'), make('two')];
    const outcomes = await commit(create(one), create(two), create(make('ONE')));
    expect(outcomes).to.deep.equal(['done', 'done', unique.taken]);
    expect(await commit(create(make('three', one.id)))).to.deep.equal(['id-taken']);
    const renamed = replace(two, make('One', two.id));
    expect(await commit(create(make('four')), renamed)).to.deep.equal(['done', unique.taken]);
    expect((await page({ total: 'exact' })).total).to.equal(3);
  });

  if (kind.members === 'user')
    it('finds which users are members, and counts on from the revision of a copy', async () => {
      const [one, other] = [aUser({ userName: 'one' }), aUser({ userName: 'other' })];
      const users = [one, other].map((user) => Stored.of(user));
      for (const next of users)
        await store.commit([{ kind: 'user', id: next.id, op: 'create', next }], tester);
      const copy = new Stored<Resource>(make('copied').text, { memberCount: 2, revision: 7 });
      expect(await commit(create(copy))).to.deep.equal(['done']);
      const membership = async () => (await store.find(name, copy.id))?.membership;
      expect(await membership()).to.deep.equal({ memberCount: 0, revision: 7 });
      const change = { add: [one.id], remove: [] };
      expect(await commit({ kind: name, id: copy.id, op: 'members', change })).to.deep.equal(['done']);
      expect(await membership()).to.deep.equal({ memberCount: 1, revision: 8 });
      const asked = [...idsOf(users), randomUUID()];
      expect([...(await store.findMembers(copy.id, asked))]).to.deep.equal([one.id]);
      expect((await store.findMembers(randomUUID(), asked)).size).to.equal(0);
      expect((await store.findMembers(copy.id, [])).size).to.equal(0);
    });

  it('finds resources by name and by words', async () => {
    const all = ['alpha beta', 'beta gamma', 'gamma delta'].map((title) => make(title));
    await commit(...all.map(create));
    const found = await store.findAllBy(name, unique.member, [unique.map('Beta Gamma'), 'none'], 2);
    expect([...found].map(([key, those]) => [key, idsOf(those)])).to.deep.equal([
      [unique.map('Beta Gamma'), [all[1]?.id]],
    ]);
    const terms = parseSearch('gam');
    const { items, total } = await page({
      where: matching({}, typeof terms === 'string' ? [] : terms),
      total: 'exact',
    });
    expect([idsOf(items).sort(), total]).to.deep.equal([idsOf(all.slice(1)).sort(), 2]);
  });

  it('counts the matches of a filter on any page, whether or not they all fit into it', async () => {
    const filter = kind.filters.externalId === undefined ? 'label' : 'externalId';
    const all = ['a', 'b', 'c', 'd'].map((title) =>
      sampleOf(kind, title, { ...needed, [filter]: title === 'd' ? 'other' : 'same' }),
    );
    await commit(...all.map(create));
    const asked = { where: matching({ [filter]: 'same' }), total: 'exact' } as const;
    const ids = idsOf(all.slice(0, 3)).sort();
    for (const limit of [0, 1, 2, 3, 4])
      for (const skip of [0, 1, 3, 4]) {
        const { items, more, total } = await page({ ...asked, limit, skip });
        expect([idsOf(items), total]).to.deep.equal([ids.slice(skip, skip + limit), 3]);
        if (limit > 0) expect(more).to.equal(skip + limit < 3);
      }
    const behind = await page({ ...asked, limit: 3, after: { id: ids[1] ?? '' } });
    expect([idsOf(behind.items), behind.total]).to.deep.equal([ids.slice(2), 3]);
    const short = await page({ ...asked, limit: 3, maxLength: 1 });
    expect([short.items.length, short.rest, short.total]).to.deep.equal([1, ids.slice(1), 3]);
    const none = await page({ ...asked, where: matching({ [filter]: 'none' }) });
    expect([none.items.length, none.total]).to.deep.equal([0, 0]);
  });

  it('lists resources in order, page by page, with the places of both ends', async () => {
    const titles = ['d', 'b', 'a', 'c', 'e'];
    await commit(...titles.map((title) => create(make(title))));
    const sort = { by: unique.member };
    const nameIn = ({ value }: StoredResource) => String(Reflect.get(value, unique.member));
    const first = await page({ sort, limit: 2, total: 'exact' });
    expect([first.items.map(nameIn), first.more, first.total]).to.deep.equal([['a', 'b'], true, 5]);
    const second = await page({ sort, limit: 2, after: first.last });
    expect(second.items.map(nameIn)).to.deep.equal(['c', 'd']);
    const last = await page({ sort, limit: 2, after: second.last });
    expect([last.items.map(nameIn), last.more]).to.deep.equal([['e'], false]);
    const back = await page({ sort, limit: 2, before: last.first });
    expect([back.items.map(nameIn), back.more]).to.deep.equal([['c', 'd'], true]);
    const end = await page({ sort: { ...sort, descending: true }, limit: 1, before: 'end' });
    expect(end.items.map(nameIn)).to.deep.equal(['a']);
    const short = await page({ sort, limit: 4, maxLength: 1 });
    expect([short.items.map(nameIn), short.rest?.length, short.last?.key]).to.deep.equal([['a'], 3, 'd']);
  });

  it('keeps resources apart from those of other kinds with the same id or name', async () => {
    const one = make('one');
    await commit(create(one));
    const other = name === 'group' ? 'user' : 'group';
    expect(await store.find(other, one.id)).to.equal(undefined);
    expect((await store.page(other, { where: matchAll, limit: 1 })).items).to.deep.equal([]);
  });
}
