/** The users of an SQLite file, past the program. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { matchAll } from '../../src/domain/find/conditions.ts';
import type { User } from '../../src/domain/kinds/user/user.ts';
import { Stored } from '../../src/domain/resource/stored.ts';
import { positionOf } from '../support/kinds.ts';
import { openSqliteStore } from '../support/stores.ts';
import type { UserStore } from '../support/verbs.ts';

const atOnce = 500;

/** Where a process with this working folder keeps its users. */
export const fileIn = (folder: string): string => join(folder, 'data', 'users.db');

const openFile = (file: string): Promise<UserStore> =>
  openSqliteStore({ file, onFatal: (cause) => expect.fail(String(cause)) });

async function withFile<T>(file: string, act: (store: UserStore) => Promise<T>): Promise<T> {
  const store = await openFile(file);
  try {
    return await act(store);
  } finally {
    await store.close();
  }
}

export async function insertAll(store: UserStore, users: readonly User[]): Promise<void> {
  for (let from = 0; from < users.length; from += atOnce) {
    const writes = users.slice(from, from + atOnce).map((user) => ({ user: Stored.of(user) }));
    for (const outcome of await store.writeAll(writes)) expect(outcome).to.equal('done');
  }
}

/** Makes the file. @param more is done after the users are in */
export const fill = (
  folder: string,
  users: readonly User[],
  more: (store: UserStore) => Promise<void> = async () => {},
): Promise<void> =>
  withFile(fileIn(folder), async (store) => {
    await insertAll(store, users);
    await more(store);
  });

export async function listAll(store: UserStore): Promise<User[]> {
  const users: User[] = [];
  for (let last: Stored<User> | undefined; ; ) {
    const after = last && positionOf(last);
    const batch = await store.list({ where: matchAll, after, limit: atOnce });
    users.push(...batch.map(({ value }) => value));
    last = batch.at(-1);
    if (last === undefined) return users;
  }
}

/** By the store, which recovers a file whose writer was killed. */
export const recoveredUsersIn = (folder: string): Promise<User[]> => withFile(fileIn(folder), listAll);

/** In the order of their ids, without the threads of a store, which take half as long as a process. */
export function usersIn(folder: string): User[] {
  const db = new Database(fileIn(folder), { readonly: true, fileMustExist: true });
  try {
    const documents = db.prepare<[], string>('SELECT document FROM users ORDER BY id').pluck().all();
    return documents.map((document) => JSON.parse(document));
  } finally {
    db.close();
  }
}

interface Counter {
  /** Also while others write; 0 without a file. */
  count(): number;
  close(): void;
}

/** @param name the beginning of the names of the users that it counts */
export function openCounter(folder: string, name = ''): Counter {
  let db: Database.Database | undefined;
  const open = () => new Database(fileIn(folder), { readonly: true, fileMustExist: true });
  return {
    count: () => {
      if (!existsSync(fileIn(folder))) return 0;
      try {
        db ??= open();
        const counting = db.prepare('SELECT count(*) FROM users WHERE name_key GLOB ?').pluck();
        return Number(counting.get(`${name}*`));
      } catch {
        // The table isn't there yet, or the file is being prepared.
        return 0;
      }
    },
    close: () => void db?.close(),
  };
}

/** What an import with --keep-meta keeps. */
export function withoutVersions(users: readonly User[]): unknown[] {
  return users
    .map(({ meta: { version: _, ...meta }, ...rest }) => ({ ...rest, meta }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** What an import keeps of users who have neither an id nor a history. */
export function withoutTraces(users: readonly User[]): unknown[] {
  return users
    .map(({ id: _, meta: __, ...rest }) => rest)
    .sort((one, other) => (one.userName < other.userName ? -1 : 1));
}
