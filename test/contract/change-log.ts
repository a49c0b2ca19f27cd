/** The contract of the port of the change log (src/domain/changes/log.ts), which the port of the stores writes. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type Entry, maxIds } from '../../src/domain/changes/change.ts';
import {
  type ChangeLog,
  type Cursor,
  type Retention,
  readHistory,
  type Start,
} from '../../src/domain/changes/log.ts';
import type { GroupDocument } from '../../src/domain/kinds/group/kind.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Resource } from '../../src/domain/resource/resource.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { Actor, MembersChange, Outcome, Store, StoredResource, Write } from '../../src/domain/store.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { aGroup, changedGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { follow } from '../support/logged-writes.ts';
import { tester } from '../support/store-verbs.ts';
import { outcome } from './refusals.ts';
import type { ContractUi } from './user-store.ts';

export interface OpenedLog {
  readonly store: Store;
  /** Another store on the same data; left out if the store doesn't persist. */
  readonly reopen?: () => Promise<Store>;
  /** Dates the last entries; left out if the store writes in this thread, by `Date.now`. */
  readonly date?: (count: number, at: number) => void;
  readonly discard?: () => Promise<void>;
}

const codeOf = (outcome: Outcome | undefined): string | undefined =>
  outcome instanceof DomainError ? outcome.code : outcome;

export const createUser = (user: User, kind = 'user'): Write => ({
  ...{ kind, id: user.id, op: 'create' },
  next: Stored.of<Resource>(user),
});
export const replaceUser = (before: User, next: User): Write => ({
  ...{ kind: 'user', id: next.id, op: 'replace' },
  ...{ before: Stored.of<Resource>(before), next: Stored.of<Resource>(next) },
});
export const removeUser = (before: User, erase = false): Write => ({
  ...{ kind: 'user', id: before.id, op: 'remove', before: Stored.of<Resource>(before) },
  ...(erase && { erase }),
});
export const createGroup = (group: Stored<GroupDocument>, members?: readonly string[]): Write => ({
  ...{ kind: 'group', id: group.id, op: 'create' },
  ...{ next: group as StoredResource, members },
});
export const replaceGroup = (before: Stored<GroupDocument>, next: Stored<GroupDocument>): Write => ({
  ...{ kind: 'group', id: next.id, op: 'replace' },
  ...{ before: before as StoredResource, next: next as StoredResource },
});
export const removeGroup = (before: Stored<GroupDocument>, erase = false): Write => ({
  ...{ kind: 'group', id: before.id, op: 'remove', before: before as StoredResource },
  ...(erase && { erase }),
});
export const changeMembers = (group: string, change: Partial<MembersChange>): Write => ({
  ...{ kind: 'group', id: group, op: 'members' },
  change: { add: [], remove: [], ...change },
});

/** The entry without its place and time. */
export const contentOf = ({ number, mark, at, ...content }: Entry) => content;

/** The entry as in the feed. */
export const withoutValues = ({ values, ...entry }: Entry): Entry => entry;

const refusal = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'read',
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );

const never = { feedFrom: 0, historyFrom: 0, maxBytes: Number.MAX_SAFE_INTEGER };
const day = 24 * 60 * 60 * 1000;

export async function pruneAll(log: ChangeLog, retention: Partial<Retention>): Promise<void> {
  while (await log.prune({ now: Date.now(), ...never, ...retention }));
}

