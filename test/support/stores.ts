/** The stores of the service, in the words of tests (store-verbs.ts). */

import { memoryStore as openMemoryPort } from '../../src/adapters/stores/memory/store.ts';
import { openMongoStore as openMongoPort } from '../../src/adapters/stores/mongodb/open-store.ts';
import {
  openSqliteStore as openSqlitePort,
  type SqliteOptions,
} from '../../src/adapters/stores/sqlite/open-store.ts';
import type { ImportTarget } from '../../src/domain/import/import-options.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import type { Stored } from '../../src/domain/resource/stored.ts';
import type { Store } from '../../src/domain/store.ts';
import { adaptStore } from './adapt.ts';
import { verbsOf } from './store-verbs.ts';
import type { UserStore } from './verbs.ts';

export const asVerbs = (store: UserStore | Store): UserStore => ('commit' in store ? verbsOf(store) : store);

export const memoryStore = (): UserStore => verbsOf(openMemoryPort());

export const openSqliteStore = async (options: SqliteOptions): Promise<UserStore> =>
  asVerbs(await openSqlitePort(options));

export const openMongoStore = async (options: Parameters<typeof openMongoPort>[0]): Promise<UserStore> =>
  asVerbs(await openMongoPort(options));

/** A store in the words of tests as the service takes it: methods that a test has replaced count. */
export const portOf = (store: UserStore): Store => adaptStore(store);

/** What an import needs of a store, in the words of tests. */
export type VerbsTarget = Pick<UserStore, 'findAll' | 'findAllBy' | 'writeAll'>;

export const targetOf = (store: VerbsTarget): ImportTarget => ({
  findAll: (_, ids) => store.findAll(ids),
  findAllBy: (_, filter, keys, limit) => store.findAllBy(filter, keys, limit),
  commit: (writes) =>
    store.writeAll(
      writes.flatMap((write) => {
        if (write.op !== 'create' && write.op !== 'replace') return [];
        const user = write.next as Stored<User>;
        return [write.op === 'create' ? { user } : { user, version: write.before.version }];
      }),
    ),
});

/** The port with some methods replaced. */
export const overridden = (port: Store, methods: Partial<Store>): Store => ({
  find: (...asked) => port.find(...asked),
  findAll: (...asked) => port.findAll(...asked),
  findAllBy: (...asked) => port.findAllBy(...asked),
  findMembers: (...asked) => port.findMembers(...asked),
  related: (...asked) => port.related(...asked),
  page: (...asked) => port.page(...asked),
  commit: (...asked) => port.commit(...asked),
  check: () => port.check(),
  close: () => port.close(),
  ...methods,
});
