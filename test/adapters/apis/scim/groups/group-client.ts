/** Groups and users for tests of SCIM's groups, on each store. */
import { join } from 'node:path';
import { expect } from 'chai';
import { memoryStore } from '../../../../../src/adapters/stores/memory/store.ts';
import { openSqliteStore } from '../../../../../src/adapters/stores/sqlite/open-store.ts';
import type { Store } from '../../../../../src/domain/store.ts';
import { deadline } from '../../../../support/deadlines.ts';
import { aDatabase, describeMongo } from '../../../../support/mongodb.ts';
import { onAllStores } from '../../../../support/runs.ts';
import { type Answer, startService, type TestService } from '../../../../support/service.ts';
import type { UserStore } from '../../../../support/verbs.ts';
import { aFolder } from '../../../stores/sqlite/a-file.ts';
import { type Ask, client, create, type Json } from '../scim-client.ts';

export const groupUrn = 'urn:ietf:params:scim:schemas:core:2.0:Group';

let made = 0;
/** With a name that no other has. */
export const aGroup = (more: Json = {}): Json => {
  made += 1;
  return { schemas: [groupUrn], displayName: `Group ${made}`, ...more };
};

export const valuesOf = (ids: readonly string[]): readonly Json[] => ids.map((value) => ({ value }));

export interface ShownGroup {
  readonly id: string;
  readonly displayName: string;
  readonly meta: { readonly version: string };
  readonly members?: readonly { readonly value: string; readonly display?: string }[];
}

export const groupIn = (answer: Answer): ShownGroup => JSON.parse(answer.text) as ShownGroup;

export async function createGroup(ask: Ask, more: Json = {}): Promise<ShownGroup> {
  const answer = await ask('/Groups', { method: 'POST', body: aGroup(more) });
  expect(answer.status, answer.text).to.equal(201);
  return groupIn(answer);
}

export async function createUsers(ask: Ask, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await create(ask, { displayName: `User ${ids.length}` })).id);
  return ids;
}

/** The ids of its members, in their order. */
export async function membersOf(ask: Ask, id: string): Promise<readonly string[]> {
  const answer = await ask(`/Groups/${id}`);
  expect(answer.status, answer.text).to.equal(200);
  return (groupIn(answer).members ?? expect.fail('members are left out')).map(({ value }) => value);
}

interface Opened {
  readonly store: Store | UserStore;
  discard(): Promise<void>;
}

const stores: Readonly<Record<'memory' | 'SQLite' | 'MongoDB', () => Promise<Opened>>> = {
  memory: async () => ({ store: memoryStore(), discard: async () => {} }),
  SQLite: async () => {
    const folder = aFolder();
    const file = join(folder.path, 'users.db');
    const store = await openSqliteStore({
      file,
      onFatal: () => expect.fail('the store has failed'),
      busyTimeout: deadline,
    });
    return { store, discard: async () => folder.remove() };
  },
  MongoDB: async () => {
    const database = await aDatabase();
    return { store: await database.open(), discard: () => database.drop() };
  },
};

/** Within a `describe`: its tests share a service on this store, and a client of it. */
export function giveGroups(name: keyof typeof stores, take: (ask: Ask, service: TestService) => void): void {
  let service: TestService;
  let opened: Opened;
  before(async () => {
    opened = await stores[name]();
    service = await startService({}, opened.store);
    take(client(service), service);
  });
  after(async () => {
    await service.close();
    await opened.discard();
  });
}

/** Defines the cases for each store of the run. */
export function onEachStore(define: (store: keyof typeof stores) => void): void {
  describe('in SQLite', () => define('SQLite'));
  if (!onAllStores) return;
  describe('in memory', () => define('memory'));
  describeMongo('in MongoDB', () => define('MongoDB'));
}
