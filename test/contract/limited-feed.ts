/**
 * What a caller with an access profile is told of the changes, over any store: of each write what a plain model of the directory says, so that
 * a follower's copy always becomes what the caller's list shows.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { markWrites } from '../../src/adapters/stores/mark-writes.ts';
import { limitedStores } from '../../src/domain/access/limited-store.ts';
import type { Entry } from '../../src/domain/changes/change.ts';
import type { ChangeFilter } from '../../src/domain/changes/filter.ts';
import type { Start } from '../../src/domain/changes/log.ts';
import { parseSearch, type Term } from '../../src/domain/find/search.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Caller } from '../../src/domain/ports.ts';
import type { Resource } from '../../src/domain/resource/resource.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';
import { scopes } from '../../src/domain/scopes.ts';
import type { Store, StoredResource, Write } from '../../src/domain/store.ts';
import { type ChangePage, changes, type HistoryQuery } from '../../src/domain/use-cases/feed.ts';
import { users } from '../../src/domain/use-cases/users.ts';
import { aGroup, changedGroup } from '../support/a-group.ts';
import { aUser, changed } from '../support/a-user.ts';
import { until } from '../support/deadlines.ts';
import { kinds } from '../support/kinds.ts';
import { runs } from '../support/runs.ts';
import { profilesOf } from '../support/service.ts';
import { tester } from '../support/store-verbs.ts';
import {
  changeMembers,
  createGroup,
  createUser,
  removeGroup,
  removeUser,
  replaceGroup,
  replaceUser,
} from './change-log.ts';
import { outcome } from './refusals.ts';
import type { ContractUi } from './user-store.ts';

const profiles = profilesOf(kinds, {
  /** Sees some users and some groups, with nearly all of their members. */
  sales: {
    users: {
      ...{ where: { department: 'Sales', active: true }, read: '*', except: ['title', 'attributes.badge'] },
      ...{ create: true, delete: true },
    },
    groups: { where: { externalId: 'in' }, read: '*' },
  },
  /** Sees all users without their names, and no groups. */
  titles: { users: { read: ['title', 'attributes.badge'] } },
  /** Sees active users, and all groups without their members. */
  active: { users: { where: { active: true }, read: '*' }, groups: { read: ['displayName', 'externalId'] } },
  /** Sees some of the users, and all groups. */
  clubs: { users: { where: { department: 'Sales' }, read: ['userName'] }, groups: { read: '*' } },
});
const names = ['sales', 'titles', 'active', 'clubs'] as const;
type Name = (typeof names)[number];

const callerOf = (name?: Name): Caller => ({
  ...{ id: name ?? 'all', scopes: new Set(scopes), via: 'test' },
  ...(name && { profile: name, access: profiles.find(name) }),
});

type Document = Resource & Readonly<Record<string, unknown>>;
type Content = Pick<User, 'active' | 'title' | 'enterprise' | 'attributes'>;

const isSales = ({ enterprise }: Document): boolean =>
  (enterprise as User['enterprise'])?.department === 'Sales';

/** The filters of the profiles in plain words. */
const isInside = (name: Name, kind: string, document: Document | undefined): boolean => {
  if (document === undefined) return false;
  const { active, externalId } = document;
  if (kind === 'group') return name === 'sales' ? externalId === 'in' : name !== 'titles';
  if (name === 'clubs') return isSales(document);
  return name === 'titles' || (active === true && (name !== 'sales' || isSales(document)));
};

/** Whether all resources of the kind are inside, also those that are gone. */
const hasFilter = (name: Name, kind: string): boolean =>
  kind === 'group' ? name === 'sales' : name !== 'titles';

const sees = (name: Name, kind: string, pointer: string): boolean => {
  if (kind === 'group') return name !== 'active' || ['/displayName', '/externalId'].includes(pointer);
  if (name === 'active') return true;
  if (name === 'titles') return ['/title', '/attributes/badge'].includes(pointer);
  return name === 'sales' ? !['/title', '/attributes/badge'].includes(pointer) : pointer === '/userName';
};
const seesMembers = (name: Name): boolean => name === 'sales' || name === 'clubs';

