import type { MongoClientOptions } from 'mongodb';

/** Times are in milliseconds. Those that the connection string sets too, it decides. */
export interface MongoOptions {
  /** The whole connection string. Without a database in it: `users`. */
  readonly uri: string;
  /** Called once when the store is not ready at the start, with a line for an operator; it then keeps trying. */
  readonly onProblem: (message: string) => void;
  /** Connections to each server at most; 100 by default. */
  readonly maxPoolSize?: number;
  /** For a server that can take the request, such as a new primary after an election; 5,000 by default. */
  readonly serverSelectionTimeout?: number;
  /** For a connection to be made, and for a server to answer its monitor; 5,000 by default. */
  readonly connectTimeout?: number;
  /** For an answer, in silence; 20,000 by default. Should be longer than `operationTimeout`. */
  readonly socketTimeout?: number;
  /** For a free connection; 5,000 by default. */
  readonly waitQueueTimeout?: number;
  /** For the server to do the operation, and again for a majority to have it; 10,000 by default. */
  readonly operationTimeout?: number;
  /** Between two looks at each server, which is how soon a silent one is noticed; 2,000 by default. */
  readonly heartbeatFrequency?: number;
}

export const defaultOperationTimeout = 10_000;

/** What the connection string may say otherwise. */
export function defaultsFor(options: MongoOptions): MongoClientOptions {
  return {
    appName: 'users',
    maxPoolSize: options.maxPoolSize ?? 100,
    serverSelectionTimeoutMS: options.serverSelectionTimeout ?? 5_000,
    connectTimeoutMS: options.connectTimeout ?? 5_000,
    socketTimeoutMS: options.socketTimeout ?? 20_000,
    waitQueueTimeoutMS: options.waitQueueTimeout ?? 5_000,
    wtimeoutMS: options.operationTimeout ?? defaultOperationTimeout,
    heartbeatFrequencyMS: options.heartbeatFrequency ?? 2_000,
    retryReads: true,
    retryWrites: true,
    readPreference: 'primary',
    // What was read is never rolled back. See Freshness for what it would miss.
    readConcernLevel: 'majority',
  };
}

/** What it may not. */
export const durable: MongoClientOptions = { w: 'majority', journal: true };
