/**
 * The directory as a caller with an access profile finds it: a store in which everything outside of the profile's filters is missing, and
 * in which no write reaches a resource outside, or moves one there.
 *
 * Reads add the filter to a query, or apply it to what they found (`views.ts`, searches, too); `limited-members.ts` has memberships,
 * `refusals.ts` what a profile refuses. A write names the version that must still be stored, so checking the documents
 * that it names is part of its step. Names and unique keys are the whole directory's: a store refuses one that a resource outside has, as it does
 * for all callers.
 */
import { repeatWrite } from '../commit-one.ts';
import type { Access } from '../find/access.ts';
import { allOf } from '../find/conditions.ts';
import type { FilterName } from '../find/filters.ts';
import { type Kinds, ofKind } from '../kinds.ts';
import type { StoreFor } from '../ports.ts';
import { Stored } from '../resource/stored.ts';
import type {
  Actor,
  FoundById,
  FoundByKey,
  Outcome,
  Page,
  PageQuery,
  RelatedIds,
  Store,
  StoredResource,
  Write,
} from '../store.ts';
import { DomainError, type KindName, resourceNotFound, UnknownMembers } from '../validation/errors.ts';
import { LimitedMembers } from './limited-members.ts';
import { outsideOfProfile, withoutHidden } from './refusals.ts';
import { type View, viewOf } from './views.ts';

class LimitedStore implements Store {
  readonly #store: Store;
  readonly #access: Access;
  readonly #viewOf: (kind: KindName) => View;
  readonly #members: LimitedMembers;

  constructor(store: Store, kinds: Kinds, access: Access) {
    [this.#store, this.#access] = [store, access];
    const views = new Map(kinds.all.map((kind) => [kind.name, viewOf(kind, access)]));
    this.#viewOf = (kind) => ofKind(views, kind);
    const { relation } = kinds;
    const [owners, members] = [this.#viewOf(relation.owners.name), this.#viewOf(relation.members.name)];
    this.#members = new LimitedMembers({ store, inside: this, access, owners, members });
  }

  get changes() {
    return this.#store.changes;
  }

  async find(kind: KindName, id: string): Promise<StoredResource | undefined> {
    const found = await this.#find(kind, id);
    if (found?.membership === undefined || !this.#members.hidesCount) return found;
    return this.#show(found, await this.#members.count(id, found.membership.memberCount));
  }

  async findAll(kind: KindName, ids: readonly string[], client?: string): Promise<FoundById> {
    const { isInside } = this.#viewOf(kind);
    const found = [...(await this.#store.findAll(kind, ids, client))].filter((entry) => isInside(...entry));
    return new Map(found.map(([id, one]) => [id, this.#show(one)]));
  }

  async findAllBy(
    kind: KindName,
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<FoundByKey> {
    const found = new Map<string, readonly StoredResource[]>();
    for (const key of keys) {
      const { items } = await this.page(kind, { where: { filter, key }, limit });
      if (items.length > 0) found.set(key, items);
    }
    return found;
  }

  async findMembers(group: string, users: readonly string[]): Promise<ReadonlySet<string>> {
    return await this.#members.find(group, users);
  }

  async related(kind: KindName, ids: readonly string[], limit: number, client?: string): Promise<RelatedIds> {
    return await this.#members.related(kind, ids, limit, client);
  }

  async page(kind: KindName, query: PageQuery): Promise<Page> {
    const { where, search } = this.#viewOf(kind);
    const asked = await this.#members.limit(query);
    const limited = { ...query, where: allOf([where, asked]) };
    const read = (one: PageQuery) => this.#store.page(kind, one);
    const page = await (search?.(limited, read) ?? read(limited));
    return { ...page, items: page.items.map((one) => this.#show(one)) };
  }

  async commit(writes: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const write of writes)
      outcomes.push(
        await this.#commit(write, by).catch((error: unknown) => {
          if (error instanceof DomainError) return error;
          throw error;
        }),
      );
    return outcomes;
  }

  check(): Promise<void> {
    return this.#store.check();
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #find(kind: KindName, id: string): Promise<StoredResource | undefined> {
    const found = await this.#store.find(kind, id);
    return found !== undefined && this.#viewOf(kind).isInside(id, found) ? found : undefined;
  }

  /** Without the number of members if the caller may not know it. @param memberCount the one that the caller may know */
  #show(found: StoredResource, memberCount?: number): StoredResource {
    if (found.membership === undefined || !this.#members.hidesCount) return found;
    return new Stored(found.text, { revision: found.membership.revision, memberCount });
  }

  /** @throws DomainError that is the outcome */
  async #commit(write: Write, by: Actor): Promise<Outcome> {
    const { kind, id } = write;
    if (write.op === 'members') return await this.#changeMembers(write, by);
    const { isInside } = this.#viewOf(kind);
    if (write.op !== 'create' && !isInside(id, write.before)) throw resourceNotFound(kind);
    if (write.op !== 'remove' && !isInside(id, write.next)) throw outsideOfProfile(this.#access, kind);
    if (write.op === 'create' && write.members) await this.#members.check(write.members, by.client);
    if (write.op === 'create' && write.restored) {
      const restored = await this.#members.restored(kind, write.restored, by.client);
      return await this.#commitAlone({ ...write, restored }, by);
    }
    if (write.op !== 'replace' || !write.members) return await this.#commitAlone(write, by);
    const members = await this.#members.narrow(id, write.members, by.client);
    if (members === write.members) return await this.#commitAlone(write, by);
    const revision = write.members.isWhole ? write.before.membership?.revision : write.revision;
    const outcome = await this.#commitAlone({ ...write, members, revision }, by);
    // The ids were there a moment ago.
    return outcome instanceof UnknownMembers ? 'stale' : outcome;
  }

  /** Changes members of a group that stays inside. Without a lock of the caller, the change is repeated after other writes of the group. */
  async #changeMembers(write: Extract<Write, { op: 'members' }>, by: Actor): Promise<Outcome> {
    const { kind, id, change } = write;
    const isLocked = write.version !== undefined || write.revision !== undefined;
    const find = async () => {
      const group = await this.#find(kind, id);
      if (group === undefined) throw resourceNotFound(kind);
      return group;
    };
    return await repeatWrite(kind, find, undefined, async (group) => {
      const narrowed = await this.#members.narrow(id, change, by.client);
      const isDifference = narrowed !== change && change.isWhole;
      const version = write.version ?? (this.#viewOf(kind).isFiltered ? group.meta.version : undefined);
      const revision = write.revision ?? (isDifference ? group.membership?.revision : undefined);
      const outcome = await this.#commitAlone({ ...write, change: narrowed, version, revision }, by);
      const isLate = outcome === 'stale' || (outcome instanceof UnknownMembers && narrowed !== change);
      if (!isLate) return outcome;
      return isLocked ? 'stale' : undefined;
    });
  }

  async #commitAlone(write: Write, by: Actor): Promise<Outcome> {
    const [outcome] = await this.#store.commit([write], by);
    return withoutHidden(this.#access.of(write.kind), outcome ?? 'stale');
  }
}

/** A caller without a profile sees the store itself. */
export function limitedStores(store: Store, kinds: Kinds): StoreFor {
  const limited = new WeakMap<Access, Store>();
  return ({ access }) => {
    if (access === undefined) return store;
    const known = limited.get(access) ?? new LimitedStore(store, kinds, access);
    limited.set(access, known);
    return known;
  };
}