/** The values by their pointers, those of objects one by one. */
const flat = (value: object | undefined, at = ''): [string, unknown][] =>
  Object.entries(value ?? {}).flatMap(([member, part]): [string, unknown][] =>
    typeof part === 'object' && !Array.isArray(part)
      ? flat(part, `${at}/${member}`)
      : [[`${at}/${member}`, part]],
  );
const visible = (name: Name, kind: string, value: object | undefined): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    flat(value).filter(([pointer]) => !/^\/(id|meta)/.test(pointer) && sees(name, kind, pointer)),
  );

type Op =
  | { readonly do: 'user'; readonly at: number; readonly content: Content; readonly renames: boolean }
  | {
      readonly do: 'group';
      readonly at: number;
      readonly externalId: 'in' | 'out';
      readonly renames: boolean;
    }
  | { readonly do: 'remove'; readonly kind: 'user' | 'group'; readonly at: number }
  | {
      readonly do: 'members';
      readonly at: number;
      readonly add: readonly number[];
      readonly remove: readonly number[];
      readonly isWhole: boolean;
    }
  | { readonly do: 'read' };

const [userCount, groupCount] = [4, 2];
const anyUsers = fc.uniqueArray(fc.nat(userCount - 1));
const maybe = (value: string) => fc.option(fc.constantFrom(value, `${value}2`), { nil: undefined });

const anyOp: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('user' as const),
      at: fc.nat(userCount - 1),
      content: fc
        .record({
          active: fc.boolean(),
          department: fc.boolean(),
          title: maybe('t'),
          badge: maybe('b'),
          desk: maybe('d'),
        })
        .map(
          ({ active, department, title, badge, desk }): Content => ({
            active,
            ...(title !== undefined && { title }),
            enterprise: { department: department ? 'Sales' : 'Research' },
            ...((badge ?? desk) !== undefined && {
              attributes: { ...(badge && { badge }), ...(desk && { desk }) },
            }),
          }),
        ),
      renames: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('group' as const),
      at: fc.nat(groupCount - 1),
      externalId: fc.constantFrom('in' as const, 'out' as const),
      renames: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.record({
        do: fc.constant('remove' as const),
        kind: fc.constant('user' as const),
        at: fc.nat(userCount - 1),
      }),
      fc.record({
        do: fc.constant('remove' as const),
        kind: fc.constant('group' as const),
        at: fc.nat(groupCount - 1),
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('members' as const),
      at: fc.nat(groupCount - 1),
      add: anyUsers,
      remove: anyUsers,
      isWhole: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'read' as const }) },
);

/** A write of a document, in the order of the log. */
interface Written {
  readonly id: string;
  readonly before: Document | undefined;
  readonly after: Document | undefined;
}

/** Plain users and groups, and what was written. */
class Model {
  readonly users: (User | undefined)[] = [];
  readonly groups: (ReturnType<typeof aGroup> | undefined)[] = [];
  readonly written: Written[] = [];
  readonly #ids: readonly string[] = Array.from({ length: userCount + groupCount }, () => randomUUID());
  #renamed = 0;

  idOf = (kind: string, at: number): string => this.#ids[kind === 'user' ? at : userCount + at] ?? '';

  find(id: string): Document | undefined {
    const at = this.#ids.indexOf(id);
    return (at < userCount ? this.users[at] : this.groups[at - userCount]?.value) as Document | undefined;
  }

