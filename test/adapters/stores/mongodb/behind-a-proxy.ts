/** A database whose server is reached through a proxy that misbehaves when told to. For within a `describe`. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { MongoOptions } from '../../../../src/adapters/stores/mongodb/connection/options.ts';
import type { UserStore } from '../../../../src/domain/ports.ts';
import type { User } from '../../../../src/domain/user/user.ts';
import { outcome } from '../../../contract/refusals.ts';
import { aDatabase, directlyTo, openAt, type TestDatabase } from '../../../support/mongodb.ts';
import { type PlainStore, plain } from '../../../support/plain-store.ts';
import { type Fault, FaultyProxy } from './proxy.ts';

/** Short, so that what is silent is given up soon. */
export const impatient: Partial<MongoOptions> = {
  serverSelectionTimeout: 500,
  connectTimeout: 300,
  socketTimeout: 300,
  waitQueueTimeout: 500,
  operationTimeout: 200,
  heartbeatFrequency: 500,
  maxPoolSize: 4,
};

/** For answers that come slowly, those to the driver's own monitor of the server included. */
export const patient: Partial<MongoOptions> = {
  connectTimeout: 20_000,
  serverSelectionTimeout: 20_000,
  socketTimeout: 20_000,
  operationTimeout: 20_000,
  waitQueueTimeout: 20_000,
};

/** Asks again until the store can serve. */
export async function untilReady(store: UserStore): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if ((await outcome(store.check())) !== 'unavailable') return;
    await pause(20);
  }
  expect.fail('the store did not become ready');
}

export interface BehindAProxy {
  /** Renewed for each case. */
  readonly proxy: FaultyProxy;
  /** The database, by way of the proxy. */
  readonly uri: string;
  /** A store that the proxy doesn't stand before. */
  readonly direct: PlainStore;
  /** An impatient store behind it, closed after the case. */
  open(options?: Partial<MongoOptions>): Promise<UserStore>;
  /** To be closed after the case. */
  opened(store: UserStore): UserStore;
  /** Has the next requests that speak of this user go wrong. */
  disturb(user: User, fault: Fault, times?: number): void;
}

export function behindAProxy(): BehindAProxy {
  let database: TestDatabase;
  let direct: PlainStore;
  let proxy: FaultyProxy;
  let stores: UserStore[];

  before(async () => {
    database = await aDatabase();
    direct = plain(await database.open());
  });
  after(async () => {
    await direct?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    stores = [];
    proxy = new FaultyProxy(database.primary);
    await proxy.open();
  });
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await proxy.shut();
  });

  const uri = (): string => directlyTo(`127.0.0.1:${proxy.port}`, database.uri);
  const opened = (store: UserStore): UserStore => {
    stores.push(store);
    return store;
  };
  return {
    get proxy() {
      return proxy;
    },
    get direct() {
      return direct;
    },
    get uri() {
      return uri();
    },
    opened,
    open: async (options) => opened(await openAt(uri(), { ...impatient, ...options })),
    disturb: (user, fault, times = Number.POSITIVE_INFINITY) => {
      let left = times;
      proxy.rule = (request) => {
        if (!request.includes(user.id) || left === 0) return undefined;
        left -= 1;
        return fault;
      };
    },
  };
}
