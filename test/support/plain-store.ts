/** Stores that take and give plain users, so that tests can compare them, and the way back. */

import type { UserQuery, UserStore } from '../../src/domain/ports.ts';
import type { Position } from '../../src/domain/sorts.ts';
import { StoredUser } from '../../src/domain/stored-user.ts';
import type { User } from '../../src/domain/user.ts';

type OfUsers = 'find' | 'list' | 'insert' | 'replace';

export interface PlainStore extends Omit<UserStore, OfUsers> {
  find(id: string): Promise<User | undefined>;
  list(query: UserQuery): Promise<User[]>;
  insert(user: User): Promise<void>;
  replace(user: User, version: string): Promise<boolean>;
}

type Others = Omit<UserStore, OfUsers>;
const othersOf = (store: Others): Others => ({
  count: (conditions) => store.count(conditions),
  remove: (id, version) => store.remove(id, version),
  mark: (name) => store.mark(name),
  setMark: (name, value) => store.setMark(name, value),
  check: () => store.check(),
  close: () => store.close(),
});

/** In a list in the order of the ids. */
export const positionAt = (id: string | undefined): Position | undefined =>
  id === undefined ? undefined : { id };

export const plain = (store: UserStore): PlainStore => ({
  ...othersOf(store),
  find: async (id) => (await store.find(id))?.user,
  list: async (query) => (await store.list(query)).map(({ user }) => user),
  insert: (user) => store.insert(StoredUser.of(user)),
  replace: (user, version) => store.replace(StoredUser.of(user), version),
});

/** Hides none of its faults: it is given the very value that was passed in, and one that it gives twice is given twice. */
export function ofPlain(store: PlainStore): UserStore {
  const given = new WeakMap<User, StoredUser>();
  const stored = (user: User): StoredUser => {
    const known = given.get(user) ?? StoredUser.of(user);
    given.set(user, known);
    return known;
  };
  return {
    ...othersOf(store),
    find: async (id) => {
      const user = await store.find(id);
      return user && stored(user);
    },
    list: async (query) => (await store.list(query)).map(stored),
    insert: ({ user }) => store.insert(user),
    replace: ({ user }, version) => store.replace(user, version),
  };
}