  /** @returns the write; undefined for one that does nothing */
  apply(op: Op): Write | undefined {
    if (op.do === 'read') return undefined;
    if (op.do === 'user') return this.#putUser(op.at, op.content, op.renames);
    if (op.do === 'group') return this.#putGroup(op.at, op.externalId, op.renames);
    if (op.do === 'remove') return this.#remove(op.kind, op.at);
    const idsOf = (all: readonly number[]) => all.flatMap((at) => this.users[at]?.id ?? []);
    const [add, group] = [idsOf(op.add), this.groups[op.at]];
    const remove = op.isWhole ? [] : idsOf(op.remove).filter((id) => !add.includes(id));
    return group && changeMembers(group.id, { add, remove, isWhole: op.isWhole });
  }

  #note<D extends object>(id: string, before: D | undefined, after: D | undefined): void {
    this.written.push({ id, before: before as Document | undefined, after: after as Document | undefined });
  }

  #nameOf(known: string | undefined, renames: boolean): string {
    if (known !== undefined && !renames) return known;
    this.#renamed += 1;
    return `name${this.#renamed}`;
  }

  #putUser(at: number, content: Content, renames: boolean): Write {
    const [id, old] = [this.idOf('user', at), this.users[at]];
    const next = aUser({ ...content, id, userName: this.#nameOf(old?.userName, renames) });
    this.users[at] = next;
    this.#note(id, old, next);
    if (old !== undefined) return replaceUser(old, next);
    const wasDeleted = this.written.some((one) => one.id === id && one.after === undefined);
    return { ...createUser(next), ...(wasDeleted && renames && { restored: [] }) } as Write;
  }

  #putGroup(at: number, externalId: string, renames: boolean): Write {
    const [id, old] = [this.idOf('group', at), this.groups[at]];
    const displayName = this.#nameOf(old?.value.displayName, renames);
    const next = old
      ? changedGroup(old, { externalId, displayName })
      : aGroup({ id, externalId, displayName });
    this.groups[at] = next;
    this.#note(id, old?.value, next.value);
    return old ? replaceGroup(old, next) : createGroup(next);
  }

  #remove(kind: 'user' | 'group', at: number): Write | undefined {
    const [user, group] = [this.users[at], this.groups[at]];
    if ((kind === 'user' ? user : group) === undefined) return undefined;
    this.#note(this.idOf(kind, at), kind === 'user' ? user : group?.value, undefined);
    if (kind === 'user') delete this.users[at];
    else delete this.groups[at];
    return kind === 'user' ? removeUser(user as User) : removeGroup(group as ReturnType<typeof aGroup>);
  }

  /** Whether a resource is inside now, or the profile has no filter for it. */
  isThere = (name: Name, kind: string, id: string): boolean =>
    kind === 'group' && name === 'titles'
      ? false
      : !hasFilter(name, kind) || isInside(name, kind, this.find(id));
}

/** What a caller is told. */
interface Told {
  readonly type: string;
  readonly id: string;
  readonly changed?: readonly string[] | undefined;
  readonly added?: readonly string[] | undefined;
  readonly removed?: readonly string[] | undefined;
  readonly whole?: true | undefined;
  readonly label?: string | undefined;
  /** By pointers. */
  readonly before?: object | undefined;
  readonly after?: object | undefined;
  readonly memberships?: readonly string[] | undefined;
}

const kindIn = ({ type }: Pick<Entry, 'type'>): string => type.slice(0, type.indexOf('.'));
const sorted = (all: readonly string[] | undefined) => (all && all.length > 0 ? [...all].sort() : undefined);

/** Without members that are undefined. */
const plain = (told: Told): Told => JSON.parse(JSON.stringify(told));

const toTold = ({ type, id, changed: pointers, added, removed, whole, values }: Entry): Told =>
  plain({
    ...{ type, id, changed: sorted(pointers), added: sorted(added), removed: sorted(removed), whole },
    ...{ label: values?.label, before: values?.before && Object.fromEntries(flat(values.before)) },
    after: values?.after && Object.fromEntries(flat(values.after)),
    memberships: values?.memberships && [...values.memberships].sort(),
  });

