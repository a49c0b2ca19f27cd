import type { MongoClientOptions } from 'mongodb';
import type { Kinds } from '../../../../domain/kinds.ts';
import { databaseIn } from './uri.ts';

/** Times are in milliseconds. The connection string takes precedence. */
export interface MongoOptions {
  /** The whole connection string. Without a database in it: `users`. */
  readonly uri: string;
  /** Those of the service when left out. */
  readonly kinds?: Kinds;
  /** Called with a line for an operator while the store is not ready: each reason once, and the progress of reindexing. It keeps trying. */
  readonly onProblem: (message: string) => void;
  /** See `StoreHooks.isLogged`. */
  readonly isLogged?: boolean | undefined;
  /** Connections to each server at most. */
  readonly maxPoolSize?: number;
  /** For a server that can take the request, such as a new primary after an election. */
  readonly serverSelectionTimeout?: number;
  /** For a connection to be made, and for a server to answer its monitor. */
  readonly connectTimeout?: number;
  /** For a response. Should be longer than `operationTimeout`. */
  readonly socketTimeout?: number;
  /** For a free connection. */
  readonly waitQueueTimeout?: number;
  /** For the server to do the operation, and again for a majority to have it. */
  readonly operationTimeout?: number;
  /** Between two checks of each server: how soon a silent server is noticed. */
  readonly heartbeatFrequency?: number;
}

/** A test compares them with config/default.json5. */
export const defaults = {
  maxPoolSize: 100,
  serverSelectionTimeout: 5_000,
  connectTimeout: 5_000,
  socketTimeout: 20_000,
  waitQueueTimeout: 5_000,
  operationTimeout: 10_000,
  heartbeatFrequency: 2_000,
} as const satisfies Partial<MongoOptions>;

/** Options that the connection string may override. */
export function clientDefaults(options: MongoOptions): MongoClientOptions {
  const limits = { ...defaults, ...options };
  return {
    // Transactions that a process left behind are known by it: those of another installation are not ours to end.
    appName: `users ${databaseIn(options.uri)}`,
    maxPoolSize: limits.maxPoolSize,
    serverSelectionTimeoutMS: limits.serverSelectionTimeout,
    connectTimeoutMS: limits.connectTimeout,
    socketTimeoutMS: limits.socketTimeout,
    waitQueueTimeoutMS: limits.waitQueueTimeout,
    wtimeoutMS: limits.operationTimeout,
    heartbeatFrequencyMS: limits.heartbeatFrequency,
    retryReads: true,
    retryWrites: true,
    readPreference: 'primary',
    // A state that was read is never rolled back. See ElectionFence for the writes that such a read alone could miss.
    readConcernLevel: 'majority',
  };
}

/** Options that the connection string may not override. */
export const durableWrites: MongoClientOptions = { w: 'majority', journal: true };
