/** Resources in memory, lost with the process: for tests, and as the simplest implementation of the port. */

import { documentChange } from '../../../domain/changes/change.ts';
import type { ChangeLog } from '../../../domain/changes/log.ts';
import { memberChanges } from '../../../domain/changes/member-changes.ts';
import type { Condition } from '../../../domain/find/conditions.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import { type Test, testOf } from '../../../domain/find/matches.ts';
import { byOwner, type MembershipFilter, Owners } from '../../../domain/find/owners.ts';
import { type Kinds, kindsOf, ofKind } from '../../../domain/kinds.ts';
import { Stored } from '../../../domain/resource/stored.ts';
import {
  type Actor,
  type FoundById,
  type FoundByKey,
  type Outcome,
  type Page,
  type PageQuery,
  type RelatedIds,
  type Store,
  type StoredResource,
  toPage,
  type Write,
} from '../../../domain/store.ts';
import { DomainError, idTaken, type KindName, UnknownMembers } from '../../../domain/validation/errors.ts';
import { type LoggedChanges, MemoryLog } from './log.ts';
import { type MemoryEntry, MemoryMembers, MemoryTable, placeOf } from './table.ts';

/** The parts of a write that the log needs. */
interface Logged extends Pick<Write, 'id' | 'inside'> {
  readonly restored?: readonly string[] | undefined;
}

class MemoryStore implements Store {
  readonly #tables: ReadonlyMap<KindName, MemoryTable>;
  readonly #members = new MemoryMembers();
  readonly #relation: Kinds['relation'];
  readonly #owners = new Owners<object>();
  readonly #log: MemoryLog;
  readonly changes: ChangeLog | undefined;
  #closed = false;

  constructor(kinds: Kinds, isLogged: boolean) {
    this.#log = new MemoryLog(kinds, () => this.#assertOpen());
    this.changes = isLogged ? this.#log : undefined;
    this.#tables = new Map(kinds.all.map((kind) => [kind.name, new MemoryTable(kind)]));
    this.#relation = kinds.relation;
  }

  async find(kind: KindName, id: string): Promise<StoredResource | undefined> {
    const table = this.#open(kind);
    const entry = table.get(id);
    return entry && this.#read(table, entry);
  }