/** @param open makes a store on new data @param ui gets the cases; mocha's running suite by default */
export function changeLogCases(
  open: () => Promise<OpenedLog>,
  ui: Omit<ContractUi, 'describe' | 'after'> = globalThis,
): void {
  let opened: OpenedLog;
  let store: Store;
  let log: ChangeLog;
  ui.beforeEach(async () => {
    opened = await open();
    ({ store } = opened);
    log = store.changes as ChangeLog;
  });
  ui.afterEach(async () => {
    await store.close();
    await opened.discard?.();
  });

  const commit = async (...writes: readonly Write[]): Promise<readonly (string | undefined)[]> =>
    (await store.commit(writes, tester)).map(codeOf);
  const all = (): Promise<Entry[]> => follow(log, 'start');
  const history = async (kind: string, id: string): Promise<readonly Entry[]> =>
    (await log.history(20, undefined, { kind, id })).entries;
  const now = async (): Promise<Cursor> => (await log.read('now', 1)).end;
  const users = async (count: number): Promise<string[]> => {
    const made = Array.from({ length: count }, () => aUser());
    for (let from = 0; from < count; from += 250)
      await store.commit(
        made.slice(from, from + 250).map((user) => createUser(user)),
        tester,
      );
    return made.map(({ id }) => id);
  };

  ui.it('has an entry for each write, with what it changed, in order', async () => {
    const by: Actor = {
      client: 'hr-sync',
      person: { issuer: 'https://id.example.org', subject: 'ada' },
      ...{ via: 'scim', request: 'r-1' },
    };
    const user = aUser({ title: 'Analyst', name: { givenName: 'Ada', familyName: 'L' }, roles: ['a', 'b'] });
    const { title, ...untitled } = user;
    const next = changed(untitled, { name: { givenName: 'Ada', familyName: 'Lovelace' }, roles: ['b'] });
    const began = Date.now();
    for (const write of [createUser(user), replaceUser(user, next), removeUser(next)])
      expect((await store.commit([write], by)).map(codeOf)).to.deep.equal(['done']);
    const { id, meta, ...content } = user;
    const entries = (await history('user', id)).toReversed();
    const { id: _, meta: __, ...last } = next;
    const label = user.userName;
    expect(entries.map(contentOf)).to.deep.equal([
      { type: 'user.created', id, version: meta.version, values: { label, after: content }, by },
      {
        ...{ type: 'user.updated', id, version: next.meta.version, by },
        changed: ['/name/familyName', '/title', '/roles'],
        values: {
          label,
          before: { title, name: { familyName: 'L' }, roles: ['a', 'b'] },
          after: { name: { familyName: 'Lovelace' }, roles: ['b'] },
        },
      },
      {
        ...{ type: 'user.deleted', id, by },
        values: { label, before: last, kept: { meta: next.meta }, memberships: [] },
      },
    ]);
    expect(await all(), 'without values').to.deep.equal(entries.map(withoutValues));
    const numbers = entries.map(({ number }) => number);
    expect(numbers).to.deep.equal([...numbers].sort((one, other) => one - other));
    for (const { at } of entries) expect(at).to.be.within(began - 1, Date.now() + 1);
  });

  ui.it('has no entry for a write that was refused or came too late', async () => {
    const [user, other] = [aUser(), aUser()];
    await commit(createUser(user), createUser(other));
    const before = await log.latest();
    const outcomes = [
      await commit(createUser(user)),
      await commit(createUser(aUser({ userName: user.userName }))),
      await commit(replaceUser(aUser({ id: user.id }), changed(user))),
      await commit(replaceUser(user, changed(user, { userName: other.userName }))),
      await commit(removeUser(aUser())),
      await commit(changeMembers(randomUUID(), { add: [user.id] })),
      await commit(createGroup(aGroup(), [randomUUID()])),
    ].flat();
    expect(outcomes).to.deep.equal([
      ...['id-taken', 'user-name-taken', 'stale', 'user-name-taken', 'stale', 'stale', 'invalid-members'],
    ]);
    expect(await all()).to.have.length(2);
    expect(await log.latest()).to.equal(before);
  });

  ui.it('has an entry for each write of a commit that succeeded, and none for the others', async () => {
    const [one, two, three] = [aUser(), aUser(), aUser()];
    await commit(createUser(two));
    const since = await now();
    expect(await commit(createUser(one), createUser(two), createUser(three))).to.deep.equal([
      ...['done', 'id-taken', 'done'],
    ]);
    const entries = await follow(log, since);
    expect(entries.map(({ id }) => id).sort()).to.deep.equal([one.id, three.id].sort());
  });

  ui.it('names exactly the members that a group has gained and lost', async () => {
    const [a = '', b = '', c = '', d = ''] = await users(4);
    const group = aGroup();
    const since = await now();
    await commit(createGroup(group, [a, b]));
    await commit(changeMembers(group.id, { add: [b, c], remove: [a, d] }));
    await commit(changeMembers(group.id, { add: [b, c], remove: [d] }));
    await commit(changeMembers(group.id, { isWhole: true, add: [d, b] }));
    const next = changedGroup(group, { displayName: `${group.value.displayName} too` });
    const { version } = group.meta;
    const write: Write = {
      ...{ kind: 'group', id: group.id, op: 'replace', members: { add: [a], remove: [d] } },
      ...{ before: group as StoredResource, next: next as StoredResource },
    };
    expect(await commit(write)).to.deep.equal(['done']);
    const found = await follow(log, since);
    const sorted = found.map(({ type, version: after, added, removed, whole, changed: pointers }) => ({
      ...{ type, version: after, added: added && [...added].sort(), removed, whole, pointers },
    }));
    const none = { added: undefined, removed: undefined, whole: undefined, pointers: undefined };
    const members = { ...none, type: 'group.members-changed' };
    const last = (await store.find('group', group.id))?.version;
    expect(sorted).to.deep.equal([
      { ...none, type: 'group.created', version: `${version}.0` },
      { ...members, version: `${version}.0`, added: [a, b].sort() },
      { ...members, version: `${version}.1`, added: [c], removed: [a] },
      { ...members, version: `${version}.2`, added: [b, d].sort(), whole: true },
      { ...none, type: 'group.updated', version: last, pointers: ['/displayName'] },
      { ...members, version: last, added: [a], removed: [d] },
    ]);
  });

  ui.it('divides a large change of members into consecutive entries', async () => {
    const members = await users(maxIds * 2 + 5);
    const group = aGroup();
    await commit(createGroup(group));
    const since = await now();
    await commit(changeMembers(group.id, { add: members }));
    await commit(changeMembers(group.id, { isWhole: true, add: members.slice(0, maxIds + 1) }));
    const entries = await follow(log, since);
    const counts = entries.map(({ added = [], whole = false }) => [added.length, whole]);
    expect(counts).to.deep.equal([
      ...[
        [maxIds, false],
        [maxIds, false],
        [5, false],
      ],
      ...[
        [maxIds, true],
        [1, false],
      ],
    ]);
    const firsts = entries.slice(0, 3).flatMap(({ added = [] }) => added);
    expect(firsts.sort()).to.deep.equal(members.sort());
  });

  ui.it('gives a follower each entry once, in the order of the commits, while many write', async () => {
    const expected = new Map<string, string[]>();
    let isOver = false;
    const following = (async () => {
      const seen: Entry[] = [];
      for (let start: Start = 'start'; ; ) {
        const wasOver = isOver;
        const { entries, end, more } = await log.read(start, 7);
        seen.push(...entries);
        start = end;
        if (wasOver && !more) return seen;
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const other = (await opened.reopen?.()) ?? store;
    const writer = async (_: unknown, at: number): Promise<void> => {
      const through = at % 2 === 0 ? store : other;
      const commit = async (write: Write) => (await through.commit([write], tester)).map(codeOf);
      let user = aUser();
      const versions = [user.meta.version];
      expected.set(user.id, versions);
      await commit(createUser(user));
      for (let count = 0; count < 5; count += 1) {
        const next = changed(user, { title: `Title ${count}` });
        expect(await commit(replaceUser(user, next))).to.deep.equal(['done']);
        versions.push(next.meta.version);
        user = next;
      }
    };
    await Promise.all(Array.from({ length: 20 }, writer));
    isOver = true;
    const seen = await following;
    if (other !== store) await other.close();
    const versions = Map.groupBy(seen, ({ id }) => id);
    for (const [id, own] of expected)
      expect(versions.get(id)?.map(({ version }) => version)).to.deep.equal(own);
    expect(seen).to.have.length(120);
    const numbers = seen.map(({ number }) => number);
    expect(numbers).to.deep.equal([...new Set(numbers)].sort((one, other) => one - other));
  });

  ui.it('shows an entry to each read that follows the answer to its write', async () => {
    const other = (await opened.reopen?.()) ?? store;
    const reading = other.changes as ChangeLog;
    for (let count = 0; count < 10; count += 1) {
      const { end } = await reading.read('now', 1);
      const user = aUser();
      await commit(createUser(user));
      expect(await reading.latest()).to.be.above(end.number);
      expect((await follow(reading, end)).map(({ id }) => id)).to.deep.equal([user.id]);
    }
    if (other !== store) await other.close();
  });

  ui.it('has the same order in all stores over the same data, whichever of them writes', async () => {
    const other = await opened.reopen?.();
    if (other === undefined) return;
    const versions = new Map<string, string[]>();
    const writer = async (): Promise<void> => {
      let user = aUser();
      const own = [user.meta.version];
      versions.set(user.id, own);
      await store.commit([createUser(user)], tester);
      for (let count = 0; count < 4; count += 1) {
        const next = changed(user, { title: `Title ${count}` });
        const through = count % 2 === 0 ? other : store;
        expect(await through.commit([replaceUser(user, next)], tester)).to.deep.equal(['done']);
        own.push(next.meta.version);
        user = next;
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    const entries = await all();
    expect(await follow(other.changes as ChangeLog, 'start', 7)).to.deep.equal(entries);
    expect(entries).to.have.length(40);
    const found = Map.groupBy(entries, ({ id }) => id);
    for (const [id, own] of versions) expect(found.get(id)?.map(({ version }) => version)).to.deep.equal(own);
    await other.close();
  });

  ui.it('begins at the first entry or after the last one, and continues from any cursor', async () => {
    const empty = await now();
    expect(await follow(log, empty)).to.deep.equal([]);
    const ids = await users(5);
    const entries = await all();
    expect(entries.map(({ id }) => id)).to.have.members(ids);
    expect(await follow(log, empty)).to.deep.equal(entries);
    expect(await follow(log, await now())).to.deep.equal([]);
    const { line } = empty;
    for (const [at, { number, mark }] of entries.entries())
      expect(await follow(log, { line, number, mark }, 2)).to.deep.equal(entries.slice(at + 1));
  });

  ui.it('refuses cursors of another log, of unknown entries, and beyond its end', async () => {
    await users(3);
    const end = await now();
    for (const foreign of [
      { ...end, line: 'elsewhere' },
      { ...end, mark: 'another' },
      { ...end, number: end.number - 1, mark: 'another' },
      { ...end, number: end.number + 1 },
      { ...end, number: 0, mark: 'another' },
    ])
      expect(await refusal(log.read(foreign, 5)), JSON.stringify(foreign)).to.equal('cursor-foreign');
    const user = aUser();
    await commit(createUser(user));
    expect(await follow(log, end)).to.have.length(1);
  });

  ui.it('keeps its entries when it is opened again', async () => {
    const reopened = await opened.reopen?.();
    if (reopened === undefined) return;
    const since = await now();
    const ids = await users(3);
    const again = reopened.changes as ChangeLog;
    expect((await follow(again, since)).map(({ id }) => id)).to.have.members(ids);
    expect((await again.read('now', 1)).end).to.deep.equal(await now());
    await reopened.close();
  });

  ui.it('has the history of each resource, the newest entry first, even of deleted ones', async () => {
    const [user, other] = [aUser(), aUser()];
    const twin = aGroup({ id: user.id });
    await commit(createUser(user), createUser(other));
    await commit(createGroup(twin));
    let current = user;
    for (let count = 0; count < 6; count += 1) {
      const next = changed(current, { title: `Title ${count}` });
      await commit(replaceUser(current, next), replaceUser(other, changed(other)));
      current = next;
    }
    await commit(removeUser(current));
    const own = (await all()).filter(({ id, type }) => id === user.id && type.startsWith('user.')).reverse();
    expect(own).to.have.length(8);
    const first = await log.history(3, undefined, { kind: 'user', id: user.id });
    expect([first.entries.map(withoutValues), first.more, first.end.line]).to.deep.equal([
      own.slice(0, 3),
      true,
      (await now()).line,
    ]);
    const rest = await log.history(10, first.end, { kind: 'user', id: user.id });
    expect([rest.entries.map(withoutValues), rest.more]).to.deep.equal([own.slice(3), false]);
    const titles = [...first.entries, ...rest.entries].map(({ values }) => values?.after ?? {});
    expect(titles.slice(1, -1)).to.deep.equal(
      [5, 4, 3, 2, 1, 0].map((count) => ({ title: `Title ${count}` })),
    );
    expect((await history('group', user.id)).map(({ type }) => type)).to.deep.equal(['group.created']);
    expect(await history('user', randomUUID())).to.deep.equal([]);
  });

  ui.it('ends an empty history at the end of the log, from which both directions go on', async () => {
    const subject = { kind: 'user', id: randomUUID() };
    const first = await log.history(10);
    await commit(createUser(aUser()));
    const second = await log.history(10, undefined, subject);
    for (const { entries, more } of [first, second]) expect([entries, more]).to.deep.equal([[], false]);
    await commit(createUser(aUser({ id: subject.id })));
    expect((await log.history(10, first.end)).entries).to.deep.equal([]);
    expect((await log.history(10, second.end, subject)).entries).to.deep.equal([]);
    expect(await follow(log, first.end)).to.have.length(2);
    expect(await follow(log, second.end)).to.have.length(1);
  });

  ui.it('has the history of all resources, the newest entry first, page by page', async () => {
    await users(3);
    await commit(createGroup(aGroup(), await users(2)));
    const [last] = await users(1);
    const newestFirst = (await all()).reverse();
    expect(newestFirst[0]?.id).to.equal(last);
    const met: Entry[] = [];
    for (let before: Cursor | undefined; ; ) {
      const { entries, end, more } = await log.history(3, before);
      met.push(...entries.map(withoutValues));
      before = end;
      if (!more) break;
    }
    expect(met).to.deep.equal(newestFirst);
    const { line, number, mark } = await now();
    const older = (await log.history(10, { line, number, mark })).entries.map(withoutValues);
    expect(older).to.deep.equal(newestFirst.slice(1));
    expect(await refusal(log.history(1, { line: 'elsewhere', number, mark }))).to.equal('cursor-foreign');
  });

  ui.it('has the entries of some requests, the newest first, page by page', async () => {
    const [one, other, third] = [randomUUID(), randomUUID(), randomUUID()] as const;
    const made: string[] = [];
    for (const request of [one, other, one, third, undefined, one]) {
      const [user, next] = [aUser(), aUser()];
      await store.commit([createUser(user), createUser(next)], { ...tester, ...(request && { request }) });
      if (request === one || request === third) made.unshift(next.id, user.id);
    }
    const of = { requests: new Set<string>([third, one, randomUUID()]) };
    const met: Entry[] = [];
    for (let before: Cursor | undefined; ; ) {
      const { entries, end, more } = await log.history(3, before, of);
      met.push(...entries);
      before = end;
      if (!more) break;
    }
    expect(met.map(({ id }) => id)).to.deep.equal(made);
    expect(met.every(({ values, by }) => values && by.request && of.requests.has(by.request))).to.equal(true);
    const none = await log.history(3, undefined, { requests: new Set([randomUUID()]) });
    expect([none.entries, none.more]).to.deep.equal([[], false]);
  });

  ui.it('has short pages of large entries, and skips none', async () => {
    const large = Array.from({ length: 12 }, () => aUser({ attributes: { note: 'x'.repeat(200_000) } }));
    for (const user of large) await commit(createUser(user));
    const group = aGroup();
    await commit(createGroup(group, await users(1)));
    const { entries, more } = await log.history(1_000);
    // A store that doesn't persist keeps everything in memory anyway.
    if (opened.reopen) expect([entries.length < 12, more]).to.deep.equal([true, true]);
    const met: string[] = [];
    for await (const page of readHistory(log)) met.push(...page.entries.map(({ id }) => id));
    expect(met.slice(-12).reverse()).to.deep.equal(large.map(({ id }) => id));
    expect(met).to.have.length(15);
    expect((await all()).map(({ id }) => id)).to.deep.equal(met.reverse());
  });

  ui.it('has the entries older than any number, also one that no entry has', async () => {
    await users(3);
    const { entries, end } = await log.history(1_000);
    const last = entries[0]?.number ?? 0;
    for (const number of [0, 1, last - 1, last, last + 1, last + 1_000]) {
      const [newest] = (await log.history(1, { ...end, number, mark: '' })).entries;
      expect(newest?.id).to.equal(entries.find((entry) => entry.number < number)?.id);
    }
  });

  ui.it('lets entries expire by age: cursors before them are refused, and all others continue', async () => {
    const early = await now();
    await users(3);
    const middle = await now();
    await pruneAll(log, { feedFrom: Date.now() + 60_000 });
    expect(await refusal(log.read(early, 5))).to.equal('cursor-expired');
    expect(await all(), 'the feed is empty').to.deep.equal([]);
    expect(await follow(log, middle), 'a follower that is up to date never expires').to.deep.equal([]);
    const [id] = await users(1);
    expect((await follow(log, middle)).map((entry) => entry.id)).to.deep.equal([id]);
    expect(await refusal(log.read({ ...middle, mark: 'another' }, 5))).to.equal('cursor-foreign');
  });

  ui.it('refuses cursors before expired entries, even if the clocks of writers differ', async () => {
    const { now: clock } = Date;
    const since = await now();
    // If the store writes in this thread.
    Date.now = () => clock() + 120_000;
    const [ahead] = await users(1);
    Date.now = clock;
    const middle = await now();
    const [behind] = await users(1);
    await pruneAll(log, { feedFrom: clock() + 60_000, historyFrom: clock() + 60_000 });
    for (const [place, ids] of [
      [since, [ahead, behind]],
      [middle, [behind]],
    ] as const) {
      const met = await outcome(follow(log, place));
      expect(typeof met === 'string' ? met : met.map(({ id }) => id)).to.be.deep.oneOf([
        'cursor-expired',
        ids,
      ]);
    }
  });

  /** @param ahead in ms: how far the clock is ahead */
  const usersAt = async (ahead: number, count: number): Promise<string[]> => {
    const { now: clock } = Date;
    const at = clock() + ahead;
    Date.now = () => at;
    try {
      return await users(count);
    } finally {
      Date.now = clock;
      opened.date?.(count, at);
    }
  };

  for (const [days, count] of [
    [20, 1],
    [365, 1],
    [365, 1_100],
  ] as const)
    ui.it(
      `lets entries expire that follow ${count} from a clock that was ahead by ${days} days`,
      async () => {
        const since = await now();
        await usersAt(days * day, count);
        const [old] = await users(3);
        const later = Date.now() + 31 * day;
        const retention = { now: later, feedFrom: later - 30 * day };
        await pruneAll(log, retention);
        expect(await refusal(log.read(since, 5))).to.equal('cursor-expired');
        expect(await all(), 'the feed').to.deep.equal([]);
        expect(await history('user', old ?? '')).to.have.length(1);
        await pruneAll(log, { ...retention, historyFrom: retention.feedFrom });
        expect((await log.history(5)).entries).to.deep.equal([]);
      },
    );

  ui.it('keeps entries that precede one from a clock that was behind', async () => {
    await users(2);
    const [behind] = await usersAt(-365 * day, 1);
    const [last] = await users(1);
    const from = Date.now() - 30 * day;
    await pruneAll(log, { feedFrom: from, historyFrom: from });
    const ids = (await all()).map(({ id }) => id);
    expect(ids.slice(-2)).to.deep.equal([behind, last]);
    expect(ids).to.have.length(4);
  });

  ui.it('keeps histories for longer than the feed', async () => {
    const user = aUser();
    await commit(createUser(user));
    await pruneAll(log, { feedFrom: Date.now() + 60_000, historyFrom: 0 });
    expect(await all()).to.deep.equal([]);
    expect((await log.history(5)).entries).to.have.length(1);
    expect(await history('user', user.id)).to.have.length(1);
    await pruneAll(log, { feedFrom: Date.now() + 60_000, historyFrom: Date.now() + 60_000 });
    expect(await history('user', user.id)).to.deep.equal([]);
  });

  ui.it('keeps the newest entries, up to the given number of bytes', async () => {
    await users(40);
    const entries = await all();
    await pruneAll(log, { maxBytes: 6_000 });
    const kept = await all();
    expect(kept.length).to.be.within(5, 35);
    expect(kept).to.deep.equal(entries.slice(-kept.length));
    await pruneAll(log, { maxBytes: 6_000 });
    expect(await all()).to.deep.equal(kept);
  });

  ui.it('counts bytes where a character has several', async () => {
    const title = '社'.repeat(500);
    for (let count = 0; count < 20; count += 1) await commit(createUser(aUser({ title })));
    await pruneAll(log, { maxBytes: 20_000 });
    expect(await all()).to.have.length.within(5, 20_000 / Buffer.byteLength(title));
  });

  ui.it('erases all values of a user, and keeps the members, time and author of each change', async () => {
    const [user, other] = [aUser({ title: 'Countess' }), aUser({ title: 'Admiral' })];
    const next = changed(user, { title: 'Programmer' });
    await commit(createUser(user), createUser(other));
    await commit(replaceUser(user, next));
    expect(await commit(removeUser(next, true))).to.deep.equal(['done']);
    const entries = await history('user', user.id);
    expect(entries.map(({ type, values }) => [type, values])).to.deep.equal([
      ...[
        ['user.deleted', undefined],
        ['user.updated', undefined],
        ['user.created', undefined],
      ],
    ]);
    expect(entries[1]?.changed).to.deep.equal(['/title']);
    expect((await history('user', other.id))[0]?.values?.label).to.equal(other.userName);
  });

  ui.it('erases the values of a deleted user once, and no others', async () => {
    const [user, other] = [aUser(), aUser()];
    await commit(createUser(user), createUser(other));
    await commit(removeUser(user));
    const before = await all();
    const subject = (id: string) => ({ kind: 'user', id });
    expect(await log.erase(subject(user.id))).to.equal(true);
    expect((await history('user', user.id)).map(({ type, values }) => [type, values])).to.deep.equal([
      ['user.deleted', undefined],
      ['user.created', undefined],
    ]);
    expect((await history('user', other.id))[0]?.values?.label).to.equal(other.userName);
    expect(await all()).to.deep.equal(before);
    for (const id of [user.id, randomUUID()]) expect(await log.erase(subject(id))).to.equal(false);
  });

  ui.it('erases the names of attributes with their values, even of a deleted user', async () => {
    const [user, deleted] = [aUser({ attributes: { gone: 'x' } }), aUser()];
    const next = changed(user, {
      title: 'Countess',
      attributes: { 'hiv-positive': 'yes', 'second-job': 'x' },
    });
    const later = changed(deleted, { attributes: { 'hiv-positive': 'yes' } });
    await commit(createUser(user), createUser(deleted));
    await commit(replaceUser(user, next), replaceUser(deleted, later));
    await commit(removeUser(later));
    expect((await history('user', user.id))[0]?.changed, 'before').to.have.members([
      ...['/title', '/attributes/gone', '/attributes/hiv-positive', '/attributes/second-job'],
    ]);
    await commit(removeUser(next, true));
    expect(await log.erase({ kind: 'user', id: deleted.id })).to.equal(true);
    expect((await history('user', user.id))[1]?.changed).to.have.members(['/title', '/attributes']);
    expect((await history('user', deleted.id))[1]?.changed).to.deep.equal(['/attributes']);
    expect(await log.erase({ kind: 'user', id: deleted.id })).to.equal(false);
  });

  ui.it('erases once what was written by a client that has the name of an attribute', async () => {
    const user = aUser();
    const next = changed(user, { attributes: { 'second-job': 'x' } });
    const client = '/attributes/second-job';
    for (const write of [createUser(user), replaceUser(user, next), removeUser(next)])
      await store.commit([write], { client, via: 'test' });
    const subject = { kind: 'user', id: user.id };
    expect([await log.erase(subject), await log.erase(subject)]).to.deep.equal([true, false]);
    expect((await history('user', user.id)).map(({ by }) => by.client)).to.deep.equal([
      client,
      client,
      client,
    ]);
  });

  ui.it('erases all values of a group, deleted or not, and keeps its members', async () => {
    const [member = ''] = await users(1);
    const [group, other] = [aGroup({ description: 'Divorces' }), aGroup({ description: 'Illnesses' })];
    const next = changedGroup(group, { description: 'Weddings' });
    await commit(createGroup(group, [member]));
    await commit(createGroup(other));
    await commit(replaceGroup(group, next));
    expect(await commit(removeGroup(next, true), removeGroup(other))).to.deep.equal(['done', 'done']);
    expect(await log.erase({ kind: 'group', id: other.id })).to.equal(true);
    expect(await log.erase({ kind: 'group', id: other.id })).to.equal(false);
    expect(
      (await history('group', group.id)).map(({ type, values, added }) => [type, values, added]),
    ).to.deep.equal([
      ['group.deleted', undefined, undefined],
      ['group.updated', undefined, undefined],
      ['group.members-changed', undefined, [member]],
      ['group.created', undefined, undefined],
    ]);
    for (const { values } of await history('group', other.id)) expect(values).to.equal(undefined);
    const own = (await history('user', member)).find(({ type }) => type === 'user.created');
    expect(own?.values?.label).to.be.a('string');
  });

  ui.it('reports how many entries were written, its size, and the time of the oldest entry', async () => {
    expect(await log.measure()).to.deep.include({ last: await log.latest(), oldest: undefined });
    const began = Date.now();
    await users(20);
    const { bytes = 0, ...full } = await log.measure();
    const [first] = await all();
    expect([full.last, full.oldest]).to.deep.equal([await log.latest(), first?.at]);
    expect(full.oldest).to.be.within(began, Date.now());
    expect(bytes).to.be.within(20 * 100, 20 * 1_000);
    await pruneAll(log, { maxBytes: bytes / 2 });
    const half = await log.measure();
    expect(half.last).to.equal(full.last);
    expect(half.bytes).to.be.within(bytes / 4, bytes / 2);
  });

  ui.it('is unavailable once the store is closed', async () => {
    await store.close();
    for (const reading of [log.read('start', 1), log.history(1), log.latest(), log.measure()])
      expect(await refusal(reading)).to.equal('unavailable');
  });
}
