import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { matchAll } from '../../src/domain/find/conditions.ts';
import { importMemberships } from '../../src/domain/import/import-memberships.ts';
import type { ImportCounts, ImportOptions, ImportRow } from '../../src/domain/import/import-options.ts';
import { importResources } from '../../src/domain/import/import-resources.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { users } from '../../src/domain/use-cases/users.ts';
import { DomainError } from '../../src/domain/validation/errors.ts';
import { aGroup } from '../support/a-group.ts';
import { aUser } from '../support/a-user.ts';
import { userDefinition } from '../support/kinds.ts';
import { plain } from '../support/plain-store.ts';
import { tester } from '../support/store-verbs.ts';
import { memoryStore, overridden, portOf, targetOf, type VerbsTarget } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';

const clock = { now: () => new Date() };
const ids = { id: randomUUID, version: randomUUID };

async function* inBatches(rows: readonly ImportRow[]) {
  for (let from = 0; from < rows.length; from += 64) yield rows.slice(from, from + 64);
}

const imported = (
  target: VerbsTarget,
  rows: readonly ImportRow[],
  options: Partial<ImportOptions<ImportRow>> = {},
): Promise<ImportCounts> =>
  importResources(targetOf(target), inBatches(rows), {
    ...{ clock, ids, mode: 'upsert', match: 'id', keepMeta: false, kind: userDefinition.kind, by: tester },
    onReject: (_, violations) => expect.fail(JSON.stringify(violations)),
    ...options,
  });

const idAt = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

/** Half of the users are there. Some of these take, each, the name that the one before has freed. */
const count = 800;
const takesName = (at: number): boolean => at % 80 === 41;
const usersBefore = (): User[] =>
  Array.from({ length: count }, (_, at) => aUser({ id: idAt(at), userName: `name-${at}` })).filter(
    (_, at) => at % 2 === 1,
  );
const nameAt = (at: number): string => (at < 80 ? 'name-of-nobody' : `name-${at - 80}`);
const rows: ImportRow[] = Array.from({ length: count }, (_, at) => ({
  value: { id: idAt(at), userName: takesName(at) ? nameAt(at) : `name-${at}`, title: 't' },
  violations: [],
}));

async function aStore(given: readonly User[]): Promise<UserStore> {
  const store = memoryStore();
  for (const user of given) await store.insert(Stored.of(user));
  return store;
}

async function contentOf(store: UserStore): Promise<unknown[]> {
  const all = await plain(store).list({ where: matchAll, limit: 100_000 });
  return all.map(({ meta: _, ...user }) => user);
}

/** At one of its batches, the store does so many of its writes and then fails. */
function dyingAt(store: UserStore, batch: number, part: number): VerbsTarget {
  let batches = 0;
  return {
    findAll: (asked) => store.findAll(asked),
    findAllBy: (...asked) => store.findAllBy(...asked),
    writeAll: async (writes) => {
      batches += 1;
      if (batches < batch) return store.writeAll(writes);
      await store.writeAll(writes.slice(0, Math.ceil(writes.length * part)));
      throw new DomainError('outcome-unknown', 'killed');
    },
  };
}

