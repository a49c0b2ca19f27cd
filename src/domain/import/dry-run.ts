/**
 * Dry runs: an import reads the store and writes to another one, the scratch, so it counts exactly what it would do. For many resources the
 * scratch is on disk.
 */

import type { FilterName } from '../find/filters.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Actor, FoundById, FoundByKey, Outcome, Store, StoredResource, Write } from '../store.ts';
import type { KindName } from '../validation/errors.ts';
import type { MembershipTarget } from './import-memberships.ts';
import type { ImportTarget } from './import-options.ts';

/** Behaves as if writes went to the store. The scratch is empty at first. */
export class DryRun implements ImportTarget {
  readonly #store: ImportTarget;
  readonly #scratch: ImportTarget;
  readonly #kind: Kind | undefined;

  /** @param kind of the rows, if the scratch has its unique filters */
  constructor(store: ImportTarget, scratch: ImportTarget, kind?: Kind) {
    [this.#store, this.#scratch, this.#kind] = [store, scratch, kind];
  }

  async findAll(kind: KindName, ids: readonly string[]): Promise<FoundById> {
    const written = await this.#scratch.findAll(kind, ids);
    const others = await this.#store.findAll(
      kind,
      ids.filter((id) => !written.has(id)),
    );
    return new Map([...others, ...written]);
  }

  async findAllBy(
    kind: KindName,
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<FoundByKey> {
    const written = await this.#scratch.findAllBy(kind, filter, keys, limit);
    const missing = keys.filter((key) => (written.get(key)?.length ?? 0) < limit);
    const found = new Map(written);
    for (const [key, users] of await this.#findUnwritten(kind, filter, missing, limit))
      found.set(key, [...(written.get(key) ?? []), ...users].slice(0, limit));
    return found;
  }

  /** Resources that the run has not changed. */
  async #findUnwritten(
    kind: KindName,
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<FoundByKey> {
    const found = new Map<string, readonly StoredResource[]>();
    if (keys.length === 0) return found;
    const more: string[] = [];
    const there = await this.#store.findAllBy(kind, filter, keys, limit);
    const written = await this.#scratch.findAll(
      kind,
      [...there.values()].flat().map(({ id }) => id),
    );
    for (const [key, users] of there) {
      const kept = users.filter(({ id }) => !written.has(id));
      if (kept.length > 0) found.set(key, kept);
      if (kept.length < limit && users.length === limit) more.push(key);
    }
    // Resources behind the ones that were written may have the same key.
    for (const [key, users] of await this.#findUnwritten(kind, filter, more, 2 * limit))
      found.set(key, users);
    return found;
  }

  /** The rows are planned with what `findAll` and `findAllBy` return, so the store would take these writes unless others write meanwhile. */
  async commit(all: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    const writes = all.filter((write) => write.op === 'create' || write.op === 'replace');
    const [first] = writes;
    if (first === undefined) return [];
    const ids = writes.map(({ id }) => id);
    for (const filter of this.#kind?.uniqueFilters ?? []) await this.#copyHolders(filter, writes, by);
    const written = await this.#scratch.findAll(first.kind, ids);
    const toScratch = writes.map(({ kind, id, next }): Write => {
      const before = written.get(id);
      return before === undefined
        ? { kind, id, op: 'create', next }
        : { kind, id, op: 'replace', before, next };
    });
    return await this.#scratch.commit(toScratch, by);
  }

  /** Planning ignores unique keys. With copies of the resources that have them, the scratch refuses what the store would refuse. */
  async #copyHolders(
    filter: FilterName,
    writes: readonly (Write & { readonly next: StoredResource })[],
    by: Actor,
  ) {
    const { name = '', filters } = this.#kind ?? {};
    const keys = new Set(writes.flatMap(({ next }) => filters?.[filter]?.keys?.(next.value) ?? []));
    const found = await this.#findUnwritten(name, filter, [...keys], 1);
    const holders = new Map([...found.values()].flat().map((next) => [next.id, next]));
    const copies = [...holders].map(([id, next]): Write => ({ kind: name, id, op: 'create', next }));
    await this.#scratch.commit(copies, by);
  }
}

/** Copies the missing ones of these resources from `from` to `to`. */
async function copyMissing(from: Store, to: Store, kind: KindName, ids: readonly string[], by: Actor) {
  const there = await to.findAll(kind, ids);
  const missing = await from.findAll(
    kind,
    ids.filter((id) => !there.has(id)),
  );
  await to.commit(
    [...missing].map(([id, next]): Write => ({ kind, id, op: 'create', next })),
    by,
  );
}

/** The same as `DryRun` for memberships, whose groups and users are copied to the scratch. */
export const dryRunOfMemberships = (store: Store, scratch: Store): MembershipTarget => ({
  findAll: (...asked) => store.findAll(...asked),
  findAllBy: (...asked) => store.findAllBy(...asked),
  async findMembers(group, users) {
    const there = await store.findMembers(group, users);
    return new Set([...there, ...(await scratch.findMembers(group, users))]);
  },
  async commit(writes, by) {
    const groups = writes.map(({ id }) => id);
    const users = new Set(writes.flatMap((write) => (write.op === 'members' ? write.change.add : [])));
    await copyMissing(store, scratch, 'group', groups, by);
    await copyMissing(store, scratch, 'user', [...users], by);
    return await scratch.commit(writes, by);
  },
});
