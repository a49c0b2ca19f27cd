import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, openConnection } from '../../../../src/adapters/stores/sqlite/file/connection.ts';
import { tablesOf } from '../../../../src/adapters/stores/sqlite/layout/tables.ts';
import type { SqliteOptions } from '../../../../src/adapters/stores/sqlite/open-store.ts';
import {
  printActor,
  type ResourceWrite,
} from '../../../../src/adapters/stores/sqlite/write/writer-messages.ts';
import { Writes } from '../../../../src/adapters/stores/sqlite/write/writes.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { kindsOf } from '../../../../src/domain/kinds.ts';
import type { Stored } from '../../../../src/domain/resource/stored.ts';
import { deadline } from '../../../support/deadlines.ts';
import { tester } from '../../../support/store-verbs.ts';
import { openSqliteStore } from '../../../support/stores.ts';
import type { UserStore } from '../../../support/verbs.ts';

/** A new folder for one test. */
export function aFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'users-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Within a `describe`: gives each test a path for a file, in a folder that is removed at the end. */
export function giveFile(take: (file: string, folder: string) => void): void {
  const folders: ReturnType<typeof aFolder>[] = [];
  beforeEach(() => {
    const folder = aFolder();
    folders.push(folder);
    take(join(folder.path, 'users.db'), folder.path);
  });
  // Not after each test: the hooks that close stores come later, and their threads still use the folder.
  after(() => {
    for (const folder of folders) folder.remove();
  });
}

/** For tests in which nothing fatal may happen. No one catches the error, so it fails the run. */
export function neverFatal(cause: unknown): never {
  throw cause;
}

export function openAt(file: string, options: Partial<SqliteOptions> = {}): Promise<UserStore> {
  return openSqliteStore({ file, onFatal: neverFatal, busyTimeout: deadline, ...options });
}

/** The tables of the service's kinds. */
export const tables = tablesOf(kindsOf());

/** The actor as the writer gets it. */
const by = printActor(tester);

export const creating = (user: User): Extract<ResourceWrite, { op: 'create' }> => ({
  kind: 'user',
  id: user.id,
  by,
  op: 'create',
  text: JSON.stringify(user),
});
export const replacing = (user: User, version: string): ResourceWrite => ({
  ...creating(user),
  op: 'replace',
  version,
});
export const removing = (id: string, version: string): ResourceWrite => ({
  kind: 'user',
  id,
  by,
  op: 'remove',
  version,
});

/** Makes the derived rows of all kinds look as if other rules had made them. */
export const makeOutdated = (db: Connection): void =>
  void db.exec("UPDATE key_rules SET rules = '1 search.0'");

/** Writes in one transaction, because durable writes take longer. */
async function makeFile(file: string, users: readonly Stored<User>[]): Promise<void> {
  await (await openAt(file)).close();
  const db = openConnection(file, { readonly: false, busyTimeout: deadline });
  const writes = new Writes(db, tables);
  db.transaction(() => {
    for (const user of users) writes.apply(creating(user.value));
    writes.finish();
  })();
  db.close();
}

/** Within a `describe`: its tests share a store with these users, and its file. */
export function giveStore(
  users: readonly Stored<User>[],
  take: (store: UserStore, file: string) => void,
): void {
  const folder = aFolder();
  const file = join(folder.path, 'users.db');
  let store: UserStore;
  before(async () => {
    await makeFile(file, users);
    store = await openAt(file);
    take(store, file);
  });
  after(async () => {
    await store.close();
    folder.remove();
  });
}
