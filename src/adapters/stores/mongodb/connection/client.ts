/**
 * The options of the store, and the client with these options. The connection string is shown without secrets; it may set any option of the driver
 * except those that weaken durability.
 */
import { type MongoOptions as DriverOptions, MongoClient, type MongoClientOptions } from 'mongodb';
import { messageOf } from '../../../system/errors.ts';
import { readRegularFile } from '../../../system/files.ts';
import type { StoreHooks } from '../../port/store-module.ts';

/** Times are in milliseconds. The connection string takes precedence. By default `kinds` are those of the service. */
export interface MongoOptions
  extends Pick<Partial<StoreHooks>, 'kinds' | 'onProgress' | 'buildSteps' | 'isLogged' | 'mayFill'> {
  /** The whole connection string. Without a database in it: `users`. */
  readonly uri: string;
  /** Called with a line for an operator while the store is not ready: each reason once, and the progress of reindexing. The store keeps trying. */
  readonly onProblem: (message: string) => void;
  /** The maximum number of connections to each server. */
  readonly maxPoolSize?: number;
  /** The time limit for finding a server that can take the request, such as a new primary after an election. */
  readonly serverSelectionTimeout?: number;
  /** The time limit for opening a connection, and for a server's answer to its monitor. */
  readonly connectTimeout?: number;
  /** The time limit for a response. It should be longer than `operationTimeout`. */
  readonly socketTimeout?: number;
  /** The time limit for a free connection. */
  readonly waitQueueTimeout?: number;
  /** The time limit for an operation on the server, and again for its replication to a majority. */
  readonly operationTimeout?: number;
  /** How long processes of older releases must not have written before they are refused: see `migrations/run.ts`. For tests. */
  readonly quiet?: number | undefined;
  /** The time between two checks of each server, which limits how long a silent server goes unnoticed. */
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

/** Used if the connection string names no database. */
const defaultDatabase = 'users';

/** Scheme, hosts, database and query, without the userinfo, which can't hold a bare `/`, `?` or `@`. */
const shape = /^(mongodb(?:\+srv)?:\/\/)(?:[^/?@]*@)?([^/?@]+)(?:\/([^?]*))?(?:\?(.*))?$/s;

/** Where the users are, for people: hosts and database, without credentials or options. */
export function mongoAddress(uri: string): string {
  const [, , hosts = '(unreadable connection string)', database = ''] = shape.exec(uri) ?? [];
  return `${hosts}/${database || defaultDatabase}`;
}

const databaseIn = (uri: string): string => decode(shape.exec(uri)?.[3] ?? '') || defaultDatabase;

function optionNames(uri: string): ReadonlySet<string> {
  const query = shape.exec(uri)?.[4] ?? '';
  return new Set([...new URLSearchParams(query).keys()].map((name) => name.toLowerCase()));
}

/** Texts that no message may contain: the userinfo, and the values of options that carry secrets, as written and decoded. */
function secretsOf(uri: string): string[] {
  const userinfo = /\/\/(.*)@/s.exec(uri)?.[1] ?? '';
  const options = [...uri.matchAll(/[?&][^=&]*(?:password|properties|token)[^=&]*=([^&]*)/gi)];
  const written = [userinfo, ...userinfo.split(':'), ...options.map(([, value = '']) => value)];
  return [...written, ...written.map(decode)].filter((secret) => secret !== '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows the driver's own message only if it doesn't quote the connection string. */
function toRefusal(uri: string, cause: unknown): Error {
  const said = messageOf(cause);
  const isSafe = !said.includes('//') && !secretsOf(uri).some((secret) => said.includes(secret));
  const [, password = ''] = /\/\/[^:]*:(.*)@/s.exec(uri) ?? [];
  const advice = /[@:/]|%(?![\da-f]{2})/i.test(password)
    ? ' (USERS_MONGODB_URI: write @ : / % in a password as %40 %3A %2F %25)'
    : '';
  return new Error(
    `The MongoDB connection string can't be used: ${isSafe ? said : 'it is malformed'}${advice}`,
  );
}

function assertDurable({ writeConcern }: Readonly<DriverOptions>): void {
  const { w, journal } = writeConcern ?? {};
  const wrong = [w !== undefined && w !== 'majority' && `w=${w}`, journal === false && 'journal=false'];
  const named = wrong.filter((option) => option !== false);
  if (named.length === 0) return;
  throw new Error(
    `The MongoDB connection string asks for ${named.join(' and ')}: an answered write would not be durable`,
  );
}

/** A server refuses any other database name, and the service would never become ready. */
function assertDatabaseName(database: string): void {
  if (!/[/\\. "$\0]/.test(database) && Buffer.byteLength(database) < 64) return;
  throw new Error(
    'The MongoDB connection string names a database that there can not be: at most 63 bytes, without / \\ . " $ and spaces',
  );
}

/** Checked here because the driver reads them only when it connects, and retries endlessly when they are missing. */
function assertReadableFiles({
  tlsCAFile,
  tlsCRLFile,
  tlsCertificateKeyFile,
}: Readonly<DriverOptions>): void {
  for (const file of [tlsCAFile, tlsCRLFile, tlsCertificateKeyFile].filter((name) => name !== undefined)) {
    try {
      readRegularFile(file, { isPrivate: false });
    } catch (cause) {
      throw new Error(`The MongoDB connection string names ${file}: ${messageOf(cause)}`, { cause });
    }
  }
}

/** Options that the connection string may override. */
export function clientDefaults(options: MongoOptions): MongoClientOptions {
  const limits = { ...defaults, ...options };
  return {
    // Identifies abandoned transactions of this installation, so that those of others are left alone.
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
    // A state that was read is never rolled back. ElectionFence covers the writes that such a read alone could miss.
    readConcernLevel: 'majority',
  };
}

/** Options that the connection string may not override. */
const durableWrites: MongoClientOptions = { w: 'majority', journal: true };

/** Makes a client, which is not connected yet. @throws Error that tells an operator what is wrong, and nothing secret */
export function openClient(options: MongoOptions): { client: MongoClient; database: string } {
  const { uri } = options;
  const given = optionNames(uri);
  const left = Object.entries(clientDefaults(options)).filter(([name]) => !given.has(name.toLowerCase()));
  let asked: MongoClient;
  let client: MongoClient;
  try {
    asked = new MongoClient(uri);
    client = new MongoClient(uri, { ...Object.fromEntries(left), ...durableWrites });
  } catch (cause) {
    throw toRefusal(uri, cause);
  }
  const database = databaseIn(uri);
  assertDurable(asked.options);
  assertReadableFiles(asked.options);
  assertDatabaseName(database);
  return { client, database };
}