describe('An interrupted import', () => {
  it('leads, when it is run again, to the same directory as an undisturbed one', async () => {
    const before = usersBefore();
    const undisturbed = await aStore(before);
    const total = await imported(undisturbed, rows);
    expect(total).to.deep.equal({ created: count / 2, changed: count / 2, unchanged: 0, rejected: 0 });
    const wanted = await contentOf(undisturbed);
    let wasKilled = true;
    for (let batch = 1; wasKilled; batch += 1) {
      const store = await aStore(before);
      const part = [0, 0.5, 1][batch % 3] ?? 0;
      let told: ImportCounts | undefined;
      const onProgress = (counts: ImportCounts) => {
        told = counts;
      };
      wasKilled = await imported(dyingAt(store, batch, part), rows, { onProgress }).then(
        () => false,
        () => true,
      );
      const { created = 0, changed = 0, unchanged = 0 } = told ?? {};
      if (wasKilled && part === 0)
        expect((await contentOf(store)).filter(isTitled)).to.have.length(created + changed);
      const again = await imported(store, rows);
      expect(again.unchanged).to.be.at.least(created + changed + unchanged);
      expect(await contentOf(store)).to.deep.equal(wanted);
    }
  });

  it('has counted the durable writes when a write of a batch fails, and reports the reason', async () => {
    const store = memoryStore();
    const failing: VerbsTarget = {
      findAll: (asked) => store.findAll(asked),
      findAllBy: (...asked) => store.findAllBy(...asked),
      writeAll: async (writes) => {
        const outcomes = await store.writeAll(writes.filter((_, at) => at % 2 === 0));
        const unavailable = new DomainError('unavailable', 'the disk is full');
        return writes.map((_, at) => (at % 2 === 0 ? (outcomes[at / 2] ?? unavailable) : unavailable));
      },
    };
    const told: ImportCounts[] = [];
    const values = Array.from({ length: 10 }, () => ({ value: aUser(), violations: [] }));
    const end = await imported(failing, values, { onProgress: (counts) => told.push(counts) }).catch(String);
    expect(end).to.include('the disk is full');
    expect(told.at(-1)).to.deep.equal({ created: 5, changed: 0, unchanged: 0, rejected: 0 });
    expect(await store.count({ where: matchAll })).to.equal(5);
  });

  const notDone = new DomainError('unavailable', 'not done');
  const unknown = new DomainError('outcome-unknown', 'its end is not known');

  it('reports an unknown outcome when the end of any write of the batch is unknown', async () => {
    const store = memoryStore();
    const failing: VerbsTarget = {
      findAll: (asked) => store.findAll(asked),
      findAllBy: (...asked) => store.findAllBy(...asked),
      writeAll: async (writes) => writes.map((_, at) => (at === 1 ? unknown : notDone)),
    };
    const values = Array.from({ length: 3 }, () => ({ value: aUser(), violations: [] }));
    expect(await imported(failing, values).catch((error: unknown) => error)).to.equal(unknown);
  });

  it('does the same for memberships', async () => {
    const store = memoryStore();
    const user = aUser();
    await store.insert(Stored.of(user));
    const groups = Array.from({ length: 3 }, () => aGroup());
    for (const group of groups) await store.groups.insert(group);
    const failing = overridden(portOf(store), {
      commit: async (writes) => writes.map((_, at) => (at === 1 ? unknown : notDone)),
    });
    const pairs = groups.map((group) => ({ value: { group: group.id, user: user.id }, violations: [] }));
    const end = importMemberships(failing, inBatches(pairs), { by: tester, onReject: () => {} });
    expect(await end.catch((error: unknown) => error)).to.equal(unknown);
  });

  it('writes and counts the rows that were read before the reader failed', async () => {
    const store = memoryStore();
    const told: ImportCounts[] = [];
    async function* breaking() {
      yield* inBatches(rows);
      throw new Error('the file is cut off');
    }
    const end = await importResources(targetOf(store), breaking(), {
      ...{ clock, ids, mode: 'upsert', match: 'id', keepMeta: false, kind: userDefinition.kind, by: tester },
      onReject: () => {},
      onProgress: (counts) => told.push(counts),
    }).catch(String);
    expect(end).to.include('the file is cut off');
    expect(told.at(-1)?.created).to.equal(await store.count({ where: matchAll }));
    expect(told.at(-1)?.created).to.equal(count);
  });
});

const isTitled = (user: unknown): boolean => JSON.stringify(user).includes('"title"');