  async findAll(kind: KindName, ids: readonly string[]): Promise<FoundById> {
    const table = this.#open(kind);
    const found = ids.flatMap((id) => table.get(id) ?? []);
    return new Map(found.map((entry) => [entry.id, this.#read(table, entry)]));
  }

  async findAllBy(
    kind: KindName,
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<FoundByKey> {
    const table = this.#open(kind);
    const found = new Map(keys.map((key): [string, StoredResource[]] => [key, []]));
    for (const entry of table.values())
      for (const key of new Set(entry.keysOf(filter))) {
        const all = found.get(key);
        if (all !== undefined && all.length < limit) all.push(this.#read(table, entry));
      }
    return new Map([...found].filter(([, all]) => all.length > 0));
  }

  async findMembers(group: string, users: readonly string[]): Promise<ReadonlySet<string>> {
    this.#assertOpen();
    return new Set(users.filter((user) => this.#members.has(group, user)));
  }

  async related(kind: KindName, ids: readonly string[], limit: number): Promise<RelatedIds> {
    const hasMembers = this.#open(kind).kind === this.#relation.owners;
    const relatedTo = (id: string): Iterable<string> =>
      hasMembers ? this.#members.membersOf(id) : this.#members.groupsOf(id);
    const found = ids.map((id) => [id, [...relatedTo(id)].slice(0, limit)] as const);
    return new Map(found.filter(([, related]) => related.length > 0));
  }

  async page(kind: KindName, query: PageQuery): Promise<Page> {
    const table = this.#open(kind);
    const { where, sort = {}, before, after, skip = 0, limit, list, total } = query;
    const matches = this.#testOf(where, list);
    const backward = before !== undefined;
    const walk = { sort, backward, after: backward ? (before === 'end' ? undefined : before) : after };
    const found =
      limit > 0
        ? table
            .walk(walk)
            .filter(matches)
            .slice(skip, skip + limit + 1)
        : [];
    return {
      ...toPage(found, query, {
        read: (entry) => this.#read(table, entry),
        placeOf: (entry) => placeOf(entry, sort),
      }),
      ...(total !== undefined && { total: [...table.values()].filter(matches).length }),
    };
  }

  async commit(writes: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    return writes.map((write) => {
      try {
        const applied = this.#apply(this.#open(write.kind), write);
        if (applied === undefined) return 'stale';
        this.#log.append(applied, by);
        if (write.op === 'remove' && write.erase) void this.#log.erase(write);
        return 'done';
      } catch (error) {
        if (error instanceof DomainError) return error;
        throw error;
      }
    });
  }

  async check(): Promise<void> {
    this.#assertOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  /** @returns undefined if the resource that the write names is no longer stored */
  #apply(table: MemoryTable, write: Write): LoggedChanges | undefined {
    const { kind } = table;
    const { id } = write;
    const old = table.get(id);
    if (write.op === 'create') {
      if (old) throw idTaken(kind.name);
      this.#put(table, table.entryOf(write.next), write.members);
      if (kind.members === undefined) return this.#join(table, write);
      const members = write.restored?.filter((user) => this.#possible.get(user)) ?? write.members ?? [];
      this.#members.create(id, members, write.next.membership?.revision);
      const added = { added: members, removed: [], isWhole: false, stayed: [] };
      return this.#changesOf(table, write, undefined, added);
    }
    const version = write.op === 'members' ? write.version : write.before.meta.version;
    const { revision } = write;
    if (old === undefined || (version !== undefined && version !== old.version)) return undefined;
    if (revision !== undefined && revision !== this.#members.membershipOf(id).revision) return undefined;
    switch (write.op) {
      case 'replace':
        this.#put(table, table.entryOf(write.next, old.birth), write.members?.add);
        return this.#changesOf(table, write, old, write.members && this.#members.change(id, write.members));
      case 'remove':
        return this.#remove(table, old, write);
      case 'members':
        this.#assertMembers(write.change.add);
        return this.#changesOf(table, write, old, this.#members.change(id, write.change));
    }
  }

  #remove(table: MemoryTable, old: MemoryEntry, { inside }: Logged): LoggedChanges {
    const { kind } = table;
    const { id, text } = old;
    const left = kind === this.#relation.owners ? [...this.#members.membersOf(id)] : [];
    const groups = kind === this.#relation.members ? [...this.#members.groupsOf(id)] : [];
    table.remove(old);
    if (kind === this.#relation.owners) this.#members.remove(id);
    if (kind === this.#relation.members) this.#members.leave(id);
    const memberships = [...left, ...groups];
    const how = { memberships, inside };
    return { changes: [documentChange(kind, id, text, undefined, undefined, how)], left };
  }

  #join(table: MemoryTable, write: Logged): LoggedChanges {
    const { changes } = this.#changesOf(table, write, undefined);
    const { id, restored: groups } = write;
    const owners = ofKind(this.#tables, this.#relation.owners.name);
    const joined = (groups ?? []).flatMap((group) => {
      const entry = owners.get(group);
      if (entry === undefined) return [];
      const joining = this.#members.change(group, { add: [id], remove: [] });
      return this.#changesOf(owners, { id: group }, entry, joining).changes;
    });
    return { changes: [...changes, ...joined], left: [] };
  }

  /** @param old before the write @param members the change of the members */
  #changesOf(
    table: MemoryTable,
    { id, inside, restored }: Logged,
    old: MemoryEntry | undefined,
    members?: ReturnType<MemoryMembers['change']>,
  ): LoggedChanges {
    const how = { isRestored: restored !== undefined, inside };
    const next = table.get(id);
    const stored = next && this.#read(table, next);
    const { stayed = [], left = [] } = members ?? {};
    const change = () => documentChange(table.kind, id, old?.text, stored?.value, stored?.version, how);
    const changes = [
      ...(next === old ? [] : [change()]),
      ...(members === undefined
        ? []
        : memberChanges(table.kind, id, stored?.version, members, stored?.value)),
    ];
    return { changes, stayed, left };
  }

  /** @param members the ids of new members */
  #put(table: MemoryTable, next: MemoryEntry, members: readonly string[] = []): void {
    const taken = table.findTaken(next);
    if (taken) throw taken;
    this.#assertMembers(members);
    table.put(next);
  }

  /** The resources that may be members. */
  get #possible(): MemoryTable {
    return ofKind(this.#tables, this.#relation.members.name);
  }

  #assertMembers(ids: readonly string[]): void {
    const unknown = ids.flatMap((id, at) => (this.#possible.get(id) ? [] : [at]));
    if (unknown.length > 0) throw new UnknownMembers('add', unknown);
  }

  #read(table: MemoryTable, { id, text }: MemoryEntry): StoredResource {
    return new Stored(text, table.kind.members === undefined ? undefined : this.#members.membershipOf(id));
  }

  #testOf(condition: Condition, list?: object): Test<MemoryEntry> {
    return testOf(condition, {
      of: (membership) => this.#testOfMembership(membership, list),
      // A group has members, a user groups; no id is of both.
      isAny: ({ id }) =>
        [this.#members.groupsOf(id), this.#members.membersOf(id)].some((ids) => [...ids].length > 0),
    });
  }

  #testOfMembership(condition: MembershipFilter, list: object | undefined): Test<MemoryEntry> {
    const { filter, key } = condition;
    const now = filter === byOwner ? this.#members.ownerOf(key) : this.#possible.get(key)?.birth;
    if (this.#owners.keep(list, condition, now) === undefined) return () => false;
    return filter === byOwner
      ? ({ id }) => this.#members.has(key, id)
      : ({ id }) => this.#members.has(id, key);
  }

  #open(kind: KindName): MemoryTable {
    this.#assertOpen();
    return ofKind(this.#tables, kind);
  }

  #assertOpen(): void {
    if (this.#closed) throw new DomainError('unavailable', 'The store is closed.');
  }
}

/** An empty store. Every method but `close` fails as `unavailable` once it is closed. @param isLogged with a change log */
export const memoryStore = (kinds: Kinds = kindsOf(), isLogged = true): Store =>
  new MemoryStore(kinds, isLogged);