const withoutNames = (pointers: readonly string[]): readonly string[] => [
  ...new Set(pointers.map((pointer) => pointer.replace(/^\/attributes\/.*/, '/attributes'))),
];

function tellMembers(name: Name, model: Model, entry: Entry): Told | undefined {
  const { type, id, whole } = entry;
  if (!seesMembers(name) || !model.isThere(name, 'group', id)) return undefined;
  const visibleIds = (all: readonly string[] | undefined) =>
    sorted(all?.filter((user) => model.isThere(name, 'user', user)));
  const [added, removed] = [visibleIds(entry.added), visibleIds(entry.removed)];
  const label = hasFilter(name, 'group') ? undefined : entry.values?.label;
  return added || removed || whole ? plain({ type, id, added, removed, whole, label }) : undefined;
}

/** What the caller is told of an entry of a history of all. */
function tell(name: Name, model: Model, entry: Entry, { before, after }: Written): Told | undefined {
  const [kind, { id, type, values }] = [kindIn(entry), entry];
  const [was, is] = [isInside(name, kind, before), isInside(name, kind, after)];
  const unique = kind === 'user' ? 'userName' : 'displayName';
  const labelOf = (one: Document | undefined) =>
    sees(name, kind, `/${unique}`) ? String(one?.[unique]) : undefined;
  const old = values?.before && visible(name, kind, values.before);
  const next = values?.after && visible(name, kind, values.after);
  if (was && is) {
    const [from, to] = [visible(name, kind, before), visible(name, kind, after)];
    const pointers = Object.keys({ ...from, ...to }).filter((at) => from[at] !== to[at]);
    const told = { type, id, label: labelOf(after), before: old, after: next };
    return pointers.length === 0 ? undefined : plain({ ...told, changed: sorted(pointers) });
  }
  // A move has no values: those that it left out would be the same outside.
  const isMove = before !== undefined && after !== undefined;
  const came = isMove ? `${kind}.created` : type;
  if (is) return plain({ type: came, id, label: labelOf(after), after: isMove ? undefined : next });
  const of = kind === 'user' ? 'group' : 'user';
  const kept = seesMembers(name)
    ? values?.memberships?.filter((one) => model.isThere(name, of, one))
    : undefined;
  const memberships = kept && [...kept].sort();
  const gone = { type: `${kind}.deleted`, id, label: labelOf(before), memberships };
  return was ? plain({ ...gone, before: isMove ? undefined : old }) : undefined;
}

/** The same in the feed. */
function toFeed({ label, before, after, memberships, changed: pointers, ...told }: Told): Told {
  return plain({ ...told, changed: sorted(pointers && withoutNames(pointers)) });
}

/** The code of the error, or that there was none. */
const ended = (reading: Promise<unknown>): Promise<string> =>
  outcome(reading).then((end) => (typeof end === 'string' ? end : 'done'));

const step = <T>(read: () => Promise<T>): Promise<T> => read();

/** The newest last. */
async function readWhole(store: Store): Promise<readonly Entry[]> {
  const { entries } = (await store.changes?.history(10_000)) ?? {};
  return (entries ?? []).toReversed();
}

const filter = {};

