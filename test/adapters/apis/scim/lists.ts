/** Lists of SCIM as clients read them over a socket, from every store. */
import { join } from 'node:path';
import { expect } from 'chai';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { Stored } from '../../../../src/domain/resource/stored.ts';
import type { Store } from '../../../../src/domain/store.ts';
import { aDatabase, describeMongo } from '../../../support/mongodb.ts';
import { onAllStores } from '../../../support/runs.ts';
import { type Answer, startService, type TestService } from '../../../support/service.ts';
import { memoryStore } from '../../../support/stores.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { aFolder, openAt } from '../../stores/sqlite/a-file.ts';

export interface ScimList {
  readonly schemas: readonly string[];
  readonly totalResults?: number;
  readonly startIndex?: number;
  readonly itemsPerPage: number;
  readonly nextCursor?: string;
  readonly previousCursor?: string;
  readonly Resources: readonly { readonly id: string; readonly userName: string }[];
}

interface ScimFault {
  readonly schemas: readonly string[];
  readonly status: string;
  readonly scimType?: string;
  readonly detail: string;
}

/** By the parameters' names; a text is a query as it stands. */
export type Query = Readonly<Record<string, string | number>> | string;

export interface Lists {
  readonly service: TestService;
  readonly store: UserStore;
  list(query?: Query): Promise<ScimList>;
  /** Of what is answered with 400. */
  refuse(query: Query): Promise<ScimFault>;
  discard(): Promise<void>;
}

export interface OpenStore {
  readonly store: UserStore;
  /** What the service is given. Left out: the store. */
  readonly port?: Store;
  discard(): Promise<void>;
}

export const idsOf = ({ Resources }: ScimList): string[] => Resources.map(({ id }) => id);

export async function insertAll(store: UserStore, users: readonly User[]): Promise<void> {
  const outcomes = await store.writeAll(users.map((user) => ({ user: Stored.of(user) })));
  expect(outcomes.filter((outcome) => outcome !== 'done')).to.deep.equal([]);
}

const textOf = (query: Query): string =>
  typeof query === 'string'
    ? query
    : new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();

export const pathOf = (query: Query): string => `/scim/v2/Users?${textOf(query)}`;

export function listIn({ status, text, headers }: Answer): ScimList {
  expect(status, text).to.equal(200);
  expect(headers.get('content-type')).to.be.oneOf(['application/scim+json', 'application/json']);
  const list: ScimList = JSON.parse(text);
  expect(list.schemas).to.deep.equal(['urn:ietf:params:scim:api:messages:2.0:ListResponse']);
  expect(list.itemsPerPage).to.equal(list.Resources.length);
  return list;
}

export function faultIn({ status, text }: Answer, expected = 400): ScimFault {
  expect(status, text).to.equal(expected);
  const fault: ScimFault = JSON.parse(text);
  expect(fault.schemas).to.deep.equal(['urn:ietf:params:scim:api:messages:2.0:Error']);
  expect(fault.status).to.equal(String(expected));
  return fault;
}

/** @param given settings of the service */
export async function startLists(
  { store, port, discard }: OpenStore,
  users: readonly User[],
  given: Parameters<typeof startService>[0] = {},
): Promise<Lists> {
  await insertAll(store, users);
  const service = await startService(given, port ?? store);
  return {
    service,
    store,
    list: async (query = '') => listIn(await service.send(pathOf(query))),
    refuse: async (query) => faultIn(await service.send(pathOf(query))),
    async discard() {
      await service.close();
      await discard();
    },
  };
}

export const inMemory = async (): Promise<OpenStore> => ({
  store: memoryStore(),
  discard: async () => undefined,
});

export async function inSqlite(): Promise<OpenStore> {
  const folder = aFolder();
  return { store: await openAt(join(folder.path, 'users.db')), discard: async () => folder.remove() };
}

async function inMongo(): Promise<OpenStore> {
  const database = await aDatabase();
  return { store: await database.open(), discard: () => database.drop() };
}

/** The same suite for each store of the run. */
export function onEachStore(title: string, define: (open: () => Promise<OpenStore>) => void): void {
  describe(`${title}, with users in SQLite,`, () => define(inSqlite));
  if (!onAllStores) return;
  describe(`${title}, with users in memory,`, () => define(inMemory));
  describeMongo(`${title}, with users in MongoDB,`, () => define(inMongo));
}
