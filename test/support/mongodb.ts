/**
 * A MongoDB replica set for tests: the one at MONGODB_URI, or one that mongodb-memory-server starts, from
 * MONGOMS_SYSTEM_BINARY, from the path, or fetched by it as its other MONGOMS_ variables say. Started when the first
 * test of a process asks for it, ended with the process. A developer without any of them sees the tests skipped, and waits for no
 * download; CI sees them fail.
 */

import { randomUUID } from 'node:crypto';
import { accessSync, constants, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { MongoClient } from 'mongodb';
import { MongoMemoryReplSet, MongoMemoryServer } from 'mongodb-memory-server-core';
import type { MongoOptions } from '../../src/adapters/stores/mongodb/connection/client.ts';
import { deadline } from './deadlines.ts';
import { describeWhere } from './left-out.ts';
import { openMongoStore } from './stores.ts';
import type { UserStore } from './verbs.ts';

const onPath = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'mongod'))
  .find(isExecutable);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const canStart = onPath !== undefined || Object.keys(process.env).some((name) => name.startsWith('MONGOMS_'));

/** `describe` for suites that need a replica set, whosever it is. */
export const describeMongo = describeWhere(canStart || Boolean(process.env.MONGODB_URI), 'mongod');
/** `describe` for suites that start and end members of their own. */
export const describeOwnMongo = describeWhere(canStart, 'mongod');
/** `describe` for suites whose server has to take commands that are for tests. */
export const describeTestCommands = describeWhere(canStart && !process.env.MONGODB_URI, 'mongod');

function binary(): { binary?: { systemBinary: string } } {
  const chosen = process.env.MONGOMS_SYSTEM_BINARY ?? onPath;
  return chosen === undefined ? {} : { binary: { systemBinary: chosen } };
}

const launchTimeout = deadline;

/** Starts a server that belongs to no set, which the caller stops. */
export const startAlone = (): Promise<MongoMemoryServer> =>
  MongoMemoryServer.create({ ...binary(), instance: { launchTimeout } });

class PatientSet extends MongoMemoryReplSet {
  protected override _waitForPrimary(_timeout?: number, where?: string): Promise<void> {
    return super._waitForPrimary(deadline, where);
  }
}

/** An administrator's. */
export const root = { user: 'root', password: 'root-password' };

/** Starts a set of that many members, which the caller stops. @param isAuthenticated it is reached by `root` only */
export function startSet(count: number, isAuthenticated = false): Promise<MongoMemoryReplSet> {
  const auth = { enable: true, customRootName: root.user, customRootPwd: root.password };
  return PatientSet.create({
    ...binary(),
    instanceOpts: Array.from({ length: count }, () => ({ launchTimeout })),
    replSet: {
      count,
      ...(isAuthenticated && { auth }),
      storageEngine: 'wiredTiger',
      args: ['--nounixsocket', ...parameters.flatMap((parameter) => ['--setParameter', parameter])],
      // Longer than a busy machine keeps all members from answering, or no primary lasts.
      configSettings: { electionTimeoutMillis: 3000, heartbeatIntervalMillis: 500, heartbeatTimeoutSecs: 2 },
    },
  });
}
const parameters = [
  // Else a member reads on from a frozen one for seconds more.
  'oplogNetworkTimeoutBufferSeconds=1',
  'enableTestCommands=1',
];

let starting: Promise<MongoMemoryReplSet> | undefined;

async function sharedUri(): Promise<string> {
  if (process.env.MONGODB_URI) return process.env.MONGODB_URI;
  starting ??= startUntilExit();
  return (await starting).getUri();
}

/** Serves every file of tests that this process runs; at the end of a process there is no time left to stop it as usual. */
async function startUntilExit(): Promise<MongoMemoryReplSet> {
  const set = await startSet(1);
  process.once('exit', () => {
    for (const { instanceInfo } of set.servers) {
      instanceInfo?.instance.mongodProcess?.kill('SIGKILL');
      if (instanceInfo !== undefined) rmSync(instanceInfo.dbPath, { recursive: true, force: true });
    }
  });
  return set;
}

/** The connection string with another database in it; whoever logs in goes on doing so where he did. */
export function withDatabase(uri: string, database: string): string {
  const [, head, from, query = ''] = /^([^/]+\/\/[^/?]+)\/?([^?]*)(?:\?(.*))?$/.exec(uri) ?? [];
  const options = new URLSearchParams(query);
  if (head?.includes('@') && !options.has('authSource')) options.set('authSource', from || 'admin');
  return `${head}/${database}?${options}`;
}

/** The connection string with an account, which MongoDB has in `admin`. */
export const loggedIn = (uri: string, { user, password }: typeof root): string =>
  uri.replace('://', `://${user}:${password}@`).replace(/\?|$/, '?authSource=admin&');

/** The connection string of the one server at `host`, whatever set it belongs to. */
export function directlyTo(host: string, uri: string): string {
  const [head = '', query = ''] = uri.split('?');
  const options = new URLSearchParams(query);
  options.delete('replicaSet');
  options.set('directConnection', 'true');
  return `${head.replace(/(\/\/(?:[^/@]*@)?)[^/@]+/, `$1${host}`)}?${options}`;
}

export interface TestDatabase {
  readonly uri: string;
  /** Past the store, to look and to disturb. */
  readonly client: MongoClient;
  /** `host:port` of the primary. */
  readonly primary: string;
  /** As `openAt`. */
  open(options?: Partial<MongoOptions>): Promise<UserStore>;
  /** Takes the database away, and closes what was opened on it. */
  drop(): Promise<void>;
}

/** A busy machine needs them; a test that meets one fails. */
const patient: Partial<MongoOptions> = {
  serverSelectionTimeout: deadline,
  connectTimeout: deadline,
  waitQueueTimeout: deadline,
  operationTimeout: deadline,
  socketTimeout: 2 * deadline,
};

/** A store with long time-outs. Unless `onProblem` is given, its start may not fail. */
export function openAt(uri: string, options: Partial<MongoOptions> = {}): Promise<UserStore> {
  const onProblem = (message: string): never => {
    throw new Error(message);
  };
  return openMongoStore({ uri, onProblem, ...patient, ...options });
}

/** A database of one suite's or one case's own. */
export async function aDatabase(): Promise<TestDatabase> {
  const uri = withDatabase(await sharedUri(), `users-test-${randomUUID()}`);
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: deadline });
  const { primary } = await client.db().admin().command({ hello: 1 });
  const opened: UserStore[] = [];
  return {
    uri,
    client,
    primary: String(primary),
    open: async (options) => {
      const store = await openAt(uri, options);
      opened.push(store);
      return store;
    },
    drop: async () => {
      await Promise.all(opened.map((store) => store.close()));
      await client.db().dropDatabase();
      await client.close();
    },
  };
}

/** Runs a case on a database of its own, which is taken away whatever comes of it. */
export async function inADatabase(run: (database: TestDatabase) => Promise<void>): Promise<void> {
  const database = await aDatabase();
  try {
    await run(database);
  } finally {
    await database.drop();
  }
}
