/** A database whose server is reached through a proxy that misbehaves when told to. For within a `describe`. */
import type { MongoOptions } from '../../../../src/adapters/stores/mongodb/connection/client.ts';
import type { User } from '../../../../src/domain/kinds/user/user.ts';
import { outcome } from '../../../contract/refusals.ts';
import { until } from '../../../support/deadlines.ts';
import { aDatabase, directlyTo, openAt, type TestDatabase } from '../../../support/mongodb.ts';
import { type PlainStore, plain } from '../../../support/plain-store.ts';
import type { UserStore } from '../../../support/verbs.ts';
import { type Fault, FaultyProxy } from './proxy.ts';

/** For a server that is away: in ms. A server that the driver knows is found at once, however slow the machine is. */
export const forAbsence: Partial<MongoOptions> = { serverSelectionTimeout: 500 };

/** Asks again until the store can serve. */
export const untilReady = (store: Pick<UserStore, 'check'>): Promise<void> =>
  until('the store is ready', async () => (await outcome(store.check())) !== 'unavailable');

interface BehindAProxy {
  /** Renewed for each case. */
  readonly proxy: FaultyProxy;
  /** The database, by way of the proxy. */
  readonly uri: string;
  /** A store that the proxy doesn't stand before. */
  readonly direct: PlainStore;
  /** A store behind it that is ready; closed after the case. */
  open(options?: Partial<MongoOptions>): Promise<UserStore>;
  /** To be closed after the case. */
  opened(store: UserStore): UserStore;
  /** Has the next requests that speak of this user go wrong. Before the commit of its transaction nothing is done. */
  disturb(user: User, fault: Fault, times?: number): void;
  /** Has the next commits of transactions go wrong. */
  disturbCommits(fault: Fault, times?: number): void;
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
  const disturb = (words: string, fault: Fault, times = Number.POSITIVE_INFINITY): void => {
    let left = times;
    proxy.rule = (request) => {
      if (!request.includes(words) || left === 0) return undefined;
      left -= 1;
      return fault;
    };
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
    open: async (options) => {
      const store = opened(await openAt(uri(), { maxPoolSize: 4, onProblem: () => {}, ...options }));
      await untilReady(store);
      return store;
    },
    disturb: ({ id }, fault, times) => disturb(id, fault, times),
    disturbCommits: (fault, times) => disturb('commitTransaction', fault, times),
  };
}
