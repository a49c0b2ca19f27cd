/** A store for dry runs: it holds what the run would have written. */

import { type DomainError, idTaken } from '../base/errors.ts';
import type { FilterName } from '../find/filters.ts';
import { userKind } from '../kinds/user/kind.ts';
import type { User } from '../kinds/user/user.ts';
import { mapUserName } from '../kinds/user/user-name.ts';
import type { UserStore, UserWrite, WriteOutcome } from '../ports.ts';
import type { Stored } from '../resource/stored.ts';
import type { ImportTarget } from './import-users.ts';

type Found = ReadonlyMap<string, readonly Stored<User>[]>;

class DryRunTarget implements ImportTarget {
  readonly #store: UserStore;
  readonly #scratch: UserStore;

  constructor(store: UserStore, scratch: UserStore) {
    this.#store = store;
    this.#scratch = scratch;
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Stored<User>>> {
    const written = await this.#scratch.findAll(ids);
    const others = await this.#store.findAll(ids.filter((id) => !written.has(id)));
    return new Map([...others, ...written]);
  }

  async findAllBy(filter: FilterName, keys: readonly string[], limit: number): Promise<Found> {
    const written = await this.#scratch.findAllBy(filter, keys, limit);
    const missing = keys.filter((key) => (written.get(key)?.length ?? 0) < limit);
    const found = new Map(written);
    for (const [key, users] of await this.#findUnwritten(filter, missing, limit))
      found.set(key, [...(written.get(key) ?? []), ...users].slice(0, limit));
    return found;
  }

  /** Users that the run has not changed. */
  async #findUnwritten(filter: FilterName, keys: readonly string[], limit: number): Promise<Found> {
    const found = new Map<string, readonly Stored<User>[]>();
    if (keys.length === 0) return found;
    const more: string[] = [];
    const there = await this.#store.findAllBy(filter, keys, limit);
    const written = await this.#scratch.findAll([...there.values()].flat().map(({ id }) => id));
    for (const [key, users] of there) {
      const kept = users.filter(({ id }) => !written.has(id));
      if (kept.length > 0) found.set(key, kept);
      if (kept.length < limit && users.length === limit) more.push(key);
    }
    // Users behind the ones that were written may have the same key.
    for (const [key, users] of await this.#findUnwritten(filter, more, 2 * limit)) found.set(key, users);
    return found;
  }

  async writeAll(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]> {
    const there = await this.findAll(writes.map(({ user }) => user.id));
    const names = writes.map(({ user }) => mapUserName(user.value.userName));
    const holders = await this.#findUnwritten('userName', [...new Set(names)], 1);
    const written = await this.#scratch.findAll(writes.map(({ user }) => user.id));
    const refusals = writes.map((write, at) => refusalOf(write, there, holders.get(names[at] ?? '') ?? []));
    const allowed = writes.filter((_, at) => refusals[at] === undefined);
    const toScratch = allowed.map(({ user }) => ({ user, version: written.get(user.id)?.version }));
    const outcomes = (await this.#scratch.writeAll(toScratch)).values();
    return refusals.map((refusal) => refusal ?? outcomes.next().value ?? 'stale');
  }
}

function refusalOf(
  { user, version }: UserWrite,
  there: ReadonlyMap<string, Stored<User>>,
  holders: readonly Stored<User>[],
): 'stale' | DomainError | undefined {
  const before = there.get(user.id);
  if (version === undefined && before !== undefined) return idTaken('user');
  if (version !== undefined && before?.version !== version) return 'stale';
  return holders.some(({ id }) => id !== user.id) ? userKind.nameTaken() : undefined;
}

/**
 * Behaves as if writes went to `store`, which it only reads.
 * @param scratch an empty store that takes the writes; for many users it should be on disk
 */
export const dryRunOf = (store: UserStore, scratch: UserStore): ImportTarget =>
  new DryRunTarget(store, scratch);
