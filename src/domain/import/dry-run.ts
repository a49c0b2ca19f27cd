/** Stores for dry runs: they hold what the run would have written. */

import type { FilterName } from '../find/filters.ts';
import type { Kind } from '../kinds/kind.ts';
import type { Actor, Outcome, Store, StoredResource, Write } from '../store.ts';
import { type DomainError, idTaken, type KindName } from '../validation/errors.ts';
import type { MembershipTarget } from './import-memberships.ts';
import type { ImportTarget } from './import-options.ts';

type Found = ReadonlyMap<string, readonly StoredResource[]>;
type WriteOfDocument = Extract<Write, { op: 'create' | 'replace' }>;

class DryRunTarget implements ImportTarget {
  readonly #kind: Kind;
  readonly #store: ImportTarget;
  readonly #scratch: ImportTarget;

  constructor(kind: Kind, store: ImportTarget, scratch: ImportTarget) {
    this.#kind = kind;
    this.#store = store;
    this.#scratch = scratch;
  }

  async findAll(kind: KindName, ids: readonly string[]): Promise<ReadonlyMap<string, StoredResource>> {
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
  ): Promise<Found> {
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
  ): Promise<Found> {
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

  async commit(all: readonly Write[], by: Actor): Promise<readonly Outcome[]> {
    const writes = all.filter(
      (write): write is WriteOfDocument => write.op === 'create' || write.op === 'replace',
    );
    const ids = writes.map(({ id }) => id);
    const { name, unique, makeKeys } = this.#kind;
    const there = await this.findAll(name, ids);
    const names = writes.map(({ next }) => makeKeys(next.value).name);
    const holders = await this.#findUnwritten(name, unique.member, [...new Set(names)], 1);
    const written = await this.#scratch.findAll(name, ids);
    const refusals = writes.map((write, at) =>
      refusalOf(this.#kind, write, there, holders.get(names[at] ?? '') ?? []),
    );
    const allowed = writes.filter((_, at) => refusals[at] === undefined);
    const toScratch = allowed.map(({ kind, id, next }): Write => {
      const before = written.get(id);
      return before === undefined
        ? { kind, id, op: 'create', next }
        : { kind, id, op: 'replace', before, next };
    });
    const outcomes = (await this.#scratch.commit(toScratch, by)).values();
    return refusals.map((refusal) => refusal ?? outcomes.next().value ?? 'stale');
  }
}

function refusalOf(
  kind: Kind,
  write: WriteOfDocument,
  there: ReadonlyMap<string, StoredResource>,
  holders: readonly StoredResource[],
): 'stale' | DomainError | undefined {
  const before = there.get(write.id);
  if (write.op === 'create' && before !== undefined) return idTaken(write.kind);
  if (write.op === 'replace' && before?.version !== write.before.version) return 'stale';
  return holders.some(({ id }) => id !== write.id) ? kind.nameTaken() : undefined;
}

/**
 * Behaves as if writes went to `store`, which it only reads.
 * @param scratch an empty store that takes the writes; for many resources it should be on disk
 */
export const dryRunOf = (kind: Kind, store: ImportTarget, scratch: ImportTarget): ImportTarget =>
  new DryRunTarget(kind, store, scratch);

/** Creates what `to` doesn't have of these, as `from` has it. */
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

/** As `dryRunOf`, for memberships: their groups and users are copied to `scratch`. */
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