describe('An import while others write', () => {
  const everything = {
    id: 'other',
    via: 'test',
    scopes: new Set(['users:read', 'users:write', 'users:delete'] as const),
  };

  it('never overwrites a change that it has not seen', async () => {
    const before = Array.from({ length: 600 }, () => aUser());
    const store = await aStore(before);
    const others = users(portOf(store), clock, ids);
    let isOver = false;
    const written = new Map<string, Set<string>>();
    const write = async () => {
      for (let round = 0; !isOver; round += 1) {
        const id = before[(round * 7) % before.length]?.id ?? '';
        const roles = written.get(id) ?? new Set();
        roles.add(`role-${round}`);
        written.set(id, roles);
        await others.change(everything, id, (current) => ({ ...current, roles: [...roles].slice(-100) }));
        if (round % 10 === 0) await turn();
      }
    };
    /** Between looking somebody up and writing there is time for others. */
    const slow: VerbsTarget = {
      findAll: async (asked) => {
        const found = await store.findAll(asked);
        await turn();
        return found;
      },
      findAllBy: (...asked) => store.findAllBy(...asked),
      writeAll: async (writes) => {
        await turn();
        return store.writeAll(writes);
      },
    };
    const edits = before.map(
      ({ id }): ImportRow => ({
        value: { id, title: 't' },
        violations: [],
        edit: (current) => ({ ...current, title: 't' }),
      }),
    );
    const writing = write();
    const counts = await imported(slow, edits);
    isOver = true;
    await writing;
    expect(counts).to.deep.equal({ created: 0, changed: 600, unchanged: 0, rejected: 0 });
    for (const user of await plain(store).list({ where: matchAll, limit: 1000 })) {
      expect(user.title).to.equal('t');
      expect(user.roles ?? []).to.deep.equal([...(written.get(user.id) ?? [])].slice(-100));
    }
  });

  it('checks a row again when the same user, or one with its name, was created meanwhile', async () => {
    const store = memoryStore();
    const [same, differs, named] = [aUser(), aUser(), aUser({ userName: 'Wanted' })];
    let isFirst = true;
    const target: VerbsTarget = {
      findAll: (asked) => store.findAll(asked),
      findAllBy: (...asked) => store.findAllBy(...asked),
      writeAll: async (writes) => {
        if (isFirst)
          for (const user of [same, aUser({ ...differs, title: 'x' }), aUser({ userName: 'wanted' })])
            await store.insert(Stored.of(user));
        isFirst = false;
        return store.writeAll(writes);
      },
    };
    const rejected: unknown[] = [];
    const values = [same, differs, named, aUser()].map((value) => ({ value, violations: [] }));
    const counts = await imported(target, values, {
      mode: 'create',
      onReject: ({ value }) => void rejected.push(value),
    });
    expect(counts).to.deep.equal({ created: 1, changed: 0, unchanged: 1, rejected: 2 });
    expect(rejected).to.deep.equal([differs, named]);
  });

  it('plans a row again when the same user was created in the meantime', async () => {
    for (const match of ['id', 'userName', 'externalId'] as const) {
      const store = memoryStore();
      const [same, named] = [
        aUser({ externalId: 'same' }),
        aUser({ externalId: 'named', userName: 'Wanted' }),
      ];
      let isFirst = true;
      /** The others come right behind the first question. */
      const late = async <T>(found: Promise<T>): Promise<T> => {
        const answer = await found;
        if (isFirst)
          for (const user of [same, aUser({ userName: 'wanted' })]) await store.insert(Stored.of(user));
        isFirst = false;
        return answer;
      };
      const target: VerbsTarget = {
        findAll: (asked) => late(store.findAll(asked)),
        findAllBy: (...asked) => late(store.findAllBy(...asked)),
        writeAll: (writes) => store.writeAll(writes),
      };
      const rejected: unknown[] = [];
      const values = [same, named].map((value) => ({ value, violations: [] }));
      const counts = await imported(target, values, {
        ...{ mode: 'create', match },
        onReject: ({ value }) => void rejected.push(value),
      });
      expect(counts, match).to.deep.equal({ created: 0, changed: 0, unchanged: 1, rejected: 1 });
      expect(rejected).to.deep.equal([named]);
    }
  });

  it('continues with other users while some are being written, and retries these beside them', async () => {
    const before = Array.from({ length: 2000 }, (_, at) => aUser({ id: idAt(at) }));
    const store = await aStore(before);
    const others = users(portOf(store), clock, ids);
    const isHot = ({ id }: { readonly id: string }) => Number(id.slice(-4)) < 100;
    const order: boolean[] = [];
    const nickNames = new Map<string, string>();
    let [batches, rounds] = [0, 0];
    /** Others are quicker with a hundred of them, 21 times. */
    const busy: VerbsTarget = {
      findAll: (asked) => store.findAll(asked),
      findAllBy: (...asked) => store.findAllBy(...asked),
      writeAll: async (writes) => {
        batches += 1;
        const hot = writes.filter(({ user }) => isHot(user));
        if (hot.length > 0 && rounds++ < 21)
          for (const { user } of hot) {
            const nickName = `round ${rounds}`;
            nickNames.set(user.id, nickName);
            await others.change(everything, user.id, (current) => ({ ...current, nickName }));
          }
        const outcomes = await store.writeAll(writes);
        order.push(...writes.filter((_, at) => outcomes[at] === 'done').map(({ user }) => isHot(user)));
        return outcomes;
      },
    };
    const twice = [...before, ...before.slice(0, 50)].map(
      ({ id }, at): ImportRow => ({
        value: { id, title: String(at) },
        violations: [],
        edit: (current) => ({ ...current, title: String(at) }),
      }),
    );
    const [waits, pauses]: [number[], number[]] = [[], []];
    const counts = await imported(busy, twice, {
      onProgress: (_, waiting) => waits.push(waiting),
      pause: async (milliseconds) => void pauses.push(milliseconds),
    });
    expect(counts).to.deep.equal({ created: 0, changed: 2050, unchanged: 0, rejected: 0 });
    expect(order.indexOf(true)).to.equal(1900);
    expect(batches - 21).to.be.below(13);
    expect([Math.max(...waits), waits.at(-1)]).to.deep.equal([100, 0]);
    expect(pauses.slice(-9)).to.deep.equal([1, 2, 4, 8, 16, 32, 64, 128, 250]);
    expect(nickNames).to.have.keys(before.filter(isHot).map(({ id }) => id));
    for (const user of await plain(store).list({ where: matchAll, limit: 3000 })) {
      const at = Number(user.id.slice(-4));
      const title = String(at < 50 ? 2000 + at : at);
      expect([user.title, user.nickName]).to.deep.equal([title, nickNames.get(user.id)]);
    }
  });

  it('ends when aborted while it waits, and keeps the imported users', async () => {
    const store = await aStore([aUser({ id: idAt(1) })]);
    const busy: VerbsTarget = {
      findAll: (asked) => store.findAll(asked),
      findAllBy: (...asked) => store.findAllBy(...asked),
      writeAll: async (writes) => {
        const outcomes = await store.writeAll(writes.filter(({ version }) => version === undefined));
        return writes.map(({ version }) => (version === undefined ? (outcomes[0] ?? 'stale') : 'stale'));
      },
    };
    const values = [
      { id: idAt(1), userName: 'x' },
      { id: idAt(2), userName: 'y' },
    ];
    const told: ImportCounts[] = [];
    const end = await imported(
      busy,
      values.map((value) => ({ value, violations: [] })),
      {
        onProgress: (counts) => told.push(counts),
        pause: async () => {
          throw new Error('stopped');
        },
      },
    ).catch(String);
    expect(end).to.equal('Error: stopped');
    expect(told.at(-1)).to.deep.equal({ created: 1, changed: 0, unchanged: 0, rejected: 0 });
  });

  it('ends with an error when a store neither writes a user nor gives a reason', async () => {
    const target: VerbsTarget = {
      findAll: async () => new Map(),
      findAllBy: async () => new Map(),
      writeAll: async (writes) => writes.map(() => 'stale' as const),
    };
    const end = await imported(target, [{ value: aUser(), violations: [] }]).catch((cause: unknown) => cause);
    expect(end).to.be.instanceOf(DomainError).and.to.include({ code: 'unavailable' });
  });
});
