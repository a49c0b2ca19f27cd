/** Stores that take and give plain users, so that tests can compare them, and the way back. */

import type { FilterName } from '../../src/domain/find/filters.ts';
import type { Position } from '../../src/domain/find/sorts.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import type { Query, UserStore, WriteOutcome } from './verbs.ts';

type OfUsers = 'find' | 'findAll' | 'findAllBy' | 'list' | 'insert' | 'replace' | 'writeAll';

/** As `UserWrite`. */
export interface PlainWrite {
  readonly user: User;
  readonly version?: string | undefined;
}

export interface PlainStore extends Omit<UserStore, OfUsers> {
  find(id: string): Promise<User | undefined>;
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, User>>;
  findAllBy(
    filter: FilterName,
    keys: readonly string[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly User[]>>;
  list(query: Query): Promise<User[]>;
  insert(user: User): Promise<void>;
  replace(user: User, version: string): Promise<boolean>;
  writeAll(writes: readonly PlainWrite[]): Promise<readonly WriteOutcome[]>;
}

type Others = Omit<UserStore, OfUsers>;
const othersOf = (store: Others): Others => ({
  groups: store.groups,
  related: (ids, limit) => store.related(ids, limit),
  count: (conditions) => store.count(conditions),
  remove: (id, version) => store.remove(id, version),
  check: () => store.check(),
  close: () => store.close(),
});

function mapValues<T, U>(map: ReadonlyMap<string, T>, change: (value: T) => U): Map<string, U> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

/** In a list in the order of the ids. */
export const positionAt = (id: string | undefined): Position | undefined =>
  id === undefined ? undefined : { id };

export const plain = (store: UserStore): PlainStore => ({
  ...othersOf(store),
  find: async (id) => (await store.find(id))?.value,
  findAll: async (ids) => mapValues(await store.findAll(ids), ({ value }) => value),
  findAllBy: async (filter, keys, limit) =>
    mapValues(await store.findAllBy(filter, keys, limit), (users) => users.map(({ value }) => value)),
  list: async (query) => (await store.list(query)).map(({ value }) => value),
  insert: (user) => store.insert(Stored.of(user)),
  replace: (user, version) => store.replace(Stored.of(user), version),
  writeAll: (writes) =>
    store.writeAll(writes.map(({ user, version }) => ({ user: Stored.of(user), version }))),
});

/** Hides none of its faults: it is given the very value that was passed in, and one that it gives twice is given twice. */
export function ofPlain(store: PlainStore): UserStore {
  const given = new WeakMap<User, Stored<User>>();
  const stored = (user: User): Stored<User> => {
    const known = given.get(user) ?? Stored.of(user);
    given.set(user, known);
    return known;
  };
  return {
    ...othersOf(store),
    find: async (id) => {
      const user = await store.find(id);
      return user && stored(user);
    },
    findAll: async (ids) => mapValues(await store.findAll(ids), stored),
    findAllBy: async (filter, keys, limit) =>
      mapValues(await store.findAllBy(filter, keys, limit), (users) => users.map(stored)),
    list: async (query) => (await store.list(query)).map(stored),
    insert: ({ value: user }) => store.insert(user),
    replace: ({ value: user }, version) => store.replace(user, version),
    writeAll: (writes) =>
      store.writeAll(writes.map(({ user: { value: user }, version }) => ({ user, version }))),
  };
}
