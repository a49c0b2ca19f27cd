/** Stores whose reads are plain users, so that tests can compare them, and the way back. */
import { KeptUser } from '../../src/domain/kept-user.ts';
import type { UserQuery, UserStore } from '../../src/domain/ports.ts';
import type { User } from '../../src/domain/user.ts';

export interface PlainStore extends Omit<UserStore, 'find' | 'list'> {
  find(id: string): Promise<User | undefined>;
  list(query: UserQuery): Promise<User[]>;
}

type Writes = Omit<UserStore, 'find' | 'list'>;
const writesOf = (store: Writes): Writes => ({
  insert: (user) => store.insert(user),
  replace: (user, version) => store.replace(user, version),
  remove: (id, version) => store.remove(id, version),
  mark: (name) => store.mark(name),
  setMark: (name, value) => store.setMark(name, value),
  check: () => store.check(),
  close: () => store.close(),
});

export const plain = (store: UserStore): PlainStore => ({
  ...writesOf(store),
  find: async (id) => (await store.find(id))?.user,
  list: async (query) => (await store.list(query)).map(({ user }) => user),
});

export const kept = (store: PlainStore): UserStore => ({
  ...writesOf(store),
  find: async (id) => {
    const user = await store.find(id);
    return user && KeptUser.of(user);
  },
  list: async (query) => (await store.list(query)).map((user) => KeptUser.of(user)),
});