/** @param open makes a store on new data @param rounds of the random test @param ui gets the cases; mocha's running suite by default */
export function limitedFeedCases(
  open: () => Promise<{ readonly store: Store; readonly discard?: () => Promise<void> }>,
  rounds = 100,
  ui: Omit<ContractUi, 'describe' | 'after'> = globalThis,
): void {
  let opened: Awaited<ReturnType<typeof open>>;
  let store: Store;
  const begin = async (): Promise<void> => {
    opened = await open();
    store = markWrites(opened.store, kinds, profiles);
  };
  const end = async (): Promise<void> => {
    await opened.store.close();
    await opened.discard?.();
  };
  /** A new store, for the next round of a test. */
  const renew = async (): Promise<void> => {
    await end();
    await begin();
  };
  ui.beforeEach(begin);
  ui.afterEach(end);

  const commit = async (...writes: readonly Write[]): Promise<void> => {
    expect(await store.commit(writes, tester)).to.deep.equal(writes.map(() => 'done'));
  };
  const feedOf = (name: Name | undefined, since: Start, limit = 1_000): Promise<ChangePage> =>
    changes(store, kinds).feed(callerOf(name), { since, limit, filter }, step);
  const historyOf = (name: Name | undefined, query: Partial<HistoryQuery> = {}): Promise<ChangePage> =>
    changes(store, kinds).history(callerOf(name), { limit: 1_000, filter, ...query }, step);
  const now = async (name?: Name) => (await feedOf(name, 'now')).end;
  const all = async (name: Name | undefined, since: Start, limit?: number): Promise<Entry[]> => {
    const found: Entry[] = [];
    for (let start = since; ; ) {
      const { entries, end, more } = await feedOf(name, start, limit);
      found.push(...entries);
      if (!more) return found;
      start = end;
    }
  };

  /** The texts of what a list shows, without `meta`, by id. */
  async function listOf(name: Name): Promise<ReadonlyMap<string, unknown>> {
    const limited = limitedStores(store, kinds)(callerOf(name));
    const shown = kinds.all.map(async (kind) => {
      const { items } = await limited.page(kind.name, { where: { all: [] }, limit: 1_000 });
      return items.map((one) => contentOf(name, kind.name, one));
    });
    return new Map((await Promise.all(shown)).flat());
  }

  function contentOf(name: Name, kind: string, one: StoredResource): [string, unknown] {
    const { meta, ...content } = kinds.of(kind).builderFor(callerOf(name)).view(one).value as Document;
    return [one.id, content];
  }

  /** A copy that is kept by following, which reads what it is told of. */
  class Copy {
    readonly name: Name;
    readonly documents = new Map<string, unknown>();
    readonly told: Entry[] = [];
    #since: Start = 'start';

    constructor(name: Name) {
      this.name = name;
    }

    async follow(limit: number): Promise<void> {
      const limited = limitedStores(store, kinds)(callerOf(this.name));
      for (;;) {
        const { entries, end, more } = await feedOf(this.name, this.#since, limit);
        for (const entry of entries) {
          const found = entry.type.endsWith('.deleted')
            ? undefined
            : await limited.find(kindIn(entry), entry.id);
          if (found === undefined) this.documents.delete(entry.id);
          else this.documents.set(...contentOf(this.name, kindIn(entry), found));
        }
        this.told.push(...entries);
        this.#since = end;
        if (!more) return;
      }
    }
  }

  ui.it('reach each of them as a model says, so that a copy has what the list shows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyOp, { minLength: 1, maxLength: 40, size: 'max' }),
        fc.constantFrom(1, 3, 1_000),
        async (ops, limit) => {
          await renew();
          const model = new Model();
          const ended = await Promise.all(names.map(async (name) => [name, await now(name)] as const));
          const copies = names.map((name) => new Copy(name));
          for (const op of ops) {
            const write = model.apply(op);
            if (write) await commit(write);
            if (op.do === 'read') for (const copy of copies) await copy.follow(limit);
          }
          const whole = await readWhole(store);
          const written = model.written.values();
          const noted = whole.map((entry) =>
            entry.type === 'group.members-changed' ? undefined : (written.next().value as Written),
          );
          for (const [name, since] of ended) {
            const expected = whole.flatMap((entry, at) => {
              const [one] = [noted[at]];
              return (one ? tell(name, model, entry, one) : tellMembers(name, model, entry)) ?? [];
            });
            const history = (await historyOf(name)).entries;
            expect(history.toReversed().map(toTold), name).to.deep.equal(expected);
            expect((await all(name, since, limit)).map(toTold), name).to.deep.equal(expected.map(toFeed));
          }
          for (const copy of copies) {
            await copy.follow(limit);
            expect(copy.documents, copy.name).to.deep.equal(await listOf(copy.name));
          }
        },
      ),
      { numRuns: runs(rounds) },
    );
  });

  const inSales = { enterprise: { department: 'Sales' } };
  const idsIn = (entries: readonly Entry[]): string[] => entries.map(({ id }) => id);
  const typesIn = (entries: readonly Entry[]): string[] => entries.map(({ type }) => type);
  /** Writes as a process that knows no profiles. */
  const commitUnaware = async (...writes: readonly Write[]): Promise<void> => {
    expect(await opened.store.commit(writes, tester)).to.deep.equal(writes.map(() => 'done'));
  };
  const filtered = names.filter((name) => hasFilter(name, 'user'));

  ui.it('end at a change by a process that does not know the filter; a new cursor goes on', async () => {
    const [ann, ben, cam] = [aUser(inSales), aUser(inSales), aUser(inSales)];
    await commit(createUser(ann));
    const ends = await Promise.all(names.map(now));
    await commitUnaware(createUser(ben));
    await commit(createUser(cam));
    for (const [at, name] of names.entries()) {
      const reading = ended(feedOf(name, ends[at] as Start));
      expect(await reading, name).to.equal(filtered.includes(name) ? 'cursor-expired' : 'done');
      const told = filtered.includes(name) ? [ann.id, cam.id] : [ann.id, ben.id, cam.id];
      expect(idsIn(await all(name, 'start', 1)), 'from the start').to.deep.equal(told);
      expect(idsIn((await historyOf(name)).entries)).to.deep.equal(told.toReversed());
    }
    const again = await now('sales');
    expect([...(await listOf('sales')).keys()].sort()).to.deep.equal(idsIn([ann, ben, cam] as never).sort());
    const next = changed(ben, { nickName: 'Ben' });
    await commit(replaceUser(ben, next));
    expect(idsIn(await all('sales', again))).to.deep.equal([ben.id]);
    const { end } = await feedOf('sales', again);
    await commitUnaware(removeUser(ann));
    expect(await ended(feedOf('sales', end))).to.equal('cursor-expired');
  });

  ui.it('end at such a change even for a client that has read them from the start', async () => {
    await commitUnaware(createUser(aUser(inSales)), createUser(aUser(inSales)));
    const { end, entries } = await feedOf('sales', 'start', 1);
    expect(entries).to.deep.equal([]);
    await commitUnaware(createUser(aUser(inSales)));
    expect(await ended(feedOf('sales', end))).to.equal('cursor-expired');
  });

  ui.it('have cursors of their own', async () => {
    await commit(createUser(aUser(inSales)), createUser(aUser(inSales)));
    const callers = [undefined, ...names];
    for (const one of callers) {
      const [first] = await all(one, 'start', 1);
      const page = await historyOf(one, { limit: 1 });
      const begin = (await feedOf(one, 'start', 1)).end;
      for (const other of callers) {
        const expected = one === other ? 'done' : 'cursor-foreign';
        const cursors = [begin, { ...begin, ...(first as Entry) }, await now(one)];
        for (const since of cursors) expect(await ended(feedOf(other, since))).to.equal(expected);
        expect(await ended(historyOf(other, { after: page.end }))).to.equal(expected);
      }
    }
  });

  ui.it('are found by filters on what the caller sees', async () => {
    const [ann, ben] = [aUser({ ...inSales, userName: 'ann' }), aUser({ userName: 'ben' })];
    const since = await now('sales');
    await commit(createUser(ann), createUser(ben));
    await commit(replaceUser(ben, changed(ben, inSales)), replaceUser(ann, changed(ann, { active: false })));
    const found = async (name: Name, one: ChangeFilter): Promise<string[]> =>
      typesIn((await historyOf(name, { filter: one })).entries);
    const page = await changes(store, kinds).feed(
      callerOf('sales'),
      { since, limit: 9, filter: { types: new Set(['user.created']) } },
      step,
    );
    expect(idsIn(page.entries)).to.deep.equal([ann.id, ben.id]);
    expect(await found('sales', { types: new Set(['user.updated']) })).to.deep.equal([]);
    expect(await found('sales', { types: new Set(['user.deleted']) })).to.deep.equal(['user.deleted']);
    const label = parseSearch('ann') as readonly Term[];
    expect(await found('sales', { label })).to.deep.equal(['user.deleted', 'user.created']);
    expect(await found('titles', { label })).to.deep.equal([]);
    const [cara, named] = [aUser({ userName: 'cara' }), { title: 'Countess', displayName: 'Cara' }];
    await commit(createUser(cara));
    await commit(replaceUser(cara, changed(cara, named)));
    expect(await found('titles', { changed: new Set(['/title']) })).to.deep.equal(['user.updated']);
    expect(await found('titles', { changed: new Set(['/displayName']) })).to.deep.equal([]);
  });

  ui.it('are the history of a user who is or was inside, and of no one else', async () => {
    const make = () => [aUser(inSales), aUser()] as const;
    const [[inside, outside], [gone, goneOutside], [left, came]] = [make(), make(), make()];
    const all6 = [inside, outside, gone, goneOutside, left, came];
    await commit(...all6.map((user) => createUser(user)));
    const [leftNow, cameNow] = [changed(left, { active: false }), changed(came, inSales)];
    await commit(replaceUser(left, leftNow), replaceUser(came, cameNow));
    await commit(removeUser(gone), removeUser(goneOutside, true));
    const unknown = randomUUID();
    const read = async (id: string): Promise<readonly string[] | string> => {
      const reading = historyOf('sales', { of: { kind: 'user', id } });
      return reading.then(
        ({ entries }) => typesIn(entries),
        (error: Error) => error.message,
      );
    };
    expect(await read(inside.id)).to.deep.equal(['user.created']);
    expect(await read(came.id)).to.deep.equal(['user.created']);
    expect(await read(gone.id)).to.deep.equal(['user.deleted', 'user.created']);
    expect(await read(left.id)).to.deep.equal(['user.deleted', 'user.created']);
    for (const { id } of [outside, goneOutside])
      expect(await read(id))
        .to.be.a('string')
        .and.equal(await read(unknown));
    await store.changes?.erase({ kind: 'user', id: gone.id });
    expect(await read(gone.id), 'once erased').to.deep.equal(['user.deleted', 'user.created']);
    const after = (await historyOf('sales')).end;
    const behind = (id: string) => historyOf('sales', { after, of: { kind: 'user', id } });
    expect(await behind(outside.id)).to.deep.equal(await behind(unknown));
    expect(await ended(historyOf('titles', { of: { kind: 'group', id: unknown } }))).to.equal(
      'group-not-found',
    );
  });

  ui.it('end a history as if nothing outside had been written', async () => {
    const ann = aUser(inSales);
    await commit(createUser(ann));
    await commit(replaceUser(ann, changed(ann, { title: 'hidden' })));
    const requestOf = (request: string) => ({ requests: new Set([request]) });
    await store.commit([createUser(aUser())], { ...tester, request: 'outside' });
    for (const [asked, unknown] of [
      [requestOf('outside'), requestOf('none')],
      [{ filter: { types: new Set(['user.deleted']) } }, requestOf('none')],
    ])
      expect(await historyOf('sales', asked)).to.deep.equal(await historyOf('sales', unknown));
    const { entries, end } = await historyOf('sales', { of: { kind: 'user', id: ann.id } });
    expect(end.number).to.equal(entries.at(-1)?.number);
  });

  ui.it('show no version of a group that counts changes of members outside', async () => {
    const [ann, ben, club] = [aUser(inSales), aUser(), aGroup({ externalId: 'in' })];
    await commit(createUser(ann), createUser(ben), createGroup(club, [ben.id]));
    await commit(changeMembers(club.id, { add: [ann.id], remove: [] }));
    const versions = async (name?: Name) =>
      (await historyOf(name, { of: { kind: 'group', id: club.id } })).entries.map(({ version }) => version);
    expect(new Set(await versions()))
      .to.have.property('size')
      .above(1);
    for (const name of ['sales', 'clubs', 'active'] as const)
      expect(new Set(await versions(name)), name).to.deep.equal(new Set([club.meta.version]));
  });

  ui.it('show the groups of a user, if they are inside, to a client that sees members', async () => {
    const ann = aUser(inSales);
    const [club, hidden] = [aGroup({ externalId: 'in' }), aGroup({ externalId: 'out' })];
    await commit(createUser(ann));
    for (const group of [club, hidden]) await commit(createGroup(group, [ann.id]));
    const of = { kind: 'user', id: ann.id };
    const read = async (name: Name) =>
      (await historyOf(name, { of })).entries.map(({ id, type }) => `${type} ${id}`);
    const joined = [hidden, club].map(({ id }) => `group.members-changed ${id}`);
    const created = `user.created ${ann.id}`;
    expect(await read('clubs')).to.deep.equal([...joined, created]);
    expect(await read('sales')).to.deep.equal([joined[1], created]);
    expect(await read('active')).to.deep.equal([created]);
    for (const group of [club, hidden]) await commit(removeGroup(group));
    await until('all entries are there', async () => {
      const { entries } = (await store.changes?.history(9, undefined, of)) ?? {};
      return entries?.length === 5;
    });
    const gone = [hidden, club].map(({ id }) => `group.deleted ${id}`);
    expect(await read('clubs')).to.deep.equal([...gone, ...joined, created]);
    expect(await read('sales')).to.deep.equal([gone[1], created]);
    expect(await read('active')).to.deep.equal([created]);
  });

  ui.it('let a caller restore a user into the groups that it sees, and no others', async () => {
    const [ann, groups] = [aUser(inSales), ['in', 'out'].map((externalId) => aGroup({ externalId }))];
    const parts = [{ now: () => new Date() }, { id: randomUUID, version: randomUUID }, kinds] as const;
    const isIn = async () =>
      Promise.all(groups.map(async ({ id }) => (await store.findMembers(id, [ann.id])).has(ann.id)));
    await commit(createUser(ann), ...groups.map((group) => createGroup(group, [ann.id])));
    await commit(removeUser(ann));
    await users(store, ...parts).restore(callerOf('sales'), ann.id, false);
    expect(await isIn()).to.deep.equal([true, false]);
  });

  ui.it('let a caller restore only users that were deleted inside, with their hidden members', async () => {
    const secret = { title: 'Head', attributes: { badge: '7', desk: '1' } };
    const [gone, outside] = [aUser({ ...inSales, ...secret }), aUser()];
    const [goneOutside, unaware, unknown] = [aUser(), aUser(inSales), randomUUID()];
    await commit(...[gone, outside, goneOutside, unaware].map((user) => createUser(user)));
    await commit(removeUser(gone), removeUser(goneOutside));
    await commitUnaware(removeUser(unaware));
    const parts = [{ now: () => new Date() }, { id: randomUUID, version: randomUUID }, kinds] as const;
    const restore = (id: string) => users(store, ...parts).restore(callerOf('sales'), id, false);
    const reason = (id: string) => restore(id).then(String, (error: Error) => error.message);
    for (const id of [outside.id, goneOutside.id, unaware.id])
      expect(await reason(id)).to.equal(await reason(unknown));
    const since = await now('sales');
    expect((await restore(gone.id)).value).to.not.have.property('title');
    const { meta, ...stored } = ((await store.find('user', gone.id)) as Stored<User>).value;
    const { meta: _, ...before } = gone;
    expect(stored).to.deep.equal(before);
    expect(typesIn(await all('sales', since))).to.deep.equal(['user.restored']);
  });
}
