/** Users in memory, lost with the process: for tests, and as the simplest implementation of the port. */

import { DomainError, memberTaken } from '../../../domain/base/errors.ts';
import type { Condition } from '../../../domain/find/conditions.ts';
import type { FilterName } from '../../../domain/find/filters.ts';
import { joinKey, makeKeys } from '../../../domain/find/keys.ts';
import { matchesTerms } from '../../../domain/find/search.ts';
import { comparePositions, type Position, type Sort } from '../../../domain/find/sorts.ts';
import type { Conditions, UserQuery, UserStore, UserWrite, WriteOutcome } from '../../../domain/ports.ts';
import { StoredUser } from '../../../domain/user/stored-user.ts';

interface Entry {
  readonly id: string;
  readonly text: string;
  readonly version: string;
  readonly nameKey: string;
  readonly keys: ReadonlySet<string>;
  readonly search: string;
  readonly sorts: ReadonlyMap<string, string>;
}

function entryOf(stored: StoredUser): Entry {
  const { text } = stored;
  const user = stored.copy();
  const { name, filters, search, sorts } = makeKeys(user);
  return {
    id: user.id,
    text,
    version: user.meta.version,
    nameKey: name,
    keys: new Set(filters.map(joinKey)),
    search,
    sorts,
  };
}

type Test = (entry: Entry) => boolean;

function testOf(condition: Condition): Test {
  if ('all' in condition) {
    const tests = condition.all.map(testOf);
    return (entry) => tests.every((test) => test(entry));
  }
  if ('any' in condition) {
    const tests = condition.any.map(testOf);
    return (entry) => tests.some((test) => test(entry));
  }
  if ('words' in condition) return ({ search }) => matchesTerms(search, condition.words);
  if ('id' in condition) return ({ id }) => id === condition.id;
  const joined = joinKey([condition.filter, condition.key]);
  return ({ keys }) => keys.has(joined);
}

const readEntry = ({ text }: Entry): StoredUser => StoredUser.fromText(text);

const placeOf = ({ id, sorts }: Entry, { by }: Sort): Position => ({
  id,
  key: by === undefined ? undefined : sorts.get(by),
});

/** The position of `id`, existing or not, in the sorted list. */
function indexOfId(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] ?? '') < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

class MemoryStore implements UserStore {
  readonly #users = new Map<string, Entry>();
  readonly #idOfName = new Map<string, string>();
  readonly #ids: string[] = [];
  readonly #marks = new Map<string, string>();
  #closed = false;

  async find(id: string): Promise<StoredUser | undefined> {
    this.#assertOpen();
    const found = this.#users.get(id);
    return found && readEntry(found);
  }

  async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, StoredUser>> {
    this.#assertOpen();
    const found = new Map<string, StoredUser>();
    for (const id of ids) {
      const entry = this.#users.get(id);
      if (entry) found.set(id, readEntry(entry));
    }
    return found;
  }

  async findAllBy(
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly StoredUser[]>> {
    this.#assertOpen();
    const wanted = new Map(keys.map((key) => [joinKey([filter, key]), key]));
    const found = new Map<string, StoredUser[]>();
    for (const entry of wanted.size > 0 ? this.#users.values() : [])
      for (const joined of entry.keys) {
        const key = wanted.get(joined);
        if (key === undefined) continue;
        const users = found.get(key) ?? [];
        if (users.length < limit) found.set(key, [...users, readEntry(entry)]);
      }
    return found;
  }

  async list({ limit, skip = 0, where, ...walk }: UserQuery): Promise<StoredUser[]> {
    this.#assertOpen();
    const matches = testOf(where);
    const page: StoredUser[] = [];
    let toPass = skip;
    for (const entry of this.#walk(walk)) {
      if (page.length >= limit) break;
      if (!matches(entry)) continue;
      if (toPass > 0) toPass -= 1;
      else page.push(readEntry(entry));
    }
    return page;
  }

  async count({ where }: Conditions): Promise<number> {
    this.#assertOpen();
    return [...this.#users.values()].filter(testOf(where)).length;
  }

  *#walk({ sort = {}, after, backward = false }: Pick<UserQuery, 'sort' | 'after' | 'backward'>) {
    const direction = backward ? -1 : 1;
    const compare = (one: Entry, other: Entry) =>
      direction * comparePositions(placeOf(one, sort), placeOf(other, sort), sort);
    const isBehind = (entry: Entry) =>
      after === undefined || direction * comparePositions(placeOf(entry, sort), after, sort) > 0;
    if (sort.by !== undefined) return yield* [...this.#users.values()].filter(isBehind).sort(compare);
    const step = direction * (sort.descending ? -1 : 1);
    const end = step > 0 ? 0 : this.#ids.length - 1;
    for (
      let at = after ? indexOfId(this.#ids, after.id) : end;
      at in this.#ids || at === this.#ids.length;
      at += step
    ) {
      const entry = this.#users.get(this.#ids[at] ?? '');
      if (entry && isBehind(entry)) yield entry;
    }
  }

  async insert(user: StoredUser): Promise<void> {
    this.#assertOpen();
    const next = entryOf(user);
    if (this.#users.has(next.id)) throw memberTaken('id');
    this.#assertFree(next);
    this.#ids.splice(indexOfId(this.#ids, next.id), 0, next.id);
    this.#put(next);
  }

  async replace(user: StoredUser, version: string): Promise<boolean> {
    this.#assertOpen();
    const old = this.#users.get(user.id);
    if (old?.version !== version) return false;
    const next = entryOf(user);
    this.#assertFree(next);
    this.#idOfName.delete(old.nameKey);
    this.#put(next);
    return true;
  }

  async writeAll(writes: readonly UserWrite[]): Promise<readonly WriteOutcome[]> {
    return Promise.all(writes.map((write) => this.#write(write)));
  }

  async #write({ user, version }: UserWrite): Promise<WriteOutcome> {
    try {
      if (version !== undefined) return (await this.replace(user, version)) ? 'done' : 'stale';
      await this.insert(user);
      return 'done';
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  }

  async remove(id: string, version: string): Promise<boolean> {
    this.#assertOpen();
    const old = this.#users.get(id);
    if (old?.version !== version) return false;
    this.#users.delete(id);
    this.#idOfName.delete(old.nameKey);
    this.#ids.splice(indexOfId(this.#ids, id), 1);
    return true;
  }

  async mark(name: string): Promise<string | undefined> {
    this.#assertOpen();
    return this.#marks.get(name);
  }

  async setMark(name: string, value: string): Promise<void> {
    this.#assertOpen();
    this.#marks.set(name, value);
  }

  async check(): Promise<void> {
    this.#assertOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #put(next: Entry): void {
    this.#users.set(next.id, next);
    this.#idOfName.set(next.nameKey, next.id);
  }

  #assertFree({ id, nameKey }: Entry): void {
    const holder = this.#idOfName.get(nameKey);
    if (holder !== undefined && holder !== id) throw memberTaken('userName');
  }

  #assertOpen(): void {
    if (this.#closed) throw new DomainError('unavailable', 'The store is closed.');
  }
}

/** An empty store. Every method but `close` throws DomainError `unavailable` once it is closed. */
export function memoryStore(): UserStore {
  return new MemoryStore();
}
